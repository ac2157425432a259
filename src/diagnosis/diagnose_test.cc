// Each rule on a recording made for it, and what holds for all findings.
#include "diagnosis/diagnose.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <set>
#include <string>

#include "diagnosis/diagnose_trace.h"
#include "diagnosis/report_document.h"
#include "diagnosis/step_frame.h"
#include "diagnosis/what_ifs.h"

namespace warpsight::testing {
namespace {

TEST(SerialDispatchTest, HostWorkAndLaunchesTogether) {
  LaunchedTrace made;
  made.Step(1, {0, 1000});
  for (int64_t at = 0; at < 1000; at += 100)
    made.Op("aten::add", {at + 10, at + 90}).Launch("k", {at + 80, at + 90}, {at + 90, at + 100});
  const Diagnosis diagnosis = DiagnoseTrace(made.Seal());
  const Finding* finding = Find(diagnosis, "serial_dispatch");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->gain_ns, 900 * kUs);
  EXPECT_EQ(finding->severity, Severity::kHigh);
  EXPECT_NE(Evidence(*finding).find("800.0 us of host work before the launch, 100.0 us in the launch itself"),
            std::string::npos)
      << Evidence(*finding);
  EXPECT_NE(Evidence(*finding).find("launches in a step: 10"), std::string::npos) << Evidence(*finding);
  EXPECT_NE(Evidence(*finding).find("aten::add 700.0 us"), std::string::npos) << Evidence(*finding);
  EXPECT_NE(Evidence(*finding).find("a step would take 100.0 us instead of 1.000 ms"), std::string::npos)
      << Evidence(*finding);
  EXPECT_EQ(Find(diagnosis, "synchronisation"), nullptr);
}

// One launch after long host work is no dispatch problem: a CUDA graph would not help.
TEST(HostWorkTest, FewLaunchesAreNotSerialDispatch) {
  const Trace trace =
      LaunchedTrace().Step(1, {0, 1000}).Op("load_data", {0, 900}).Launch("k", {900, 910}, {910, 1000}).Seal();
  const Diagnosis diagnosis = DiagnoseTrace(trace);
  EXPECT_EQ(Find(diagnosis, "serial_dispatch"), nullptr);
  const Finding* finding = Find(diagnosis, "host_work");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->gain_ns, 910 * kUs);
  EXPECT_NE(Evidence(*finding).find("load_data 900.0 us"), std::string::npos) << Evidence(*finding);
}

// Shares are of the judged device's work, not of all devices'.
TEST(SmallKernelsTest, SharesAreOfOneDevice) {
  LaunchedTrace made;
  for (int64_t at = 0; at < 100; at += 10) {
    made.Work("small", {at, at + 5}, {.device = 0}).Work("small", {at, at + 5}, {.device = 1});
  }
  made.Call("cudaFree", {0, 1});
  const Diagnosis diagnosis = DiagnoseTrace(made.Seal());
  const Finding* finding = Find(diagnosis, "small_kernels");
  ASSERT_NE(finding, nullptr);
  EXPECT_NE(Evidence(*finding).find("take 100.0 % of the GPU time"), std::string::npos) << Evidence(*finding);
}

TEST(SynchronisationTest, TheHostSleptInACall) {
  const Trace trace = LaunchedTrace()
                          .Step(1, {0, 1000})
                          .Launch("k", {0, 10}, {10, 100})
                          .Call("cudaDeviceSynchronize", {20, 400})
                          .Launch("l", {400, 405}, {405, 1000})
                          .Seal();
  const Diagnosis diagnosis = DiagnoseTrace(trace);
  const Finding* finding = Find(diagnosis, "synchronisation");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->gain_ns, 300 * kUs);
  EXPECT_EQ(finding->severity, Severity::kHigh);
  EXPECT_NE(Evidence(*finding).find("cudaDeviceSynchronize 300.0 us"), std::string::npos) << Evidence(*finding);
  EXPECT_EQ(Find(diagnosis, "round_trip"), nullptr);
  EXPECT_EQ(Find(diagnosis, "serial_dispatch"), nullptr);  // 15 us of launching are below the threshold
}

