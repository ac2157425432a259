#include "formats/ncu_rep/report_messages.h"
#include "formats/ncu_rep/wire_reader.h"

namespace warpsight {
namespace {

Extent ReadExtent(std::string_view message) {
  Extent extent{};
  for (WireReader reader(message); reader.Next();) {
    if (reader.field() >= 1 && reader.field() <= 3) extent[reader.field() - 1] = reader.Whole();
  }
  return extent;
}

void ReadInstance(std::string_view message, ProfiledKernel& kernel) {
  MetricInstance instance;
  for (WireReader reader(message); reader.Next();) {
    if (reader.field() == 1) instance.key = ReadValue(reader.Bytes());
    if (reader.field() == 2) instance.value = ReadValue(reader.Bytes());
  }
  // Empty ones would cost memory and say nothing.
  if (!IsAbsent(instance.key) || !IsAbsent(instance.value)) kernel.instances.push_back(instance);
}

// Whether its name is in the table.
bool ReadMetric(std::string_view message, size_t name_count, ProfiledKernel& kernel) {
  Metric metric;
  metric.first_instance = static_cast<uint32_t>(kernel.instances.size());
  uint64_t name = 0;  // the first text of the table is not written
  for (WireReader reader(message); reader.Next();) {
    if (reader.field() == 1) name = reader.Whole();
    if (reader.field() == 2) metric.value = ReadValue(reader.Bytes());
    if (reader.field() == 3) ReadInstance(reader.Bytes(), kernel);
    if (reader.field() == 4) metric.is_time_series = reader.Whole() != 0;
  }
  if (name >= name_count) {
    kernel.instances.resize(metric.first_instance);
    return false;
  }
  metric.name = static_cast<uint32_t>(name);
  metric.instance_count = static_cast<uint32_t>(kernel.instances.size()) - metric.first_instance;
  kernel.metrics.push_back(metric);
  return true;
}

struct DomainName {
  uint64_t id;
  std::string_view name;
};

OpenRanges ReadOpenRanges(std::string_view message, uint64_t& domain) {
  OpenRanges open;
  for (WireReader reader(message); reader.Next();) {
    if (reader.field() == 1) domain = reader.Whole();
    if (reader.field() != 3) continue;
    for (WireReader range(reader.Bytes()); range.Next();) {
      if (range.field() == 1) open.names.push_back(range.Text());
    }
  }
  return open;
}

void ReadRanges(std::string_view message, ProfiledKernel& kernel) {
  std::vector<DomainName> domains;
  std::vector<uint64_t> domain_of;  // one a row of kernel.ranges
  for (WireReader reader(message); reader.Next();) {
    if (reader.field() == 1) {
      DomainName domain{};
      for (WireReader fields(reader.Bytes()); fields.Next();) {
        if (fields.field() == 1) domain.id = fields.Whole();
        if (fields.field() == 2) domain.name = fields.Text();
      }
      domains.push_back(domain);
    }
    if (reader.field() == 2) {
      uint64_t thread = 0;
      for (WireReader fields(reader.Bytes()); fields.Next();) {
        if (fields.field() == 1) thread = fields.Whole();
        if (fields.field() != 2) continue;
        uint64_t domain = 0;
        OpenRanges open = ReadOpenRanges(fields.Bytes(), domain);
        if (open.names.empty()) continue;
        open.thread = thread;
        kernel.ranges.push_back(std::move(open));
        domain_of.push_back(domain);
      }
    }
  }
  for (size_t i = 0; i < domain_of.size(); ++i) {
    for (const DomainName& domain : domains) {
      if (domain.id == domain_of[i]) kernel.ranges[i].domain = domain.name;
    }
  }
}

void ReadHostStack(std::string_view message, std::vector<HostFrame>& stack) {
  for (WireReader reader(message); reader.Next();) {
    if (reader.field() != 1) continue;
    HostFrame frame;
    for (WireReader fields(reader.Bytes()); fields.Next();) {
      if (fields.field() == 1) frame.module = fields.Text();
      if (fields.field() == 2) frame.address = fields.Whole();
      if (fields.field() == 4) frame.symbol = fields.Text();
    }
    stack.push_back(frame);
  }
}

uint64_t ReadModuleId(std::string_view message) {
  uint64_t id = 0;
  for (WireReader reader(message); reader.Next();) {
    if (reader.field() == 1) id = reader.Whole();
  }
  return id;
}

// What the launch was; false for any other field.
bool ReadLaunchField(WireReader& reader, ProfiledKernel& kernel) {
  switch (reader.field()) {
    case 1:
      kernel.process_id = reader.Whole();
      return true;
    case 2:
      kernel.launch_id = reader.Whole();
      return true;
    case 5:
      kernel.mangled_name = reader.Text();
      return true;
    case 6:
      kernel.function_name = reader.Text();
      return true;
    case 7:
      kernel.full_name = reader.Text();
      return true;
    case 10:
      kernel.grid = ReadExtent(reader.Bytes());
      return true;
    case 11:
      kernel.block = ReadExtent(reader.Bytes());
      return true;
    case 14:
      kernel.recorded_unix_s = reader.Whole();
      return true;
    case 15:
      kernel.module_id = ReadModuleId(reader.Bytes());
      return true;
    case 16:
      kernel.device = reader.Whole();
      return true;
    case 22:
      kernel.context = reader.Whole();
      return true;
    case 23:
      kernel.stream = reader.Whole();
      return true;
    default:
      return false;
  }
}

}  // namespace

CounterValue ReadValue(std::string_view message) {
  CounterValue value;
  for (WireReader reader(message); reader.Next();) {
    switch (reader.field()) {
      case 1:
        value = reader.Text();
        break;
      case 2:
        value = double{reader.ShortReal()};
        break;
      case 3:
        value = reader.Real();
        break;
      case 4:
      case 5:
        value = reader.Whole();
        break;
      default:
        break;
    }
  }
  return value;
}

KernelReading ReadResultEntry(std::string_view message, size_t name_count) {
  KernelReading reading;
  ProfiledKernel& kernel = reading.kernel;
  for (WireReader reader(message); reader.Next();) {
    if (ReadLaunchField(reader, kernel)) continue;
    if (reader.field() == 13 && !ReadMetric(reader.Bytes(), name_count, kernel)) ++reading.nameless_metrics;
    if (reader.field() == 17) kernel.sections.push_back(ReadSection(reader.Bytes()));
    if (reader.field() == 19) kernel.rules.push_back(ReadRuleResult(reader.Bytes()));
    if (reader.field() == 21) ReadRanges(reader.Bytes(), kernel);
    if (reader.field() == 28) ReadHostStack(reader.Bytes(), kernel.host_stack);
  }
  if (kernel.full_name.empty()) kernel.full_name = kernel.function_name;
  if (kernel.full_name.empty()) kernel.full_name = kernel.mangled_name;
  return reading;
}

}  // namespace warpsight
