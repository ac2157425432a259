#include "gpu_metrics/device_sampler.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace warpsight::gpu_metrics {
namespace {

constexpr size_t kHardwareBufferBytes = size_t{256} << 20;
constexpr uint64_t kNsPerSecond = 1'000'000'000;
// A counter data image has tens of KB a sample: room for the samples of a few rounds.
constexpr uint32_t kFewestSamples = 64;
constexpr uint32_t kMostSamples = 1024;

}  // namespace

DeviceSampler::~DeviceSampler() {
  Stop();
  if (sampling_ != nullptr) {
    auto disable = Made<OfSampling>();
    disable.sampling = sampling_;
    pm_->SamplingDisable(&disable);
  }
  if (host_ != nullptr) FreeHost(host_);
}

int DeviceSampler::MakeHost(const std::vector<const char*>& metrics, void*& host) const {
  auto initialize = Made<HostInitialize>();
  initialize.type = kPmSamplingProfiler;
  initialize.chip = chip_;
  initialize.availability = availability_.data();
  int result = pm_->HostInitializeObject(&initialize);
  if (result != kSuccess) return result;
  std::vector<const char*> names = metrics;
  auto add = Made<AddMetrics>();
  add.host = initialize.host;
  add.metrics = names.data();
  add.count = names.size();
  result = pm_->HostAddMetrics(&add);
  if (result == kSuccess) {
    host = initialize.host;
  } else {
    FreeHost(initialize.host);
  }
  return result;
}

void DeviceSampler::FreeHost(void* host) const {
  auto deinitialize = Made<HostDeinitialize>();
  deinitialize.host = host;
  pm_->HostDeinitializeObject(&deinitialize);
}

bool DeviceSampler::FitsOnePass(const std::vector<const char*>& metrics, std::vector<uint8_t>& config) const {
  void* host = nullptr;
  if (MakeHost(metrics, host) != kSuccess) return false;
  auto size = Made<GetConfigSize>();
  size.host = host;
  auto get = Made<GetConfig>();
  get.host = host;
  auto passes = Made<GetPasses>();
  bool fits = pm_->HostGetConfigSize(&size) == kSuccess;
  if (fits) {
    std::vector<uint8_t> image(size.bytes);
    get.bytes = passes.bytes = image.size();
    get.config = passes.config = image.data();
    fits = pm_->HostGetConfig(&get) == kSuccess && pm_->HostGetPasses(&passes) == kSuccess && passes.passes == 1;
    if (fits) config = std::move(image);
  }
  FreeHost(host);
  return fits;
}

std::string DeviceSampler::ChooseMetrics() {
  for (const SampledMetric& metric : kSampledMetrics) {
    bool fits = false;
    for (const char* name : metric.metrics) {
      if (name == nullptr || fits) break;
      metrics_.push_back(name);
      fits = FitsOnePass(metrics_, config_);
      if (!fits) metrics_.pop_back();
    }
    if (fits) {
      chosen_.push_back(&metric);
    } else {
      left_out_.push_back(&metric);
    }
  }
  values_.resize(metrics_.size());
  return metrics_.empty() ? "it has none of the counters that are sampled" : "";
}

std::string DeviceSampler::PrepareData(uint32_t hz) {
  auto size = Made<GetDataSize>();
  size.sampling = sampling_;
  size.metrics = metrics_.data();
  size.count = metrics_.size();
  size.most_samples = std::clamp(hz / 4, kFewestSamples, kMostSamples);
  if (const int result = pm_->SamplingGetDataSize(&size); result != kSuccess) return pm_->ErrorText(result);
  data_.resize(size.bytes);
  const int result = ResetData();
  return result == kSuccess ? "" : pm_->ErrorText(result);
}

int DeviceSampler::ResetData() {
  auto initialize = Made<InitializeData>();
  initialize.sampling = sampling_;
  initialize.bytes = data_.size();
  initialize.data = data_.data();
  return pm_->DataInitialize(&initialize);
}

int DeviceSampler::Begin() {
  auto start = Made<OfSampling>();
  start.sampling = sampling_;
  const int result = pm_->SamplingStart(&start);
  running_ = result == kSuccess;
  first_sample_ = true;
  return result;
}