TEST(RoundTripTest, TheCallWaitedForACopyToTheHost) {
  WorkOptions to_host;
  to_host.kind = GpuKind::kMemcpy;
  to_host.copy = CopyKind::kDeviceToHost;
  const Trace trace = LaunchedTrace()
                          .Step(1, {0, 1000})
                          .Launch("Memcpy DtoH", {0, 10}, {10, 100}, to_host)
                          .Call("cudaStreamSynchronize", {20, 400})
                          .Launch("l", {400, 410}, {410, 1000})
                          .Seal();
  const Diagnosis diagnosis = DiagnoseTrace(trace);
  const Finding* finding = Find(diagnosis, "round_trip");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->gain_ns, 300 * kUs);
  EXPECT_EQ(Find(diagnosis, "synchronisation"), nullptr);
}

TEST(DeviceWaitTest, QueuedInTimeBehindACopy) {
  WorkOptions to_device;
  to_device.kind = GpuKind::kMemcpy;
  to_device.copy = CopyKind::kHostToDevice;
  const Trace trace = LaunchedTrace()
                          .Step(1, {0, 1000})
                          .Launch("Memcpy HtoD", {0, 10}, {10, 100}, to_device)
                          .Launch("k", {20, 30}, {200, 1000})
                          .Seal();
  const Diagnosis diagnosis = DiagnoseTrace(trace);
  const Finding* finding = Find(diagnosis, "device_wait");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->gain_ns, 100 * kUs);
  EXPECT_EQ(finding->severity, Severity::kMedium);
  EXPECT_NE(Evidence(*finding).find(std::string(DeviceWaitText(DeviceWait::kStreamCopy)) + ": 100.0 us"), std::string::npos)
      << Evidence(*finding);
}

TEST(SmallKernelsTest, MostKernelsAreShort) {
  LaunchedTrace made;
  made.Step(1, {0, 1000});
  for (int64_t at = 0; at < 60; at += 10) made.Launch("tiny", {at, at + 5}, {at + 5, at + 9});
  for (int64_t at = 100; at < 500; at += 100) made.Launch("large", {at, at + 5}, {at + 5, at + 95});
  const Diagnosis diagnosis = DiagnoseTrace(made.Seal());
  const Finding* finding = Find(diagnosis, "small_kernels");
  ASSERT_NE(finding, nullptr);
  EXPECT_EQ(finding->gain_ns, std::nullopt);
  EXPECT_NE(Evidence(*finding).find("6 of 10 kernel calls"), std::string::npos) << Evidence(*finding);
  EXPECT_EQ(&diagnosis.findings.back(), finding);  // without a gain: last
}

TEST(SmallKernelsTest, WhatIsAGraphAlreadyIsNotToldToBecomeOne) {
  const auto advice = [](bool as_graph) {
    LaunchedTrace made;
    made.Step(1, {0, 100});
    if (as_graph) made.Host("cudaGraphLaunch", HostKind::kApi, {0, 10}, 900);
    for (int64_t at = 10; at < 80; at += 10) {
      if (as_graph) {
        made.Work("tiny", {at, at + 5}, {}, 900);
      } else {
        made.Launch("tiny", {at - 5, at - 1}, {at, at + 5});
      }
    }
    const Diagnosis diagnosis = DiagnoseTrace(made.Seal());
    return Find(diagnosis, "small_kernels")->advice;
  };
  EXPECT_NE(advice(false).find("replay the step as a CUDA Graph"), std::string::npos) << advice(false);
  EXPECT_NE(advice(true).find("is replayed as a CUDA graph already"), std::string::npos) << advice(true);
}

TEST(SmallKernelsTest, FewShortKernelsAreNoFinding) {
  LaunchedTrace made;
  for (int64_t at = 0; at < 40; at += 10) made.Launch("tiny", {at, at + 5}, {at + 5, at + 9});
  for (int64_t at = 100; at < 700; at += 100) made.Launch("large", {at, at + 5}, {at + 5, at + 95});
  EXPECT_EQ(Find(DiagnoseTrace(made.Seal()), "small_kernels"), nullptr);
}

TEST(DiagnoseTest, ABusyGpuHasNoFindings) {
  LaunchedTrace made;
  made.Step(1, {0, 1000});
  for (int64_t at = 0; at < 1000; at += 100) made.Launch("k", {at / 10, at / 10 + 5}, {at == 0 ? 5 : at, at + 100});
  EXPECT_TRUE(DiagnoseTrace(made.Seal()).findings.empty());
}

