#include "capture/settings.h"

#include <algorithm>
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
  if (range == CaptureRange::kNvtx) return "nvtx";
  return range == CaptureRange::kProfilerApi ? "profiler_api" : "program";
}

std::string Escaped(std::string_view text) {
  std::string escaped;
  for (const char c : text) {
    if (c == ';') {
      escaped += "%3B";
    } else if (c == '%') {
      escaped += "%25";
    } else {
      escaped += c;
    }
  }
  return escaped;
}

std::string Unescaped(std::string_view text) {
  std::string plain;
  while (!text.empty()) {
    const bool escape = text.starts_with("%3B") || text.starts_with("%25");
    plain += escape ? (text[1] == '3' ? ';' : '%') : text.front();
    text.remove_prefix(escape ? 3 : 1);
  }
  return plain;
}

// "key=text;", nothing for no text.
std::string TextSetting(std::string_view key, std::string_view text) {
  return text.empty() ? std::string() : std::string(key) + "=" + Escaped(text) + ";";
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
  if (key == "cuda_events") return TakeFlag(value, settings.cuda_events);
  if (key == "max_bytes") return Take(value, settings.max_bytes);
  if (key == "ring_ns") return Take(value, settings.ring_ns);
  if (key == "delay_ns") return Take(value, settings.delay_ns);
  if (key == "duration_ns") return Take(value, settings.duration_ns);
  if (key == "range" && value == "profiler_api") settings.range = CaptureRange::kProfilerApi;
  if (key == "range" && value == "program") settings.range = CaptureRange::kProgram;
  if (key == "range" && value == "nvtx") settings.range = CaptureRange::kNvtx;
  if (key == "nvtx_range") settings.nvtx_range = Unescaped(value);
  if (key == "most_windows") return Take(value, settings.most_windows);
  if (key == "open_end") return TakeFlag(value, settings.open_end);
  if (key == "steps") return Take(value, settings.steps);
  if (key == "step_range") settings.step_range = Unescaped(value);
  if (key == "buffer_bytes") return Take(value, settings.buffer_bytes);
  if (key == "pool_buffers") return Take(value, settings.pool_buffers);
  if (key == "nvml_hz") return Take(value, settings.nvml_hz);
  if (key == "sample_hz") return Take(value, settings.sample_hz);
  if (key == "python_sampling") return TakeFlag(value, settings.python_sampling);
  if (key == "sample_stacks") return Take(value, settings.sample_stacks);
  if (key == "thread_switches") return TakeFlag(value, settings.thread_switches);
  if (key == "switch_pages") return Take(value, settings.switch_pages);
  if (key == "nvml") settings.nvml_path = Unescaped(value);
  if (key == "cupti") settings.cupti_path = Unescaped(value);
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
         number("cuda_events", settings.cuda_events) + number("max_bytes", settings.max_bytes) +
         number("ring_ns", settings.ring_ns) + number("delay_ns", settings.delay_ns) +
         number("duration_ns", settings.duration_ns) + "range=" + RangeWord(settings.range) + ";" +
         TextSetting("nvtx_range", settings.nvtx_range) + number("most_windows", settings.most_windows) +
         number("open_end", settings.open_end) + number("steps", settings.steps) +
         TextSetting("step_range", settings.step_range) + number("buffer_bytes", settings.buffer_bytes) +
         number("pool_buffers", settings.pool_buffers) + number("nvml_hz", settings.nvml_hz) +
         TextSetting("nvml", settings.nvml_path) + number("sample_hz", settings.sample_hz) +
         number("python_sampling", settings.python_sampling) + number("sample_stacks", settings.sample_stacks) +
         number("thread_switches", settings.thread_switches) + number("switch_pages", settings.switch_pages) +
         TextSetting("cupti", settings.cupti_path) + "folder=" + settings.folder;
}

TriggerAnswer ParseAnswer(std::string_view text) {
  TriggerAnswer answer;
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(';'));
    text.remove_prefix(std::min(one.size() + 1, text.size()));
    if (one.starts_with("steps=")) Take(one.substr(6), answer.steps);
    if (one.starts_with("step=")) answer.step = Unescaped(one.substr(5));
    if (one.starts_with("seen=")) answer.seen = Unescaped(one.substr(5));
  }
  return answer;
}

std::string FormatAnswer(const TriggerAnswer& answer) {
  return "steps=" + std::to_string(answer.steps) + ";" + TextSetting("step", answer.step) + TextSetting("seen", answer.seen);
}

Settings SettingsOfProcess() {
  const char* text = std::getenv(kSettingsVariable);
  return ParseSettings(text == nullptr ? "" : text);
}

}  // namespace warpsight::capture
