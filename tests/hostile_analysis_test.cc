// Whole reports of hostile recordings: what every document promises holds whatever the events say.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "analysis/diff/diff_document.h"
#include "analysis/parts_pass.h"
#include "diagnosis/report_document.h"
#include "hostile/opening.h"
#include "hostile/trace_text.h"

namespace warpsight::testing::hostile_analysis_test {
namespace {

using nlohmann::ordered_json;

constexpr int64_t kBaseUs = 5108452590000;

std::string Op(const std::string& name, double ts, double dur, const std::string& dims, int operands) {
  std::string types;
  for (int i = 0; i < operands; ++i) types += i == 0 ? R"("c10::Half")" : R"(, "c10::Half")";
  return fmt::format(
      R"({{"ph": "X", "cat": "cpu_op", "name": "{}", "pid": 1, "tid": 1, "ts": {:.3f}, "dur": {:.3f}, "args": {{"Input Dims": {}, "Input type": [{}]}}}})",
      name, kBaseUs + ts, dur, dims, types);
}

std::string Launch(const std::string& name, double ts, int correlation) {
  return fmt::format(
      R"({{"ph": "X", "cat": "cuda_runtime", "name": "{}", "pid": 1, "tid": 1, "ts": {:.3f}, "dur": 0.5, "args": {{"correlation": {}}}}})",
      name, kBaseUs + ts, correlation);
}

std::string Kernel(const std::string& name, double ts, const std::string& dur, int correlation) {
  return fmt::format(
      R"({{"ph": "X", "cat": "kernel", "name": "{}", "pid": 0, "tid": 7, "ts": {:.3f}, "dur": {}, "args": {{"device": 0, "stream": 7, "correlation": {}, "grid": [1, 1, 1], "block": [32, 1, 1]}}}})",
      name, kBaseUs + ts, dur, correlation);
}

// The sizes of a small decoder, any of which a case may make hostile; so may it the duration of kernels.
struct Sizes {
  std::string hidden = "64";
  std::string kv = "16";
  std::string ffn = "256";
  std::string heads = "4";
  std::string kernel_us = "1";
};

// Two steps of a decoder of four layers.
std::vector<std::string> Decoder(const Sizes& s) {
  std::vector<std::string> events;
  double ts = 0;
  int correlation = 0;
  const auto add = [&](const std::string& op, const std::string& kernel, const std::string& dims, int operands) {
    events.push_back(Op(op, ts, 2, dims, operands));
    events.push_back(Launch("cudaLaunchKernel", ts + 0.5, ++correlation));
    events.push_back(Kernel(kernel, ts + 1, s.kernel_us, correlation));
    ts += 3;
  };
  const auto linear = [&](const std::string& in, const std::string& out) {
    add("aten::linear", "sm90_xmma_gemm_f16f16", fmt::format("[[1, 1, {0}], [{1}, {0}], []]", in, out), 2);
  };
  for (int step = 0; step < 2; ++step) {
    const double start = ts;
    add("aten::embedding", "indexSelectLargeIndex", fmt::format("[[1000, {}], [1, 1]]", s.hidden), 2);
    for (int layer = 0; layer < 4; ++layer) {
      add("aten::native_layer_norm", "vectorized_layer_norm_kernel", fmt::format("[[1, 1, {0}], [{0}]]", s.hidden), 2);
      linear(s.hidden, s.hidden);
      linear(s.hidden, s.kv);
      linear(s.hidden, s.kv);
      add("aten::_scaled_dot_product_flash_attention", "flash_fwd_kernel",
          fmt::format("[[1, {0}, 1, 16], [1, {0}, 9, 16], [1, {0}, 9, 16]]", s.heads), 3);
      linear(s.hidden, s.hidden);
      add("aten::native_layer_norm", "vectorized_layer_norm_kernel", fmt::format("[[1, 1, {0}], [{0}]]", s.hidden), 2);
      linear(s.hidden, s.ffn);
      add("aten::gelu", "vectorized_elementwise_kernel", fmt::format("[[1, 1, {}]]", s.ffn), 1);
      linear(s.ffn, s.hidden);
    }
    linear(s.hidden, "1000");
    events.push_back(fmt::format(
        R"({{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#{}", "pid": 1, "tid": 1, "ts": {:.3f}, "dur": {:.3f}}})",
        step, kBaseUs + start - 0.5, ts - start));
  }
  return events;
}

