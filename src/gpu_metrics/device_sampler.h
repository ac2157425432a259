// DeviceSampler: PM sampling of one GPU: hardware counters of the whole device, at a fixed interval, whoever uses it.
//
// Place in the flow: CUPTI's hardware buffer -> Collect -> metrics_recorder. No context is made on the device and nothing is
// launched. A hardware buffer that ran full loses what came after: sampling is begun again, and the gap counted. Units: ns
// on CLOCK_REALTIME, as CUPTI gives them; values as metric_list.h says. Errors: in words. Threads: one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "gpu_metrics/metric_list.h"
#include "gpu_metrics/pm_library.h"

namespace warpsight::gpu_metrics {

class DeviceSampler {
 public:
  DeviceSampler(const PmLibrary& pm, size_t device) : pm_(&pm), device_(device) {}
  ~DeviceSampler();
  DeviceSampler(const DeviceSampler&) = delete;
  DeviceSampler& operator=(const DeviceSampler&) = delete;

  // Chooses the metrics and begins. Empty, or why it can't.
  std::string Start(uint32_t hz);
  // `take(end_ns, metric, value)` for every value of every sample since the last time. Empty, or what has failed for good.
  using Take = std::function<void(uint64_t end_ns, const SampledMetric& metric, double value)>;
  std::string Collect(const Take& take);
  // What the hardware still holds is lost to Collect from here on.
  void Stop();

  size_t device() const { return device_; }
  // The metrics that this device does not have, or that did not fit.
  const std::vector<const SampledMetric*>& left_out() const { return left_out_; }
  uint64_t overflows() const { return overflows_; }

 private:
  // A host object that evaluates these metrics; CUPTI's result, and null where they are not all known.
  int MakeHost(const std::vector<const char*>& metrics, void*& host) const;
  void FreeHost(void* host) const;
  std::string ChooseMetrics();
  bool FitsOnePass(const std::vector<const char*>& metrics, std::vector<uint8_t>& config) const;
  std::string PrepareData(uint32_t hz);
  int ResetData();
  // The samples that are decoded; how many.
  size_t TakeDecoded(const Take& take);
  int Begin();

  const PmLibrary* pm_;
  size_t device_;
  const char* chip_ = nullptr;
  std::vector<uint8_t> availability_;
  std::vector<const SampledMetric*> chosen_;
  std::vector<const char*> metrics_;  // their names to CUPTI
  std::vector<const SampledMetric*> left_out_;
  std::vector<uint8_t> config_;
  void* host_ = nullptr;
  void* sampling_ = nullptr;
  std::vector<uint8_t> data_;
  std::vector<double> values_;
  bool running_ = false;
  bool first_sample_ = true;  // its interval began before we did
  uint64_t overflows_ = 0;
};

}  // namespace warpsight::gpu_metrics
