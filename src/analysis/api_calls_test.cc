#include "analysis/api_calls.h"

#include <gtest/gtest.h>

#include <set>

#include "trace/trace_builder.h"

namespace warpsight {
namespace {

TEST(ApiCallsTest, EveryGroupIsCompleteAndClassifiesItsOwnNames) {
  std::set<std::string> seen;
  ASSERT_FALSE(ApiCallGroups().empty());
  for (const ApiCallGroup& group : ApiCallGroups()) {
    EXPECT_FALSE(group.meaning.empty()) << group.kind_name;
    EXPECT_FALSE(group.source.empty()) << group.kind_name;
    for (const std::string& name : group.names) {
      EXPECT_TRUE(seen.insert(name).second) << name << " is listed twice";
      std::string sample = name;
      if (const size_t star = sample.find('*'); star != std::string::npos) sample.replace(star, 1, "2D");
      EXPECT_EQ(ClassifyApiCall(sample), group.kind) << sample;
    }
  }
}

TEST(ApiCallsTest, SuffixesDoNotMatter) {
  EXPECT_EQ(ClassifyApiCall("cuMemcpyDtoH_v2"), ApiCallKind::kBlockingCopy);
  EXPECT_EQ(ClassifyApiCall("cudaLaunchKernel_v7000"), ApiCallKind::kLaunch);
  EXPECT_EQ(ClassifyApiCall("cudaLaunchKernel_ptsz_v7000"), ApiCallKind::kLaunch);
  EXPECT_EQ(ClassifyApiCall("hipStreamSynchronize_spt"), ApiCallKind::kSynchronise);
  EXPECT_EQ(ClassifyApiCall("cuMemsetD8Async"), ApiCallKind::kSet);
}

TEST(ApiCallsTest, AsynchronousCopiesDoNotSynchronise) {
  EXPECT_FALSE(IsSynchronising(ClassifyApiCall("cudaMemcpyAsync")));
  EXPECT_FALSE(IsSynchronising(ClassifyApiCall("cuMemcpyDtoHAsync_v2")));
  EXPECT_TRUE(IsSynchronising(ClassifyApiCall("cudaMemcpy")));
  EXPECT_TRUE(IsSynchronising(ClassifyApiCall("hipMemcpyWithStream")));
  EXPECT_TRUE(GivesGpuWork(ClassifyApiCall("cudaMemcpy")));
}

TEST(ApiCallsTest, UnknownCallsAreOther) {
  EXPECT_EQ(ClassifyApiCall(""), ApiCallKind::kOther);
  EXPECT_EQ(ClassifyApiCall("_v2"), ApiCallKind::kOther);
  EXPECT_EQ(ClassifyApiCall("cudaEventQuery"), ApiCallKind::kOther);
  EXPECT_EQ(ClassifyApiCall("cudaDeviceSynchronizeAll"), ApiCallKind::kOther);
}

TEST(ApiCallsTest, OnlyApiCallsOfATraceHaveAKind) {
  TraceBuilder builder;
  HostEventRow row;
  row.thread = builder.names().InternThread("1", "1");
  row.name = builder.Intern("cudaDeviceSynchronize");
  row.duration_ns = 10;
  row.kind = HostKind::kApi;
  builder.Add(row);
  row.start_ns = 20;
  row.kind = HostKind::kRange;
  builder.Add(row);
  const Trace trace = std::move(builder).Seal();
  const ApiCallKinds kinds(trace);
  EXPECT_EQ(kinds.kind(0), ApiCallKind::kSynchronise);
  EXPECT_EQ(kinds.kind(1), ApiCallKind::kOther);
}

}  // namespace
}  // namespace warpsight