void CheckNumbers(const ordered_json& value, const std::string& path) {
  if (value.is_number_float()) {
    EXPECT_TRUE(std::isfinite(value.get<double>())) << path;
  }
  if (value.is_number() && path.ends_with("_share")) {
    EXPECT_GE(value.get<double>(), 0) << path;
    EXPECT_LE(value.get<double>(), 1 + 1e-9) << path;
  }
  if (value.is_number() && path.ends_with("_ns")) {
    EXPECT_TRUE(value.is_number_integer()) << path;
    EXPECT_GE(value.get<int64_t>(), 0) << path;
  }
  if (value.is_object()) {
    for (const auto& [key, inner] : value.items()) CheckNumbers(inner, fmt::format("{}.{}", path, key));
  }
  if (value.is_array()) {
    for (const ordered_json& inner : value) CheckNumbers(inner, path + "[]");
  }
}

double SumOfShares(const ordered_json& rows) {
  double sum = 0;
  for (const ordered_json& row : rows) sum += row["gpu_share"].get<double>();
  return sum;
}

ordered_json ReportOf(const std::vector<std::string>& events) {
  const Result<Trace> trace = OpenTraceBytes(MakeTrace(events).text, "hostile.json", ImportOptions{});
  if (!trace.ok()) {
    ADD_FAILURE() << trace.status().message();
    return {};
  }
  Given given;
  given.measured_step_ns = 1'000'000;
  Analysis analysis(*trace, {}, given);
  return MakeReportDocument(analysis, {.page_rows = 10, .expect = true}).data;
}

void CheckReport(const std::vector<std::string>& events) {
  const ordered_json report = ReportOf(events);
  CheckNumbers(report, "report");
  // Durations that cannot be are read as 0: a share of nothing is 0.
  const double all = report["kernels"]["gpu_work_ns"] == 0 ? 0 : 1;
  EXPECT_NEAR(SumOfShares(report["parts"]["rows"]), all, 1e-9);
  EXPECT_NEAR(SumOfShares(report["kernels"]["rows"]), all, 1e-9);
  for (const ordered_json& line : report["parts"]["accounting"]) {
    EXPECT_TRUE(line["expected"].is_number() && line["expected"].get<double>() >= 0) << line;
    EXPECT_TRUE(line["seen"].is_number() && line["seen"].get<double>() >= 0) << line;
  }
  for (const auto& [size, value] : report["parts"]["model"].items()) {
    if (value.is_number()) {
      EXPECT_GE(value.get<double>(), 0) << size;
    }
  }
  for (const ordered_json& finding : report["findings"]) {
    if (!finding["gain_ns"].is_null()) {
      EXPECT_LE(finding["gain_ns"].get<int64_t>(), report["gains"]["step_ns"].get<int64_t>()) << finding["id"];
    }
  }
}

// Two hostile recordings compared, both ways round.
void CheckDiff(const std::vector<std::string>& events, const std::vector<std::string>& others) {
  const Result<Trace> a = OpenTraceBytes(MakeTrace(events).text, "a.json", ImportOptions{});
  const Result<Trace> b = OpenTraceBytes(MakeTrace(others).text, "b.json", ImportOptions{});
  ASSERT_TRUE(a.ok() && b.ok());
  for (const auto& [first, second] : {std::pair(&*a, &*b), std::pair(&*b, &*a)}) {
    Analysis analysis_a(*first, {});
    Analysis analysis_b(*second, {});
    const Result<DiffResult> diff = CompareRecordings(analysis_a, analysis_b);
    ASSERT_TRUE(diff.ok()) << diff.status().message();
    const ordered_json data = MakeDiffDocument(*diff, {}, {}).data;
    ASSERT_TRUE(data["kernels"].is_object());
    for (const char* table : {"kernels", "parts", "ops"}) {
      int64_t change_ns = 0;
      bool at_the_end = false;  // sums are held there
      for (const ordered_json& row : data[table]["rows"]) {
        const int64_t row_ns = row["gpu_change_ns"];
        at_the_end |= __builtin_add_overflow(change_ns, row_ns, &change_ns);
      }
      if (!at_the_end && data["metrics"]["work"]["a"]["mean_ns"] < kMaxNs / 4) {
        EXPECT_EQ(data[table]["gpu_change_ns"], change_ns) << table;
      }
    }
  }
}

TEST(HostileAnalysis, APlainDecoderIsRead) {
  const ordered_json report = ReportOf(Decoder({}));
  EXPECT_EQ(report["parts"]["model"]["layers"], 4);
  EXPECT_EQ(report["parts"]["model"]["hidden"], 64);
  CheckReport(Decoder({}));
}