TEST(DiagnoseTest, RulesWithoutInputAreNotEvaluated) {
  const Diagnosis without_gpu = DiagnoseTrace(LaunchedTrace().Op("a", {0, 100}).Seal());
  EXPECT_TRUE(without_gpu.findings.empty());
  ASSERT_EQ(without_gpu.not_evaluated.size(), AllRules().size());
  for (const NotEvaluated& rule : without_gpu.not_evaluated) {
    if (rule.rule != "clocks") {
      EXPECT_NE(rule.reason.find("no GPU work"), std::string::npos) << rule.rule;
    }
  }

  const Diagnosis without_calls = DiagnoseTrace(LaunchedTrace().Op("a", {0, 100}).Work("k", {0, 5}).Seal());
  std::set<std::string_view> rules;
  for (const NotEvaluated& rule : without_calls.not_evaluated) {
    if (rule.reason.find("no CUDA/HIP API calls") != std::string::npos) rules.insert(rule.rule);
  }
  EXPECT_EQ(rules, (std::set<std::string_view>{"allocator_traffic", "data_loading", "serial_dispatch", "synchronisation",
                                               "round_trip", "device_wait"}));
  EXPECT_NE(Find(without_calls, "small_kernels"), nullptr);
}

TEST(DiagnoseTest, RulesAreToldApartAndAskAQuestion) {
  std::set<std::string_view> ids;
  for (const Rule& rule : AllRules()) {
    ids.insert(rule.id);
    EXPECT_EQ(rule.asks.back(), '?') << rule.id;
  }
  EXPECT_EQ(ids.size(), AllRules().size());
}

constexpr std::pair<std::string_view, std::string_view> kOpsAndKernels[] = {
    {"aten::mm", "volta_sgemm_128x64_tn"},         {"aten::bmm", "nvjet_sm90_hsh"},
    {"aten::pow", "elementwise<float>"},           {"aten::mean", "reduce_kernel<MeanOps>"},
    {"aten::add", "elementwise<CUDAFunctor_add>"}, {"aten::rsqrt", "elementwise<rsqrt_kernel>"},
    {"aten::mul", "elementwise<float>"},           {"aten::_softmax", "softmax_warp_forward"},
    {"aten::cat", "CatArrayBatchedCopy"},          {"aten::_foreach_mul_", "multi_tensor_apply_kernel<float>"},
};

// One thread that launches at random, synchronises, allocates and copies now and then; work may run on two streams at once.
Trace RandomTrace(uint32_t seed) {
  std::mt19937 random(seed);
  LaunchedTrace made;
  int64_t host = 0;
  int64_t gpu = 0;
  const bool with_steps = random() % 2 == 0;
  const bool overlapping = random() % 2 == 0;
  for (int step = 0; step < 3; ++step) {
    const int64_t start = host;
    for (uint32_t launch = 1 + random() % 30; launch > 0; --launch) {
      host += random() % 20;
      WorkOptions options;
      options.stream = 7 + random() % 2;
      if (random() % 5 == 0) {
        options.kind = GpuKind::kMemcpy;
        options.copy = random() % 2 == 0 ? CopyKind::kDeviceToHost : CopyKind::kHostToDevice;
        options.source_memory = MemoryKind::kPageable;
      }
      const int64_t earliest = overlapping && random() % 2 == 0 ? host + 3 : std::max(gpu, host + 3);
      const int64_t begin = earliest + static_cast<int64_t>(random() % 6);
      const int64_t end = begin + 1 + static_cast<int64_t>(random() % 15);
      gpu = std::max(gpu, end);
      const auto& [op, kernel] = kOpsAndKernels[random() % std::size(kOpsAndKernels)];
      made.Op(op, {host, host + 2}, "[[[1, 4, 99, 64], [1, 4, 1, 64]], []]", "['c10::Half']");
      made.Launch(kernel, {host, host + 2}, {begin, end}, options);
      host += 2;
      if (random() % 4 == 0) {
        const int64_t until = std::max(host, gpu) + 1 + static_cast<int64_t>(random() % 30);
        made.Call(random() % 3 == 0 ? "cudaMalloc" : "cudaStreamSynchronize", {host, until});
        host = until;
      }
    }
    host += 1;
    if (with_steps) made.Step(step, {start, host});
  }
  return made.Seal();
}

