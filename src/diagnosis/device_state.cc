#include "diagnosis/device_state.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <string>
#include <utility>

#include "analysis/recorder_advice.h"
#include "analysis/thresholds.h"
#include "base/gpu_counter_names.h"
#include "diagnosis/step_frame.h"
#include "document/absent.h"
#include "document/units.h"

namespace warpsight {
namespace {

using nlohmann::ordered_json;

// The samples of one process of one device: several processes may have sampled the same device.
struct ProcessSamples {
  std::array<const CounterSeries*, kGpuCounters> series = {};
  double clock_scale = 1;  // of the SM clock, to MHz
  const CounterSeries* of(GpuCounter counter) const { return series[static_cast<size_t>(counter)]; }
};

std::vector<ProcessSamples> SamplesOf(const Trace& trace, int32_t device) {
  std::vector<std::pair<StringId, ProcessSamples>> found;
  for (const CounterSeries& series : trace.counters()) {
    if (series.device != device) continue;
    for (size_t i = 0; i < kGpuCounters; ++i) {
      if (trace.Text(series.name) != kGpuCounterNames[i].name || trace.Text(series.unit) != kGpuCounterNames[i].unit)
        continue;
      auto at = std::ranges::find(found, series.process, &std::pair<StringId, ProcessSamples>::first);
      if (at == found.end()) at = found.insert(found.end(), {series.process, {}});
      at->second.series[i] = &series;
    }
  }
  std::vector<ProcessSamples> samples;
  samples.reserve(found.size() + 1);
  for (const auto& [process, one] : found) samples.push_back(one);
  // nsys samples the clock that the SMs share with their GPC.
  for (const CounterSeries& series : trace.counters()) {
    if (series.device != device || trace.Text(series.name) != "GPC Clock Frequency") continue;
    ProcessSamples& one = samples.emplace_back();
    one.series[static_cast<size_t>(GpuCounter::kSmClock)] = &series;
    if (trace.Text(series.unit) == "Hz") one.clock_scale = 1e-6;
  }
  return samples;
}

// Adds up values; the mean is made at the end.
class ValueSum {
 public:
  void Add(double value) {
    values_.least = values_.samples == 0 ? value : std::min(values_.least, value);
    values_.largest = values_.samples == 0 ? value : std::max(values_.largest, value);
    ++values_.samples;
    sum_ += value;
  }
  SampledValues values() const {
    SampledValues values = values_;
    if (values.samples > 0) values.mean = sum_ / static_cast<double>(values.samples);
    return values;
  }
  std::optional<SampledValues> optional() const { return values_.samples == 0 ? std::nullopt : std::optional(values()); }

 private:
  SampledValues values_;
  double sum_ = 0;
};

class StateReader {
 public:
  StateReader(const Trace& trace, Interval window) : trace_(trace), window_(window) {}

  DeviceState Read(int32_t device) {
    ValueSum power;
    ValueSum temperature;
    state_.device = device;
    for (const ProcessSamples& samples : SamplesOf(trace_, device)) {
      ReadReasons(samples);
      ReadClock(samples);
      for (const auto& [counter, sum] : {std::pair{GpuCounter::kPower, &power}, {GpuCounter::kTemperature, &temperature}})
        ForEach(samples.of(counter), [to = sum](Ns, double value) { to->Add(value); });
      for (const auto& [counter, limit] : {std::pair{GpuCounter::kSmClockMax, &state_.sm_clock_limit_mhz},
                                           {GpuCounter::kPowerLimit, &state_.power_limit_mw}})
        ReadLimit(samples.of(counter), *limit);
    }
    state_.sm_clock_mhz = clock_.values();
    state_.power_mw = power.optional();
    state_.temperature_c = temperature.optional();
    MakeShares();
    return std::move(state_);
  }

 private:
  // Calls `visit(time, value)` for the samples in the window.
  template <typename Visit>
  void ForEach(const CounterSeries* series, const Visit& visit) const {
    if (series == nullptr) return;
    const CounterSamples& samples = trace_.counter_samples();
    const auto begin = samples.time_ns.begin();
    const auto first = std::lower_bound(begin + series->first, begin + series->end, window_.start);
    for (auto row = static_cast<uint32_t>(first - begin); row < series->end && samples.time_ns[row] < window_.end; ++row)
      visit(samples.time_ns[row], samples.Double(*series, row));
  }

  void ReadReasons(const ProcessSamples& samples) {
    idle_times_.clear();
    ForEach(samples.of(GpuCounter::kThrottleReasons), [&](Ns time, double value) {
      // Of a damaged file any number; the bits that are known lie far below.
      constexpr double kMostBits = 1ull << 52;
      const auto bits = static_cast<uint64_t>(std::clamp(value, 0.0, kMostBits));
      state_.has_reasons = true;
      if ((bits & kThrottleIdle) != 0) {
        idle_times_.push_back(time);
        return;
      }
      ++judged_;
      bool fault = false;
      for (size_t i = 0; i < kThrottleReasons.size(); ++i) {
        if ((bits & kThrottleReasons[i].bit) == 0) continue;
        ++counts_[i];
        fault |= kThrottleReasons[i].is_fault;
      }
      faults_ += fault ? 1 : 0;
    });
  }

  // The counters of one turn have one time.
  void ReadClock(const ProcessSamples& samples) {
    ForEach(samples.of(GpuCounter::kSmClock), [&](Ns time, double value) {
      if (std::binary_search(idle_times_.begin(), idle_times_.end(), time)) {
        ++state_.idle_samples;
      } else {
        clock_.Add(value * samples.clock_scale);
      }
    });
  }

