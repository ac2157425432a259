#include "analysis/file_roles.h"

#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "analysis/hand_made_trace.h"

namespace warpsight {
namespace {

struct FileSpec {
  std::string name;
  int32_t rank = -1;
  int32_t world = -1;
  bool nccl = false;
  bool graph = false;
};

FileRoles Classify(const std::vector<FileSpec>& files) {
  std::vector<std::unique_ptr<Trace>> traces;
  std::vector<const Trace*> pointers;
  for (const FileSpec& file : files) {
    HandMadeTrace make;
    RecordingInfo& info = make.builder().header().recording;
    info.file = file.name;
    info.rank = file.rank;
    info.world_size = file.world;
    make.Kernel("gemm", {0, 10});
    if (file.nccl) make.Kernel("ncclKernel_AllReduce_RING_LL_Sum_float(ncclDevComm*)", {20, 30});
    if (file.graph) make.Api("cudaGraphLaunch", {0, 5}, 1);
    traces.push_back(std::make_unique<Trace>(make.Seal()));
    pointers.push_back(traces.back().get());
  }
  return ClassifyFiles(pointers);
}

// Exports of nsys tell processes apart too, and can't be read a process at a time.
TEST(RankProcessesTest, AreThoseOfOurCapturesWithCollectives) {
  const auto processes = [](std::string_view producer, std::initializer_list<std::pair<int64_t, const char*>> kernels) {
    TraceBuilder builder;
    builder.header().recording.producer = producer;
    Ns at = 0;
    for (const auto& [process, kernel] : kernels) {
      GpuWorkRow row;
      row.name = builder.Intern(kernel);
      row.start_ns = at += 10;
      row.duration_ns = 5;
      row.stream = builder.names().InternStream(0, 7, 1, process);
      builder.Add(row);
    }
    return RankProcesses(std::move(builder).Seal());
  };
  constexpr const char* kNccl = "ncclDevKernel_AllReduce_Sum_f16_RING_LL(ncclDevKernelArgsStorage<4096ul>)";
  EXPECT_EQ(processes("warpsight", {{12, kNccl}, {11, kNccl}, {13, "gemm"}}), (std::vector<int64_t>{11, 12}));
  EXPECT_TRUE(processes("warpsight", {{11, kNccl}, {12, "gemm"}}).empty());
  EXPECT_TRUE(processes("nsys", {{11, kNccl}, {12, kNccl}}).empty());
}

TEST(FileRolesTest, RanksOfOneRun) {
  EXPECT_EQ(Classify({{"a", 0, 2}}).role, FilesRole::kSingle);
  const FileRoles roles = Classify({{"a", 3, 8}, {"b", 0, 8}});
  EXPECT_EQ(roles.role, FilesRole::kRanks);
  EXPECT_EQ(roles.ranks, (std::vector<int32_t>{3, 0}));
  EXPECT_TRUE(roles.ranks_recorded);
}

TEST(FileRolesTest, OldRecordingsAreNumberedInOrder) {
  const FileRoles roles = Classify({{"a", -1, -1, true}, {"b", -1, -1, true}});
  EXPECT_EQ(roles.role, FilesRole::kRanks);
  EXPECT_EQ(roles.ranks, (std::vector<int32_t>{0, 1}));
  EXPECT_FALSE(roles.ranks_recorded);
}

TEST(FileRolesTest, WhatIsNoRunIsRefusedWithAReason) {
  const auto refused = [](const std::vector<FileSpec>& files, std::string_view reason) {
    const FileRoles roles = Classify(files);
    EXPECT_EQ(roles.role, FilesRole::kUnknown) << reason;
    EXPECT_NE(roles.problem.find(reason), std::string::npos) << roles.problem;
  };
  refused({{"a", 0, 2}, {"b", 0, 2}}, "a and b are both rank 0");
  refused({{"a", 0, 2}, {"b", 1, 8}}, "a is of a run of 2 ranks and b of one of 8");
  refused({{"a", 0, 2}, {"b", 5, 2}}, "b says that it is rank 5 of 2");
  refused({{"a", 0, 2}, {"b", -1, -1, true}}, "b does not say which rank it is");
  refused({{"a", 0, 1}, {"b", 0, 1}}, "a is not a rank of a run of several");
  refused({{"a", 0, 2}, {"b"}}, "b is not a rank of a run of several");
  refused({{"a"}, {"b"}, {"c", -1, -1, false, true}}, "is not a rank of a run of several");
}

TEST(FileRolesTest, AnEagerRecordingBesideAGraphIsItsReference) {
  EXPECT_EQ(Classify({{"graph", -1, -1, false, true}, {"eager"}}).role, FilesRole::kReference);
  EXPECT_EQ(Classify({{"eager"}, {"graph", -1, -1, false, true}}).role, FilesRole::kUnknown);
  EXPECT_EQ(Classify({{"graph", -1, -1, false, true}, {"graph2", -1, -1, false, true}}).role, FilesRole::kUnknown);
}

}  // namespace
}  // namespace warpsight