TEST(DiagnoseTest, GainsAreBoundedByTheStepAndCountNoTimeTwice) {
  int64_t findings = 0;
  std::set<std::string> ids;
  for (uint32_t seed = 0; seed < 400; ++seed) {
    const Trace trace = RandomTrace(seed);
    Given given;
    if (seed % 4 == 0) given.measured_step_ns = (1 + seed) * kUs;
    Analysis analysis(trace, {}, given);
    const Diagnosis diagnosis = Diagnose(analysis);
    const std::optional<StepFrame> frame = MakeStepFrame(analysis);
    ASSERT_TRUE(frame.has_value());
    ASSERT_EQ(Sum(frame->idle), frame->idle_ns()) << seed;
    ASSERT_GT(diagnosis.step_ns, 0) << seed;
    Ns gains = 0;
    for (const Finding& finding : diagnosis.findings) {
      EXPECT_GE(finding.gain_ns.value_or(0), 0) << seed << finding.id;
      EXPECT_LE(finding.gain_ns.value_or(0), diagnosis.step_ns) << seed << finding.id;
      gains += finding.gain_ns.value_or(0);
      ++findings;
      ids.insert(finding.id);
      EXPECT_FALSE(finding.title.empty() || finding.evidence.empty() || finding.advice.empty()) << finding.id;
    }
    EXPECT_LE(gains, diagnosis.all_gains_ns) << seed;
    EXPECT_LE(diagnosis.all_gains_ns, diagnosis.step_ns) << seed;
    EXPECT_TRUE(std::is_sorted(diagnosis.findings.begin(), diagnosis.findings.end(), [](const Finding& a, const Finding& b) {
      return a.gain_ns.value_or(-1) > b.gain_ns.value_or(-1);
    }));
    for (const WhatIf& one : MakeWhatIfs(analysis, diagnosis, GemmBound{1'000'000'000, 1})) {
      EXPECT_EQ(one.gain_ns + one.step_ns, one.from_ns) << seed << one.id;
      EXPECT_LE(one.from_ns, diagnosis.step_ns) << seed << one.id;
      EXPECT_GE(one.step_ns, 0) << seed << one.id;
    }
  }
  EXPECT_GT(findings, 800);
  for (const char* id :
       {"allocator_traffic", "blocking_copies", "synchronisation", "round_trip", "serial_dispatch", "tensor_cores_unused"}) {
    EXPECT_TRUE(ids.contains(id)) << id << " is in no random trace";
  }
}

TEST(ReportDocumentTest, HoldsTheOtherVerbsAndSaysWhatIsMissing) {
  const Trace trace = RandomTrace(1);
  Analysis analysis(trace, {});
  const Document report = MakeReportDocument(analysis, {});
  EXPECT_EQ(report.verb, "report");
  for (const char* key :
       {"verdict", "findings", "not_evaluated", "gains", "what_ifs", "info", "steps", "idle", "kernels", "ops", "lint"}) {
    ASSERT_TRUE(report.data.contains(key)) << key;
    EXPECT_FALSE(report.data[key].is_null()) << key;
  }

  const Trace without_gpu = LaunchedTrace().Op("a", {0, 100}).Seal();
  Analysis host_only(without_gpu, {});
  const Document lacking = MakeReportDocument(host_only, {});
  EXPECT_TRUE(lacking.data["idle"].is_null());
  EXPECT_TRUE(lacking.data["kernels"].is_null());
  EXPECT_EQ(lacking.data["findings"], nlohmann::ordered_json::array());
  EXPECT_EQ(lacking.data["not_evaluated"].size(), AllRules().size());
}

TEST(ReportDocumentTest, FindingsAreNumberedAsInJson) {
  const Trace trace = RandomTrace(4);
  Analysis analysis(trace, {});
  const Document report = MakeReportDocument(analysis, {});
  int number = 0;
  for (const Block& block : report.blocks) {
    const auto* finding = std::get_if<FindingBlock>(&block);
    if (finding == nullptr) continue;
    EXPECT_EQ(finding->number, number + 1);
    EXPECT_EQ(report.data["findings"][static_cast<size_t>(number)]["title"], finding->title);
    ++number;
  }
  EXPECT_EQ(static_cast<size_t>(number), report.data["findings"].size());
}

}  // namespace
}  // namespace warpsight::testing