TEST(HostileAnalysis, SizesOfAnyKind) {
  for (const char* size : {"0", "1", "-5", "2147483647", "2147483648", "1000000000000000000", "9223372036854775807",
                           "18446744073709551616", "1e300", "0.5", "null", "\"x\"", "[[[[1]]]]"}) {
    SCOPED_TRACE(size);
    CheckReport(Decoder({.hidden = size}));
    CheckReport(Decoder({.kv = size}));
    CheckReport(Decoder({.ffn = size}));
    CheckReport(Decoder({.heads = size}));
    CheckReport(Decoder({.hidden = size, .kv = size, .ffn = size, .heads = size}));
    CheckDiff(Decoder({.hidden = size}), Decoder({.heads = size}));
  }
}

TEST(HostileAnalysis, DurationsOfAnyKind) {
  for (const char* duration : {"0.001", "1000000", "30000000000000", "2000000000000000", "9000000000000000"}) {
    SCOPED_TRACE(duration);
    CheckReport(Decoder({.kernel_us = duration}));
    CheckDiff(Decoder({.kernel_us = duration}), Decoder({}));
  }
}

// Time that grows with the square of what a file holds shows here as minutes.
class HostileTime : public ::testing::Test {
 protected:
  static constexpr int kMany = 60'000;
  static void ExpectQuick(const std::vector<std::string>& events) {
    const auto start = std::chrono::steady_clock::now();
    CheckReport(events);
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    EXPECT_LT(took.count(), kAddressSanitizer ? 60 : 10);
  }
};

TEST_F(HostileTime, OpsAllInsideOfOneAnother) {
  std::vector<std::string> events;
  for (int i = 0; i < kMany; ++i)
    events.push_back(Op("aten::mm", 0.002 * i, 10.0 * kMany - 0.004 * i, "[[4, 4], [4, 4]]", 2));
  for (int i = 0; i < kMany; ++i) {
    events.push_back(Launch("cudaLaunchKernel", 0.01 * kMany + 2 * i, i + 1));
    events.push_back(Kernel("gemm", 0.01 * kMany + 2 * i + 1, "0.5", i + 1));
  }
  ExpectQuick(events);
}

TEST_F(HostileTime, CapturesThatFitNoReplay) {
  std::vector<std::string> events;
  double ts = 0;
  for (int i = 0; i < kMany / 10; ++i, ts += 20) {
    events.push_back(Launch("cudaStreamBeginCapture", ts, 0));
    for (int k = 0; k < 3; ++k) {
      events.push_back(Op("aten::mm", ts + 1 + 3 * k, 2, "[[4, 4], [4, 4]]", 2));
      events.push_back(Launch("cudaLaunchKernel", ts + 1.5 + 3 * k, 0));
    }
    events.push_back(Launch("cudaStreamEndCapture", ts + 15, 0));
  }
  for (int i = 0; i < kMany / 10; ++i, ts += 20) {
    events.push_back(Launch("cudaGraphLaunch", ts, i + 1));
    for (int k = 0; k < 3; ++k) events.push_back(Kernel(fmt::format("layer_norm_{}_{}", i, k), ts + 2 + 3 * k, "1", i + 1));
  }
  ExpectQuick(events);
}

// Every kernel of one op, none of them in the other recording, in as many steps.
TEST(HostileDiff, KernelsThatAllVanishAndAppear) {
  constexpr int kMany = 20'000;
  const auto recording = [](const std::string& name) {
    std::vector<std::string> events;
    for (int i = 0; i < kMany; ++i) {
      const double ts = 20.0 * i;
      events.push_back(fmt::format(
          R"({{"ph": "X", "cat": "user_annotation", "name": "ProfilerStep#{}", "pid": 1, "tid": 1, "ts": {:.3f}, "dur": 20}})",
          i, kBaseUs + ts));
      events.push_back(Op("aten::mm", ts + 1, 10, "[[4, 4], [4, 4]]", 2));
      events.push_back(Launch("cudaLaunchKernel", ts + 2, i + 1));
      events.push_back(Kernel(fmt::format("{}_{}", name, i), ts + 4, "3", i + 1));
    }
    return events;
  };
  const auto start = std::chrono::steady_clock::now();
  CheckDiff(recording("gemm_old"), recording("gemm_new"));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
  EXPECT_LT(took.count(), kAddressSanitizer ? 60 : 10);
}

}  // namespace
}  // namespace warpsight::testing::hostile_analysis_test
