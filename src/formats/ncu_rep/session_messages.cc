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

CounterDevice ReadDevice(std::string_view message, ReadingBudget& budget) {
  CounterDevice device;
  for (WireReader reader(message); reader.Next();) {
    if (reader.field() == 1) device.id = reader.Whole();
    if (reader.field() == 2) device.name = reader.Text();
    if (reader.field() == 3) budget.Append(device.attributes, ReadAttribute(reader.Bytes()));
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

void ReadSessionPiece(std::string_view message, CounterReportParts& parts, ReadingBudget& budget) {
  for (WireReader reader(message); reader.Next();) {
    if (reader.field() == 2) parts.session.created_unix_s = reader.Whole();
    if (reader.field() == 3) parts.session.host = ReadHost(reader.Bytes());
    if (reader.field() == 4) parts.session.target = ReadHost(reader.Bytes());
    if (reader.field() == 6) budget.Append(parts.devices, ReadDevice(reader.Bytes(), budget));
    if (reader.field() == 8) budget.Append(parts.session.versions, ReadVersion(reader.Bytes()));
    if (reader.field() == 11) parts.session.command_line = reader.Text();
  }
}

void ReadStrings(std::string_view message, std::vector<std::string_view>& strings, ReadingBudget& budget) {
  for (WireReader reader(message); reader.Next();) {
    if (reader.field() == 1) budget.Append(strings, reader.Bytes());
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

std::optional<CounterProcess> ReadBlockHeader(std::string_view message, CounterReportParts& parts, ReadingBudget& budget) {
  std::optional<CounterProcess> process;
  for (WireReader reader(message); reader.Next();) {
    if (reader.field() == 3) ReadSessionPiece(reader.Bytes(), parts, budget);
    if (reader.field() == 4) ReadStrings(reader.Bytes(), parts.metric_names, budget);
    if (reader.field() == 6 && !process) process = ReadProcess(reader.Bytes());
  }
  return process;
}

}  // namespace warpsight
