#include "capture/settings.h"

#include <charconv>
#include <cstdlib>

namespace warpsight::capture {
namespace {

template <typename Number>
void Take(std::string_view value, Number& number) {
  Number parsed = 0;
  const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), parsed);
  if (error == std::errc() && end == value.data() + value.size()) number = parsed;
}

void TakeFlag(std::string_view value, bool& flag) { flag = value == "1"; }

std::string RangeWord(CaptureRange range) {
  if (range == CaptureRange::kAll) return "all";
  return range == CaptureRange::kProfilerApi ? "profiler_api" : "program";
}

void TakeSetting(std::string_view key, std::string_view value, Settings& settings) {
  if (key == "cuda") return TakeFlag(value, settings.cuda);
  if (key == "nvtx") return TakeFlag(value, settings.nvtx);
  if (key == "cublas") return TakeFlag(value, settings.cublas);
  if (key == "cudnn") return TakeFlag(value, settings.cudnn);
  if (key == "nccl") return TakeFlag(value, settings.nccl);
  if (key == "osrt") return TakeFlag(value, settings.osrt);
  if (key == "osrt_threshold_ns") return Take(value, settings.osrt_threshold_ns);
  if (key == "from_start") return TakeFlag(value, settings.from_start);
  if (key == "armed") return TakeFlag(value, settings.armed);
  if (key == "whole_graphs") return TakeFlag(value, settings.whole_graphs);
  if (key == "max_bytes") return Take(value, settings.max_bytes);
  if (key == "ring_ns") return Take(value, settings.ring_ns);
  if (key == "delay_ns") return Take(value, settings.delay_ns);
  if (key == "duration_ns") return Take(value, settings.duration_ns);
  if (key == "range" && value == "profiler_api") settings.range = CaptureRange::kProfilerApi;
  if (key == "range" && value == "program") settings.range = CaptureRange::kProgram;
  if (key == "buffer_bytes") return Take(value, settings.buffer_bytes);
  if (key == "pool_buffers") return Take(value, settings.pool_buffers);
  if (key == "nvml_hz") return Take(value, settings.nvml_hz);
  if (key == "nvml") settings.nvml_path = value;
  if (key == "cupti") settings.cupti_path = value;
}

}  // namespace

Settings ParseSettings(std::string_view text) {
  Settings settings;
  while (!text.empty()) {
    const size_t equals = text.find('=');
    if (equals == std::string_view::npos) break;
    const std::string_view key = text.substr(0, equals);
    text.remove_prefix(equals + 1);
    if (key == "folder") {
      settings.folder = text;
      break;
    }
    const size_t end = text.find(';');
    TakeSetting(key, text.substr(0, end), settings);
    if (end == std::string_view::npos) break;
    text.remove_prefix(end + 1);
  }
  return settings;
}

std::string FormatSettings(const Settings& settings) {
  const auto number = [](const char* key, uint64_t value) { return std::string(key) + "=" + std::to_string(value) + ";"; };
  return number("cuda", settings.cuda) + number("nvtx", settings.nvtx) + number("cublas", settings.cublas) +
         number("cudnn", settings.cudnn) + number("nccl", settings.nccl) + number("osrt", settings.osrt) +
         number("osrt_threshold_ns", settings.osrt_threshold_ns) + number("from_start", settings.from_start) +
         number("armed", settings.armed) + number("whole_graphs", settings.whole_graphs) +
         number("max_bytes", settings.max_bytes) + number("ring_ns", settings.ring_ns) +
         number("delay_ns", settings.delay_ns) + number("duration_ns", settings.duration_ns) +
         "range=" + RangeWord(settings.range) + ";" + number("buffer_bytes", settings.buffer_bytes) +
         number("pool_buffers", settings.pool_buffers) + number("nvml_hz", settings.nvml_hz) +
         (settings.nvml_path.empty() ? "" : "nvml=" + settings.nvml_path + ";") +
         (settings.cupti_path.empty() ? "" : "cupti=" + settings.cupti_path + ";") + "folder=" + settings.folder;
}

Settings SettingsOfProcess() {
  const char* text = std::getenv(kSettingsVariable);
  return ParseSettings(text == nullptr ? "" : text);
}

}  // namespace warpsight::capture
