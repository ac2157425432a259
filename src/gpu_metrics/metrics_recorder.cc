#include "gpu_metrics/metrics_recorder.h"

#include <string.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <numeric>
#include <utility>

#include "capture/monotonic_clock.h"

namespace warpsight::gpu_metrics {
namespace {

constexpr uint64_t kLongestChunkNs = 1'000'000'000;

}  // namespace

std::string MetricsRecorder::StartDevice(uint32_t number) {
  auto sampler = std::make_unique<DeviceSampler>(pm_, number);
  if (std::string problem = sampler->Start(settings_.hz); !problem.empty())
    return "GPU metrics of device " + std::to_string(number) + " are not sampled: " + problem;
  for (const SampledMetric* metric : sampler->left_out()) {
    problems_.push_back("note: GPU metrics: device " + std::to_string(number) + " has no counter of '" +
                        std::string(metric->name) + "', or it does not fit with the others");
  }
  samplers_.push_back(std::move(sampler));
  return {};
}

std::string MetricsRecorder::Start() {
  pm_ = PmLibrary::Load(settings_.cupti_path);
  if (!pm_.loaded()) return "GPU metrics are not sampled: " + pm_.missing;
  int count = 0;
  if (pm_.DriverInit(0) != kSuccess || pm_.DeviceGetCount(&count) != kSuccess || count == 0)
    return "GPU metrics are not sampled: the driver has no GPU";
  auto initialize = Made<Initialize>();
  if (const int result = pm_.ProfilerInitialize(&initialize); result != kSuccess)
    return "GPU metrics are not sampled: " + pm_.ErrorText(result);
  std::vector<uint32_t> devices = settings_.devices;
  if (devices.empty()) {
    devices.resize(static_cast<size_t>(count));
    std::iota(devices.begin(), devices.end(), 0u);
  }
  std::string last;
  for (const uint32_t number : devices) {
    std::string problem = number < static_cast<uint32_t>(count) ? StartDevice(number)
                                                                : "GPU metrics of device " + std::to_string(number) +
                                                                      " are not sampled: there is no such device";
    if (problem.empty()) continue;
    problems_.push_back("problem: " + problem);
    last = std::move(problem);
  }
  if (samplers_.empty()) return last;
  file_ = std::make_unique<capture::ChunkFile>(0, static_cast<uint32_t>(capture::MonotonicNs() / 1'000'000),
                                               settings_.max_bytes, 0);
  if (!file_->Open(settings_.folder))
    return "GPU metrics are not sampled: their file can't be made (" + std::string(strerror(errno)) + ")";
  file_->Begin();
  encoder_.Begin(chunk_began_ns_ = capture::MonotonicNs());
  encoder_.Add(capture::ReadClocks());
  for (const auto& sampler : samplers_) AddDevice(static_cast<uint32_t>(sampler->device()));
  return {};
}

void MetricsRecorder::AddDevice(uint32_t number) {
  int device = 0;
  std::array<char, 256> name = {};
  wire::DeviceRecord record;
  record.id = number;
  if (pm_.DeviceGet(&device, static_cast<int>(number)) != kSuccess) return;
  if (pm_.DeviceGetName(name.data(), name.size() - 1, device) == kSuccess) record.name = name.data();
  pm_.DeviceGetUuid(record.uuid.data(), device);
  encoder_.Add(record);
}

void MetricsRecorder::TakeChunk() {
  file_->Write(encoder_, newest_ns_);
  chunk_began_ns_ = capture::MonotonicNs();
  encoder_.Begin(newest_ns_ == 0 ? chunk_began_ns_ : newest_ns_);
}

void MetricsRecorder::Collect() {
  const wire::ClockRecord clocks = capture::ReadClocks();
  const uint64_t ahead = clocks.realtime_ns - clocks.monotonic_ns;
  for (const auto& sampler : samplers_) {
    const auto device = static_cast<uint32_t>(sampler->device());
    const std::string problem = sampler->Collect([&](uint64_t end_ns, const SampledMetric& metric, double value) {
      const uint64_t time_ns = end_ns - ahead;
      encoder_.Add(wire::CounterRecord{metric.name, metric.unit, device, true, time_ns, std::bit_cast<int64_t>(value)});
      newest_ns_ = std::max(newest_ns_, time_ns);
      if (encoder_.full()) TakeChunk();
    });
    if (!problem.empty())
      problems_.push_back("problem: GPU metrics of device " + std::to_string(device) + " end here: " + problem);
  }
  if (!encoder_.empty() && capture::MonotonicNs() - chunk_began_ns_ >= kLongestChunkNs) TakeChunk();
}

void MetricsRecorder::Finish() {
  if (file_ == nullptr) return;
  Collect();
  uint64_t overflows = 0;
  for (const auto& sampler : samplers_) {
    sampler->Stop();
    overflows += sampler->overflows();
  }
  if (!encoder_.empty()) TakeChunk();
  encoder_.Begin(capture::MonotonicNs());
  encoder_.Add(capture::ReadClocks());
  for (const auto& sampler : samplers_) AddDevice(static_cast<uint32_t>(sampler->device()));
  if (overflows > 0) {
    problems_.push_back("problem: GPU metrics have gaps: the buffer of the hardware was full " + std::to_string(overflows) +
                        " times; a lower --gpu-metrics-frequency has none");
  }
  for (const std::string& problem : problems_) encoder_.Add(wire::CountRecord{problem, 1});
  encoder_.Add(wire::CountRecord{"records_kept", file_->kept().records});
  if (file_->refused().records > 0) encoder_.Add(wire::CountRecord{"dropped_no_room", file_->refused().records});
  encoder_.AddFinish();
  file_->Finish(encoder_);
  file_.reset();
}

}  // namespace warpsight::gpu_metrics
