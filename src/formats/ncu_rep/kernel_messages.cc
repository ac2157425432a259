#include <map>

#include "formats/ncu_rep/report_messages.h"
#include "formats/ncu_rep/wire_reader.h"

namespace warpsight {
namespace {

// A node of a map of small things.
constexpr uint64_t kMapNodeBytes = 64;

Extent ReadExtent(std::string_view message) {
  Extent extent{};
  for (WireReader reader(message); reader.Next();) {
    if (reader.field() >= 1 && reader.field() <= 3) extent[reader.field() - 1] = reader.Whole();
  }
  return extent;
}

void ReadInstance(std::string_view message, ProfiledKernel& kernel, ReadingBudget& budget) {
  MetricInstance instance;
  for (WireReader reader(message); reader.Next();) {
    if (reader.field() == 1) instance.key = ReadValue(reader.Bytes());
    if (reader.field() == 2) instance.value = ReadValue(reader.Bytes());
  }
  // Empty ones would cost memory and say nothing.
  if (!IsAbsent(instance.key) || !IsAbsent(instance.value)) budget.Append(kernel.instances, instance);
}

// Whether its name is in the table.
bool ReadMetric(std::string_view message, size_t name_count, ProfiledKernel& kernel, ReadingBudget& budget) {
  Metric metric;
  metric.first_instance = static_cast<uint32_t>(kernel.instances.size());
  uint64_t name = 0;  // the first text of the table is not written
  for (WireReader reader(message); reader.Next();) {
    if (reader.field() == 1) name = reader.Whole();
    if (reader.field() == 2) metric.value = ReadValue(reader.Bytes());
    if (reader.field() == 3) ReadInstance(reader.Bytes(), kernel, budget);
    if (reader.field() == 4) metric.is_time_series = reader.Whole() != 0;
  }
  if (name >= name_count) {
    kernel.instances.resize(metric.first_instance);
    return false;
  }
  metric.name = static_cast<uint32_t>(name);
  metric.instance_count = static_cast<uint32_t>(kernel.instances.size()) - metric.first_instance;
  budget.Append(kernel.metrics, metric);
  return true;
}

struct DomainName {
  uint64_t id = 0;
  std::string_view name;
};

DomainName ReadDomain(std::string_view message) {
  DomainName domain;
  for (WireReader fields(message); fields.Next();) {
    if (fields.field() == 1) domain.id = fields.Whole();
    if (fields.field() == 2) domain.name = fields.Text();
  }
  return domain;
}

OpenRanges ReadOpenRanges(std::string_view message, uint64_t& domain, ReadingBudget& budget) {
  OpenRanges open;
  for (WireReader reader(message); reader.Next();) {
    if (reader.field() == 1) domain = reader.Whole();
    if (reader.field() != 3) continue;
    for (WireReader range(reader.Bytes()); range.Next();) {
      if (range.field() == 1) budget.Append(open.names, range.Text());
    }
  }
  return open;
}

void ReadThreadRanges(std::string_view message, ProfiledKernel& kernel, std::vector<uint64_t>& domain_of,
                      ReadingBudget& budget) {
  uint64_t thread = 0;
  for (WireReader fields(message); fields.Next();) {
    if (fields.field() == 1) thread = fields.Whole();
    if (fields.field() != 2) continue;
    uint64_t domain = 0;
    OpenRanges open = ReadOpenRanges(fields.Bytes(), domain, budget);
    if (open.names.empty()) continue;
    open.thread = thread;
    budget.Append(kernel.ranges, std::move(open));
    domain_of.push_back(domain);
  }
}

void ReadRanges(std::string_view message, ProfiledKernel& kernel, ReadingBudget& budget) {
  std::map<uint64_t, std::string_view> domains;
  const size_t before = kernel.ranges.size();
  std::vector<uint64_t> domain_of;  // one a range read here
  for (WireReader reader(message); reader.Next();) {
    if (reader.field() == 1) {
      const DomainName domain = ReadDomain(reader.Bytes());
      if (domains.insert_or_assign(domain.id, domain.name).second) budget.Take(kMapNodeBytes);
    }
    if (reader.field() == 2) ReadThreadRanges(reader.Bytes(), kernel, domain_of, budget);
  }
  for (size_t i = 0; i < domain_of.size(); ++i) {
    const auto known = domains.find(domain_of[i]);
    if (known != domains.end()) kernel.ranges[before + i].domain = known->second;
  }
}

void ReadHostStack(std::string_view message, std::vector<HostFrame>& stack, ReadingBudget& budget) {
  for (WireReader reader(message); reader.Next();) {
    if (reader.field() != 1) continue;
    HostFrame frame;
    for (WireReader fields(reader.Bytes()); fields.Next();) {
      if (fields.field() == 1) frame.module = fields.Text();
      if (fields.field() == 2) frame.address = fields.Whole();
      if (fields.field() == 4) frame.symbol = fields.Text();
    }
    budget.Append(stack, frame);
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

KernelReading ReadResultEntry(std::string_view message, size_t name_count, ReadingBudget& budget) {
  KernelReading reading;
  ProfiledKernel& kernel = reading.kernel;
  for (WireReader reader(message); reader.Next();) {
    if (ReadLaunchField(reader, kernel)) continue;
    if (reader.field() == 13 && !ReadMetric(reader.Bytes(), name_count, kernel, budget)) ++reading.nameless_metrics;
    if (reader.field() == 17) budget.Append(kernel.sections, ReadSection(reader.Bytes(), budget));
    if (reader.field() == 19) budget.Append(kernel.rules, ReadRuleResult(reader.Bytes(), budget));
    if (reader.field() == 21) ReadRanges(reader.Bytes(), kernel, budget);
    if (reader.field() == 28) ReadHostStack(reader.Bytes(), kernel.host_stack, budget);
  }
  if (kernel.full_name.empty()) kernel.full_name = kernel.function_name;
  if (kernel.full_name.empty()) kernel.full_name = kernel.mangled_name;
  return reading;
}

}  // namespace warpsight
