#include <algorithm>

#include "formats/ncu_rep/report_messages.h"
#include "formats/ncu_rep/wire_reader.h"

namespace warpsight {
namespace {

HostInfo ReadHost(std::string_view message) {
  HostInfo host;
  for (WireReader reader(message); reader.Next();) {
    if (reader.field() == 1) host.system = reader.Text();
    if (reader.field() == 2) host.system_build = reader.Text();
    if (reader.field() == 3) host.processor = reader.Text();
    if (reader.field() == 4) host.architecture = reader.Text();
    if (reader.field() == 5) host.name = reader.Text();
  }
  return host;
}

std::pair<std::string_view, CounterValue> ReadAttribute(std::string_view message) {
  std::pair<std::string_view, CounterValue> attribute;
  for (WireReader reader(message); reader.Next();) {
    if (reader.field() == 1) attribute.first = reader.Text();
    if (reader.field() == 2) attribute.second = ReadValue(reader.Bytes());
  }
  return attribute;
}

CounterDevice ReadDevice(std::string_view message) {
  CounterDevice device;
  for (WireReader reader(message); reader.Next();) {
    if (reader.field() == 1) device.id = reader.Whole();
    if (reader.field() == 2) device.name = reader.Text();
    if (reader.field() == 3) device.attributes.push_back(ReadAttribute(reader.Bytes()));
  }
  return device;
}

std::pair<std::string_view, std::string_view> ReadVersion(std::string_view message) {
  std::pair<std::string_view, std::string_view> version;
  for (WireReader reader(message); reader.Next();) {
    if (reader.field() == 1) version.first = reader.Text();
    if (reader.field() == 2) version.second = reader.Text();
  }
  return version;
}

void ReadSessionPiece(std::string_view message, CounterReportParts& parts) {
  for (WireReader reader(message); reader.Next();) {
    if (reader.field() == 2) parts.session.created_unix_s = reader.Whole();
    if (reader.field() == 3) parts.session.host = ReadHost(reader.Bytes());
    if (reader.field() == 4) parts.session.target = ReadHost(reader.Bytes());
    if (reader.field() == 6) parts.devices.push_back(ReadDevice(reader.Bytes()));
    if (reader.field() == 8) parts.session.versions.push_back(ReadVersion(reader.Bytes()));
    if (reader.field() == 11) parts.session.command_line = reader.Text();
  }
}

void ReadStrings(std::string_view message, std::vector<std::string_view>& strings) {
  for (WireReader reader(message); reader.Next();) {
    if (reader.field() == 1) strings.push_back(reader.Bytes());
  }
}

CounterProcess ReadProcess(std::string_view message) {
  CounterProcess process;
  for (WireReader reader(message); reader.Next();) {
    if (reader.field() == 1) process.id = reader.Whole();
    if (reader.field() == 2) process.host = reader.Text();
    if (reader.field() == 3) process.executable = reader.Text();
  }
  return process;
}

}  // namespace

void ReadBlockHeader(std::string_view message, CounterReportParts& parts) {
  for (WireReader reader(message); reader.Next();) {
    if (reader.field() == 3) ReadSessionPiece(reader.Bytes(), parts);
    if (reader.field() == 4) ReadStrings(reader.Bytes(), parts.metric_names);
  }
  const std::optional<CounterProcess> process = ReadBlockProcess(message);
  // Every block repeats it.
  if (process && std::ranges::find(parts.processes, process->id, &CounterProcess::id) == parts.processes.end())
    parts.processes.push_back(*process);
}

std::optional<CounterProcess> ReadBlockProcess(std::string_view message) {
  for (WireReader reader(message); reader.Next();) {
    if (reader.field() == 6) return ReadProcess(reader.Bytes());
  }
  return std::nullopt;
}

}  // namespace warpsight
