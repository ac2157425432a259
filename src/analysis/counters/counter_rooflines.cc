#include "analysis/counters/counter_rooflines.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "analysis/counters/kernel_lookup.h"
#include "analysis/counters/roofline_data.h"
#include "analysis/gpu_peaks.h"
#include "counters/formula.h"

namespace warpsight {
namespace {

// FLOPs of half-precision instructions up to this many times the others' may all be constants: one such instruction counts
// four, and a kernel may load a few for each thing that it computes.
constexpr double kSameOrder = 10;

std::optional<double> Quotient(std::optional<double> part, std::optional<double> whole) {
  return part && whole && *whole > 0 ? std::optional(*part / *whole) : std::nullopt;
}

// What a formula of the data file means for one kernel.
class RooflineValues {
 public:
  RooflineValues(const CounterReport& report, const ProfiledKernel& kernel)
      : metrics_(KernelLookup(report, kernel)),
        lookup_([this](std::string_view name, std::string_view key) { return Number(name, key); }) {}
  RooflineValues(const RooflineValues&) = delete;
  RooflineValues& operator=(const RooflineValues&) = delete;

  std::optional<double> Of(const Formula& formula) const { return formula.Evaluate(lookup_); }

 private:
  std::optional<double> Number(std::string_view name, std::string_view key) const {
    const auto& values = CounterRooflines().values;
    const auto value = std::ranges::find(values, name, &std::pair<std::string, Formula>::first);
    if (value == values.end()) return metrics_(name, key);
    if (const auto known = known_.find(name); known != known_.end()) return known->second;
    return known_[name] = value->second.Evaluate(lookup_);
  }

  FormulaLookup metrics_;
  FormulaLookup lookup_;
  mutable std::map<std::string_view, std::optional<double>> known_;
};

// Tensor cores count operations by data type, each with a peak of its own: shares add up, rates do too.
struct TypedOperations {
  bool is_known = false;
  double per_s = 0;
  double utilisation = 0;
  double largest_peak = 0;  // of dense floating-point types
  std::string types;
};

TypedOperations SumTypes(const CounterReport& report, const ProfiledKernel& kernel, std::string_view pattern) {
  constexpr std::string_view kRate = ".sum.per_second";
  const std::string_view before = pattern.substr(0, pattern.find('*'));
  TypedOperations sum;
  for (const Metric& metric : kernel.metrics) {
    const std::string_view name = report.MetricName(metric.name);
    if (!name.starts_with(before) || !name.ends_with(kRate)) continue;
    // ".sum.peak_sustained_elapsed.per_second" is the peak; a counter's own rate has nothing between.
    const std::string_view counter = name.substr(0, name.size() - kRate.size());
    if (counter.find('.') != std::string_view::npos || report.Find(kernel, metric.name) != &metric) continue;
    const std::optional<double> rate = report.Number(kernel, name);
    const std::optional<double> peak =
        report.Number(kernel, std::string(counter) + ".sum.peak_sustained_elapsed.per_second");
    if (!rate || !peak || *peak <= 0) continue;
    sum.is_known = true;
    const bool is_dense_float =
        counter.find("_on") == std::string_view::npos && counter.find("int") == std::string_view::npos;
    if (is_dense_float) sum.largest_peak = std::max(sum.largest_peak, *peak);
    if (*rate <= 0) continue;
    sum.per_s += *rate;
    sum.utilisation += *rate / *peak;
    sum.types += (sum.types.empty() ? "" : ", ") + std::string(counter.substr(before.size()));
  }
  return sum;
}

class RooflineMaker {
 public:
  RooflineMaker(const CounterReport& report, const ProfiledKernel& kernel, const Given& given)
      : report_(report), kernel_(kernel), given_(given), values_(report, kernel) {}

  CounterRoofline Make() {
    CounterRoofline roofline;
    for (const RoofData& data : CounterRooflines().work) roofline.work.push_back(MakeRoof(data, given_.peak_flops_per_s));
    for (const RoofData& data : CounterRooflines().memory) {
      const bool is_device_memory = data.datasheet == "memory";
      roofline.memory.push_back(MakeRoof(data, is_device_memory ? given_.peak_bytes_per_s : std::nullopt));
    }
    MarkConstants(roofline);
    for (size_t work = 0; work < roofline.work.size(); ++work) {
      for (size_t memory = 0; memory < roofline.memory.size(); ++memory) AddPoint(work, memory, roofline);
    }
    return roofline;
  }

 private:
  CounterRoof MakeRoof(const RoofData& data, std::optional<double> given_peak) const {
    CounterRoof roof;
    roof.id = data.id;
    roof.name = data.name;
    roof.per_s = values_.Of(data.per_second);
    roof.amount = values_.Of(data.amount);
    roof.peak_per_s = values_.Of(data.peak);
    if (data.utilisation) roof.utilisation = values_.Of(*data.utilisation);
    if (!data.operations.empty()) TakeTypes(SumTypes(report_, kernel_, data.operations), roof);
    if (roof.peak_per_s) roof.peak_source = "counters";
    if (!roof.peak_per_s && !data.datasheet.empty()) {
      roof.peak_per_s = DatasheetPeak(data.datasheet);
      if (roof.peak_per_s) roof.peak_source = "datasheet";
    }
    if (given_peak) {
      roof.peak_per_s = given_peak;
      roof.peak_source = "given";
    }
    if (const std::optional<double> share = Quotient(roof.per_s, roof.peak_per_s)) roof.utilisation = share;
    if (!roof.per_s) {
      roof.not_evaluated = roof.utilisation ? "the report has the share of the peak, but no counts"
                                            : fmt::format("metric {} is absent", data.needs);
    } else if (!roof.peak_per_s) {
      roof.not_evaluated = "the peak is not known";
    }
    return roof;
  }