std::string DeviceSampler::Start(uint32_t hz) {
  auto chip = Made<GetChipName>();
  chip.device = device_;
  if (const int result = pm_->DeviceGetChipName(&chip); result != kSuccess) return pm_->ErrorText(result);
  chip_ = chip.name;
  auto available = Made<GetCounterAvailability>();
  available.device = device_;
  if (const int result = pm_->GetAvailability(&available); result != kSuccess) return pm_->ErrorText(result);
  availability_.resize(available.image_bytes);
  available.image = availability_.data();
  if (const int result = pm_->GetAvailability(&available); result != kSuccess) return pm_->ErrorText(result);
  if (std::string problem = ChooseMetrics(); !problem.empty()) return problem;
  if (const int result = MakeHost(metrics_, host_); result != kSuccess) return pm_->ErrorText(result);
  auto enable = Made<Enable>();
  enable.device = device_;
  if (const int result = pm_->SamplingEnable(&enable); result != kSuccess) return pm_->ErrorText(result);
  sampling_ = enable.sampling;
  auto config = Made<SetConfig>();
  config.sampling = sampling_;
  config.config_bytes = config_.size();
  config.config = config_.data();
  config.hardware_buffer_bytes = kHardwareBufferBytes;
  config.interval = kNsPerSecond / hz;
  config.trigger = kEveryNs;
  if (const int result = pm_->SamplingSetConfig(&config); result != kSuccess)
    return "it can't be sampled at a fixed interval (" + pm_->ErrorText(result) + "): GPUs since GA10x can";
  if (std::string problem = PrepareData(hz); !problem.empty()) return problem;
  const int result = Begin();
  return result == kSuccess ? "" : pm_->ErrorText(result);
}

void DeviceSampler::Stop() {
  if (!running_) return;
  running_ = false;
  auto stop = Made<OfSampling>();
  stop.sampling = sampling_;
  pm_->SamplingStop(&stop);
}

size_t DeviceSampler::TakeDecoded(const Take& take) {
  auto info = Made<GetDataInfo>();
  info.data = data_.data();
  info.bytes = data_.size();
  if (pm_->DataGetInfo(&info) != kSuccess) return 0;
  for (size_t sample = 0; sample < info.completed; ++sample) {
    auto when = Made<GetSampleInfo>();
    when.sampling = sampling_;
    when.data = data_.data();
    when.bytes = data_.size();
    when.sample = sample;
    auto evaluate = Made<Evaluate>();
    evaluate.host = host_;
    evaluate.data = data_.data();
    evaluate.data_bytes = data_.size();
    evaluate.sample = sample;
    evaluate.metrics = metrics_.data();
    evaluate.count = metrics_.size();
    evaluate.values = values_.data();
    if (pm_->DataGetSample(&when) != kSuccess || pm_->HostEvaluate(&evaluate) != kSuccess) continue;
    if (std::exchange(first_sample_, false) || when.end_ns <= when.start_ns) continue;
    const double seconds = static_cast<double>(when.end_ns - when.start_ns) / 1e9;
    for (size_t i = 0; i < chosen_.size(); ++i) {
      double value = values_[i];
      if (chosen_[i]->scale == Scale::kPerSecond) value /= seconds;
      if (chosen_[i]->scale == Scale::kMillionth) value /= 1e6;
      if (std::isfinite(value)) take(when.end_ns, *chosen_[i], value);
    }
  }
  return info.completed;
}

std::string DeviceSampler::Collect(const Take& take) {
  if (!running_) return {};
  for (bool more = true; more;) {
    auto decode = Made<Decode>();
    decode.sampling = sampling_;
    decode.data = data_.data();
    decode.bytes = data_.size();
    const int result = pm_->SamplingDecode(&decode);
    if (result != kSuccess && result != kOutOfMemory) {
      Stop();
      return pm_->ErrorText(result);
    }
    const size_t taken = result == kSuccess ? TakeDecoded(take) : 0;
    more = result == kSuccess && decode.stopped_at == kStoppedAtFullData && taken > 0;
    ResetData();
    if (result != kOutOfMemory && decode.overflow == 0) continue;
    ++overflows_;
    Stop();
    if (const int again = Begin(); again != kSuccess) return pm_->ErrorText(again);
    more = false;
  }
  return {};
}

}  // namespace warpsight::gpu_metrics
