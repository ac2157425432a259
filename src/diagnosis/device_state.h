// DeviceState: how the judged device stood while its steps ran: clocks, power, temperature, and why it was not faster.
//
// From the samples between the start of the first step and the end of the last (the window, without steps). A GPU that has
// nothing to do lowers its clock: samples that NVML marks as idle are left aside. Place in the flow: counters of the trace
// -> this -> the rule `clocks`, the report. Units: MHz, mW, degrees C as recorded. Errors: kLacks when no clock was sampled
// there. One thread drives the Analysis.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "analysis/pass.h"
#include "document/document.h"

namespace warpsight {

// The values of one counter in the window.
struct SampledValues {
  int64_t samples = 0;
  double least = 0;
  double mean = 0;
  double largest = 0;
};

struct ThrottleShare {
  std::string_view words;  // "power limit"
  bool is_fault = false;
  double sample_share = 0;
};

struct DeviceState {
  int32_t device = 0;
  SampledValues sm_clock_mhz;  // of the working GPU, where reasons tell when it was idle
  int64_t idle_samples = 0;    // left aside
  std::optional<double> sm_clock_limit_mhz;
  std::optional<SampledValues> power_mw;
  std::optional<double> power_limit_mw;
  std::optional<SampledValues> temperature_c;
  bool has_reasons = false;
  std::vector<ThrottleShare> reasons;  // of the working GPU, those that occurred, the largest first
  double fault_share = 0;              // samples with any reason that is a fault

  // Absent when the limit is not known.
  std::optional<double> ClockShare() const {
    return sm_clock_limit_mhz ? std::optional(sm_clock_mhz.mean / *sm_clock_limit_mhz) : std::nullopt;
  }
};

struct DeviceStatePass {
  using Output = DeviceState;
  static constexpr std::string_view kName = "device_state";
  static constexpr Needs kNeeds = Needs::kNothing;
  static Result<Output> Run(Analysis& analysis);
};

// "SM clock: 1,523 MHz on average ...": a sentence a line, shared by the finding and the report.
std::vector<std::string> DeviceStateLines(const DeviceState& state);

// A section of the report where there are samples; the JSON key `device_state` always.
void AddDeviceState(Analysis& analysis, Document& report);

}  // namespace warpsight