  // Additions and multiplications of halves are no constants.
  void MarkConstants(CounterRoofline& roofline) const {
    double others = 0;
    CounterRoof* halves = nullptr;
    for (CounterRoof& roof : roofline.work) {
      if (roof.id == "fp16") {
        halves = &roof;
      } else {
        others = std::max(others, roof.per_s.value_or(0));
      }
    }
    if (halves == nullptr || halves->per_s.value_or(0) <= 0 || *halves->per_s > kSameOrder * others) return;
    for (const char* op : {"hadd", "hmul"}) {
      for (const char* of : {"smsp", "sm"}) {
        for (const char* roll_up : {"sum", "sum.per_cycle_elapsed"}) {
          const std::string name = fmt::format("{}__sass_thread_inst_executed_op_{}_pred_on.{}", of, op, roll_up);
          if (report_.Number(kernel_, name).value_or(0) > 0) return;
        }
      }
    }
    halves->may_be_constants = true;
  }

  void TakeTypes(const TypedOperations& types, CounterRoof& roof) const {
    if (!types.is_known) return;
    roof.per_s = types.per_s;
    const std::optional<double> duration_ns = report_.Number(kernel_, "gpu__time_duration.sum");
    roof.amount = duration_ns ? std::optional(types.per_s * *duration_ns / 1e9) : std::nullopt;
    // Of several types the peak is that of their mixture.
    roof.peak_per_s = types.per_s > 0 ? types.per_s / types.utilisation : types.largest_peak;
    if (*roof.peak_per_s <= 0) roof.peak_per_s.reset();
    roof.types = types.types;
  }

  std::optional<double> DatasheetPeak(std::string_view what) const {
    Device device;
    for (const CounterDevice& known : report_.devices()) {
      if (known.id == kernel_.device) device.name = known.name;
    }
    if (device.name.empty()) return std::nullopt;
    if (const std::optional<double> sms = report_.Number(kernel_, "device__attribute_multiprocessor_count"))
      device.sm_count = static_cast<int32_t>(std::clamp(*sms, 0.0, 1e6));
    const GpuEntry* entry = FindGpu(device).entry;
    if (entry == nullptr) return std::nullopt;
    if (what == "memory") return entry->memory_bytes_per_s;
    return entry->flops_per_s[static_cast<size_t>(what == "fp64" ? Arithmetic::kFp64 : Arithmetic::kFp32)];
  }

  static void AddPoint(size_t work, size_t memory, CounterRoofline& roofline) {
    const CounterRoof& done = roofline.work[work];
    const CounterRoof& moved = roofline.memory[memory];
    const std::optional<double> intensity = Quotient(done.per_s, moved.per_s);
    if (!intensity || *intensity <= 0) return;
    RooflinePoint point{work, memory, *intensity, Quotient(done.peak_per_s, moved.peak_per_s), {}, {}};
    if (done.peak_per_s && moved.peak_per_s) point.attainable = std::min(*done.peak_per_s, *intensity * *moved.peak_per_s);
    point.efficiency = Quotient(done.per_s, point.attainable);
    roofline.points.push_back(point);
  }

  const CounterReport& report_;
  const ProfiledKernel& kernel_;
  const Given& given_;
  RooflineValues values_;
};

}  // namespace

const CounterRoof* CounterRoofline::Nearest() const {
  const CounterRoof* nearest = nullptr;
  for (const std::vector<CounterRoof>* roofs : {&memory, &work}) {
    for (const CounterRoof& roof : *roofs) {
      if (!roof.utilisation || roof.may_be_constants) continue;
      if (nearest == nullptr || *roof.utilisation > *nearest->utilisation) nearest = &roof;
    }
  }
  return nearest;
}

const CounterRoof* CounterRoofline::MainWork() const {
  const bool all_counted =
      std::ranges::all_of(work, [](const CounterRoof& roof) { return !roof.did_something() || roof.per_s; });
  const auto amount = [&](const CounterRoof& roof) {
    const double size = all_counted ? *roof.per_s : roof.utilisation.value_or(0);
    return std::pair(!roof.may_be_constants, size);
  };
  const CounterRoof* main = nullptr;
  for (const CounterRoof& roof : work) {
    if (roof.did_something() && (main == nullptr || amount(roof) > amount(*main))) main = &roof;
  }
  return main;
}

CounterRoofline MakeCounterRoofline(const CounterReport& report, const ProfiledKernel& kernel, const Given& given) {
  return RooflineMaker(report, kernel, given).Make();
}

}  // namespace warpsight