  // Limits are sampled rarely: the last one before the end of the window counts, or the first after it.
  void ReadLimit(const CounterSeries* series, std::optional<double>& limit) const {
    if (series == nullptr) return;
    const CounterSamples& samples = trace_.counter_samples();
    const auto begin = samples.time_ns.begin();
    const auto after = std::lower_bound(begin + series->first, begin + series->end, window_.end);
    const auto row = static_cast<uint32_t>(after - begin);
    const double value = samples.Double(*series, row == series->first ? row : row - 1);
    if (value > 0) limit = std::max(limit.value_or(0), value);
  }

  void MakeShares() {
    if (judged_ == 0) return;
    const auto share = [this](int64_t count) { return static_cast<double>(count) / static_cast<double>(judged_); };
    state_.fault_share = share(faults_);
    for (size_t i = 0; i < kThrottleReasons.size(); ++i) {
      if (counts_[i] > 0)
        state_.reasons.push_back({kThrottleReasons[i].words, kThrottleReasons[i].is_fault, share(counts_[i])});
    }
    std::ranges::stable_sort(state_.reasons, std::greater(), &ThrottleShare::sample_share);
  }

  const Trace& trace_;
  Interval window_;
  DeviceState state_;
  ValueSum clock_;
  std::vector<Ns> idle_times_;  // of the process at hand
  std::array<int64_t, kThrottleReasons.size()> counts_ = {};
  int64_t judged_ = 0;
  int64_t faults_ = 0;
};

std::string NoClocks(const Trace& trace) {
  if (RecorderOf(trace.recording()) != Recorder::kWarpsight)
    return "the recording has no GPU clocks: watch them with nvidia-smi -q -d CLOCK,PERFORMANCE while the program runs";
  return trace.counters().empty()
             ? "the recording has no GPU clocks (warpsight record samples them with --nvml-frequency; lint says when NVML "
               "was not there)"
             : "too few samples of GPU clocks lie in the steps: record longer, or with a higher --nvml-frequency";
}

std::string Watts(double milliwatts) { return FormatNumber(milliwatts / 1000) + " W"; }

ordered_json ValuesJson(const SampledValues& values) {
  return {{"samples", values.samples}, {"min", values.least}, {"mean", values.mean}, {"max", values.largest}};
}

ordered_json StateJson(const DeviceState& state) {
  ordered_json reasons = ordered_json::array();
  for (const ThrottleShare& reason : state.reasons)
    reasons.push_back({{"reason", reason.words}, {"sample_share", reason.sample_share}});
  return {{"device", state.device},
          {"sm_clock_mhz", ValuesJson(state.sm_clock_mhz)},
          {"idle_samples", state.idle_samples},
          {"sm_clock_limit_mhz", OrNull(state.sm_clock_limit_mhz)},
          {"power_mw", state.power_mw ? ValuesJson(*state.power_mw) : ordered_json()},
          {"power_limit_mw", OrNull(state.power_limit_mw)},
          {"temperature_c", state.temperature_c ? ValuesJson(*state.temperature_c) : ordered_json()},
          {"throttle_reasons", state.has_reasons ? std::move(reasons) : ordered_json()}};
}

}  // namespace

Result<DeviceState> DeviceStatePass::Run(Analysis& analysis) {
  const Trace& trace = analysis.trace();
  if (trace.counters().empty()) return LacksError(NoClocks(trace));
  const Result<FrameWindows>& frame = analysis.Get<FrameWindowsPass>();
  if (!frame.ok()) return frame.status();
  if (frame->windows.empty()) return LacksError(NoClocks(trace));
  const Interval window{frame->windows.front().start, frame->windows.back().end};
  DeviceState state = StateReader(trace, window).Read(frame->device);
  if (state.sm_clock_mhz.samples < ThresholdCount("clocks_least_samples")) return LacksError(NoClocks(trace));
  return state;
}

std::vector<std::string> DeviceStateLines(const DeviceState& state) {
  const SampledValues& clock = state.sm_clock_mhz;
  std::string first = fmt::format("SM clock: {} MHz on average ({} to {})", FormatNumber(clock.mean),
                                  FormatNumber(clock.least), FormatNumber(clock.largest));
  if (const std::optional<double> share = state.ClockShare())
    first +=
        fmt::format(", {} of the {} MHz that it can run at", FormatShare(*share), FormatNumber(*state.sm_clock_limit_mhz));
  first += fmt::format("; samples{}: {}", state.has_reasons ? " of the working GPU" : "", FormatCount(clock.samples));
  if (state.idle_samples > 0) first += fmt::format(", of the idle GPU, left aside: {}", FormatCount(state.idle_samples));
  std::vector<std::string> lines = {std::move(first)};
  for (const ThrottleShare& reason : state.reasons)
    lines.push_back(fmt::format("held back by {} in {} of the samples", reason.words, FormatShare(reason.sample_share)));
  if (state.has_reasons && state.reasons.empty()) lines.emplace_back("nothing held the clock back in any sample");
  if (state.power_mw) {
    std::string power =
        fmt::format("power: {} on average, up to {}", Watts(state.power_mw->mean), Watts(state.power_mw->largest));
    if (state.power_limit_mw) power += fmt::format(", of {} allowed", Watts(*state.power_limit_mw));
    lines.push_back(std::move(power));
  }
  if (state.temperature_c)
    lines.push_back(fmt::format("temperature: up to {} C", FormatNumber(state.temperature_c->largest)));
  return lines;
}

void AddDeviceState(Analysis& analysis, Document& report) {
  const Result<DeviceState>& state = analysis.Get<DeviceStatePass>();
  report.data["device_state"] = state.ok() ? StateJson(*state) : ordered_json();
  if (!state.ok()) return;
  report.blocks.push_back(Heading{"GPU clocks and power"});
  for (std::string& line : DeviceStateLines(*state)) report.blocks.push_back(Paragraph{std::move(line)});
}

}  // namespace warpsight
