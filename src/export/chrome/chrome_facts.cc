#include "export/chrome/chrome_facts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <nlohmann/json.hpp>

#include "export/chrome/json_texts.h"

namespace warpsight::chrome {
namespace {

// Readers look for the events near the beginning: what is more stands behind them.
constexpr size_t kMostBefore = size_t{4} << 20;

std::string Dump(const nlohmann::ordered_json& value) {
  return value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

// "key": value, with the value as it was read: a bare one stays bare.
std::string Member(std::string_view key, std::string_view value) {
  std::string member;
  AppendQuoted(member, key);
  member += ": ";
  if (IsBareJson(value)) {
    member += value;
  } else {
    AppendQuoted(member, value);
  }
  return member;
}

nlohmann::ordered_json DeviceJson(const Device& device) {
  nlohmann::ordered_json json = {{"id", device.id}};
  const auto add = [&](const char* key, int64_t value) {
    if (value >= 0) json[key] = value;
  };
  if (!device.name.empty()) json["name"] = device.name;
  add("totalGlobalMem", device.total_memory_bytes);
  add("computeMajor", device.compute_major);
  add("computeMinor", device.compute_minor);
  add("numSms", device.sm_count);
  return json;
}

std::vector<std::string> MadeMembers(const Trace& trace) {
  const RecordingInfo& info = trace.recording();
  std::vector<std::string> members;
  // By its older name, which does not say that PyTorch's profiler was the recorder.
  nlohmann::ordered_json devices = nlohmann::ordered_json::array();
  for (const Device& device : trace.devices()) devices.push_back(DeviceJson(device));
  if (!devices.empty()) members.push_back("\"computeProperties\": " + Dump(devices));
  if (info.rank >= 0 || info.world_size >= 0 || !info.backend.empty()) {
    const nlohmann::ordered_json ranks = {{"backend", info.backend}, {"rank", info.rank}, {"world_size", info.world_size}};
    members.push_back("\"distributedInfo\": " + Dump(ranks));
  }
  if (info.has_clock_base) members.push_back(fmt::format("\"baseTimeNanoseconds\": {}", info.clock_base_ns));
  if (!info.trace_name.empty()) members.push_back(Member("traceName", info.trace_name));
  members.push_back(Member("converted from", info.producer + (info.version.empty() ? "" : " (" + info.version + ")")));
  return members;
}

}  // namespace

bool IsFromChrome(const Trace& trace) {
  const std::string& producer = trace.recording().producer;
  return producer == "pytorch-profiler" || producer == "chrome-trace";
}

ChromeFrame FrameOf(const Trace& trace, ExportOutcome& outcome) {
  const auto& properties = trace.recording().properties;
  std::vector<std::string> members;
  if (!IsFromChrome(trace)) members = MadeMembers(trace);
  int64_t lost = 0;
  for (const auto& [key, value] : properties) {
    // It would be taken for the events.
    if (key == "traceEvents") {
      ++lost;
    } else {
      members.push_back(Member(key, value));
    }
  }
  outcome.Lose(lost, "facts under a name that the format has for its events");
  const auto is_unit = [](const auto& property) { return property.first == "displayTimeUnit"; };
  if (std::none_of(properties.begin(), properties.end(), is_unit)) members.emplace_back("\"displayTimeUnit\": \"ns\"");
  ChromeFrame frame;
  frame.before = "{\n";
  size_t at = 0;
  for (; at < members.size() && frame.before.size() + members[at].size() < kMostBefore; ++at) {
    frame.before += "  " + members[at] + ",\n";
  }
  frame.before += "  \"traceEvents\": [\n";
  frame.after = "\n  ]";
  for (; at < members.size(); ++at) frame.after += ",\n  " + members[at];
  frame.after += "\n}\n";
  return frame;
}

}  // namespace warpsight::chrome
