#include "diagnosis/report_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analysis/model_pass.h"
#include "document/kernel_name.h"
#include "document/units.h"

namespace warpsight {
namespace {

// More marks than a reader can tell apart are no help; rows are the longest first.
constexpr size_t kMostMarks = 200;

const RooflineDevice* BusiestDevice(const RooflineResult& roofline) {
  const auto found = std::max_element(roofline.devices.begin(), roofline.devices.end(),
                                      [](const auto& a, const auto& b) { return a.work_ns < b.work_ns; });
  return found == roofline.devices.end() ? nullptr : &*found;
}

std::vector<Roof> RoofsOf(const GpuPeaks& peaks, const std::set<Arithmetic>& used) {
  std::vector<Roof> roofs;
  for (const Arithmetic arithmetic : used) {
    const std::optional<double> rate = peaks.FlopsPerS(arithmetic);
    if (!rate) continue;
    const std::string name = peaks.given_flops_per_s ? "given" : std::string(ArithmeticName(arithmetic));
    roofs.push_back({fmt::format("{} {} TFLOP/s", name, FormatNumber(*rate / 1e12)), *peaks.memory_bytes_per_s, *rate});
    if (peaks.given_flops_per_s) break;  // one for every type
  }
  return roofs;
}

std::string LinearCalls(const PartsResult& parts) {
  for (const AccountingLine& line : parts.accounting) {
    if (line.what != "linear calls") continue;
    return fmt::format("{} seen, {} expected ({})", FormatNumber(line.seen), FormatNumber(line.expected), line.how);
  }
  return "";
}

std::string GemmTime(const StepNeeds& step) {
  if (step.gemms <= 0) return "";
  std::string text = fmt::format("{} in {} products", FormatDuration(step.gemm_ns), FormatNumber(step.gemms));
  if (step.gemm_bound_ns)
    text += fmt::format("; they need {} at least ({})", FormatDuration(*step.gemm_bound_ns),
                        FormatShare(*step.gemm_bound_ns, step.gemm_ns));
  if (step.weight_bound_ns)
    text += fmt::format("; reading the weights once takes {} ({})", FormatDuration(*step.weight_bound_ns),
                        FormatShare(*step.weight_bound_ns, step.gemm_ns));
  return text;
}

}  // namespace

BarChart PartsChartOf(const PartsResult& parts) {
  std::vector<PartTime> times;
  for (const PartRow& row : parts.rows) times.push_back({std::string(PartName(row.part)), row.gpu_ns, row.gpu_share, ""});
  return MakePartsChart(times);
}

std::optional<Scatter> RooflineChartOf(const RooflineResult& roofline) {
  const RooflineDevice* const device = BusiestDevice(roofline);
  if (device == nullptr || !device->peaks.complete()) return std::nullopt;
  std::vector<RooflineMark> marks;
  std::set<Arithmetic> used;
  size_t left_out = 0;
  for (const RooflineRow& row : roofline.rows) {
    if (row.device != device->peaks.device || row.flops <= 0 || row.bytes <= 0 || row.gpu_ns <= 0) continue;
    if (marks.size() == kMostMarks) {
      ++left_out;
      continue;
    }
    used.insert(row.arithmetic);
    marks.push_back({fmt::format("{} {}", row.op, row.shapes), row.flops / row.bytes,
                     row.flops / (static_cast<double>(row.gpu_ns) * 1e-9), row.gpu_ns, std::string(CostKindName(row.kind))});
  }
  if (marks.empty()) return std::nullopt;
  std::string caption = fmt::format("Roofs of {}, {}. A mark is an op with its shapes; its area is its GPU time.",
                                    device->peaks.entry != nullptr ? device->peaks.entry->name : std::string("the device"),
                                    device->peaks.source());
  if (left_out > 0)
    caption += fmt::format(" {} ops with the least time are left out.", FormatCount(static_cast<int64_t>(left_out)));
  return MakeRooflineChart(marks, RoofsOf(device->peaks, used), std::move(caption));
}

RecordFacts RecordFactsOf(Analysis& analysis) {
  RecordFacts facts;
  if (const Result<PartsResult>& parts = analysis.Get<PartsPass>(); parts.ok())
    facts.linear_calls_per_step = LinearCalls(*parts);
  if (const Result<ModelResult>& model = analysis.Get<ModelPass>(); model.ok())
    facts.attention_backend = model->attention_backend;
  if (const Result<RooflineResult>& roofline = analysis.Get<RooflinePass>(); roofline.ok()) {
    if (const RooflineDevice* const device = BusiestDevice(*roofline)) facts.gemm_time_per_step = GemmTime(device->step);
  }
  return facts;
}

}  // namespace warpsight
