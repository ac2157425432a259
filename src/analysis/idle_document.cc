#include "analysis/idle_document.h"

#include <fmt/format.h>
#include <algorithm>
#include <string>

#include "document/kernel_name.h"
#include "document/units.h"

namespace warpsight {
namespace {

using nlohmann::ordered_json;

constexpr IdleClass kHostClasses[] = {IdleClass::kHostWork, IdleClass::kSync, IdleClass::kRoundTrip, IdleClass::kLaunch};
constexpr std::string_view kNothingOpen = "(no host event open)";

std::string KeyNs(std::string_view key) { return std::string(key) + "_ns"; }

std::string_view HostName(const Trace& trace, StringId name) {
  return name == StringId::kEmpty ? kNothingOpen : trace.Text(name);
}

ordered_json WorkName(const Trace& trace, uint32_t gpu_row) {
  return gpu_row == kNoRow ? ordered_json(nullptr) : ordered_json(trace.Text(trace.gpu().name[gpu_row]));
}

void AddOffCpu(const OffCpu& off, bool known, ordered_json& data) {
  data["launching_thread_off_cpu_ns"] = known ? ordered_json(off.off_ns()) : ordered_json();
  data["launching_thread_preempted_ns"] = known ? ordered_json(off.preempted_ns) : ordered_json();
}

ordered_json GapData(const Trace& trace, const IdleGap& gap) {
  ordered_json data;
  data["start_ns"] = gap.time.start;
  data["dur_ns"] = gap.time.duration();
  data["class"] = InfoOf(gap.largest).key;
  data["before"] = WorkName(trace, gap.before);
  data["after"] = WorkName(trace, gap.after);
  // Where that work's record lies in the file: `info --event` shows all of it.
  const bool known = gap.after != kNoRow && trace.gpu().source[gap.after] != kNoSource;
  data["after_source"] = known ? nlohmann::ordered_json(trace.gpu().source[gap.after]) : nlohmann::ordered_json();
  data["host"] = ordered_json::array();
  if (gap.sampled != StringId::kEmpty) data["host"].push_back(trace.Text(gap.sampled));
  for (StringId name : gap.hosts) {
    if (name != StringId::kEmpty) data["host"].push_back(trace.Text(name));
  }
  data["host_unnamed_ns"] = gap.unnamed_ns;
  AddOffCpu(gap.off_cpu, gap.off_cpu.whole(), data);
  data["parts"] = ordered_json::object();
  for (size_t kind = 0; kind < kIdleClassCount; ++kind) {
    if (gap.parts[kind] > 0) data["parts"][KeyNs(InfoOf(static_cast<IdleClass>(kind)).key)] = gap.parts[kind];
  }
  if (gap.wait != DeviceWait::kNone) data["waited_for"] = DeviceWaitText(gap.wait);
  return data;
}

// The names that took most time; the rest in one entry, so that the list adds up to the class.
ordered_json HostData(const Trace& trace, const std::vector<HostTime>& hosts) {
  constexpr size_t kMostNames = 200;
  ordered_json names = ordered_json::array();
  Ns others_ns = 0;
  for (size_t i = 0; i < hosts.size(); ++i) {
    if (i < kMostNames) {
      names.push_back({{"name", HostName(trace, hosts[i].name)}, {"time_ns", hosts[i].time_ns}});
    } else {
      others_ns += hosts[i].time_ns;
    }
  }
  if (others_ns > 0) names.push_back({{"name", "(others)"}, {"time_ns", others_ns}});
  return names;
}

ordered_json DeviceData(const Trace& trace, const IdleDevice& device, int64_t limit) {
  ordered_json data;
  data["device"] = device.device;
  data["window_ns"] = device.window.duration();
  data["busy_ns"] = device.busy_ns;
  data["idle_ns"] = device.idle_ns;
  for (size_t kind = 0; kind < kIdleClassCount; ++kind) {
    data["classes"][KeyNs(InfoOf(static_cast<IdleClass>(kind)).key)] = device.classes[kind];
  }
  data["device_wait_by_reason"] = ordered_json::array();
  for (size_t reason = 1; reason < kDeviceWaitCount; ++reason) {
    data["device_wait_by_reason"].push_back(
        {{"reason", DeviceWaitText(static_cast<DeviceWait>(reason))}, {"time_ns", device.device_wait_ns[reason]}});
  }
  data["host_by_class"] = ordered_json::object();
  for (IdleClass kind : kHostClasses) {
    data["host_by_class"][KeyNs(InfoOf(kind).key)] = HostData(trace, device.host_by_class[static_cast<size_t>(kind)]);
  }
  AddOffCpu(device.off_cpu, device.off_cpu.known_ns > 0, data);
  data["launching_thread_known_ns"] = device.off_cpu.known_ns;
  data["gaps_total"] = device.gap_count;
  data["gaps_limit"] = limit;
  data["gaps"] = ordered_json::array();
  for (const IdleGap& gap : LongestGaps(trace, device, static_cast<size_t>(limit)))
    data["gaps"].push_back(GapData(trace, gap));
  data["launch_after_start"] = device.launch_after_start;
  return data;
}

Table ClassTable(const IdleDevice& device) {
  Table table;
  table.title = "Why the device was idle";
  table.columns = {TextColumn("class", "Class"), DurationColumn("time_ns", "Time"), ShareColumn("idle_share", "Of idle"),
                   CountColumn("gaps", "Gaps"), TextColumn("meaning", "What happened")};
  std::array<size_t, kIdleClassCount> order = {0, 1, 2, 3, 4, 5, 6};
  std::stable_sort(order.begin(), order.end(),
                   [&device](size_t a, size_t b) { return device.classes[a] > device.classes[b]; });
  for (size_t kind : order) {
    const IdleClassInfo& info = InfoOf(static_cast<IdleClass>(kind));
    const double share =
        device.idle_ns == 0 ? 0 : static_cast<double>(device.classes[kind]) / static_cast<double>(device.idle_ns);
    table.rows.push_back({std::string(info.label), device.classes[kind], device.idle_ns == 0 ? Cell() : Cell(share),
                          device.gaps_by_largest[kind], std::string(info.brief)});
  }
  table.footnote = "A gap is counted under the class that takes most of it.";
  return table;
}

Table HostTable(const Trace& trace, const IdleDevice& device, size_t limit) {
  Table table;
  table.title = "What the launching threads did meanwhile";
  table.columns = {TextColumn("class", "Class"), NameColumn("name", "Innermost open event"),
                   DurationColumn("time_ns", "Time"), ShareColumn("class_share", "Of class")};
  for (IdleClass kind : kHostClasses) {
    const std::vector<HostTime>& hosts = device.host_by_class[static_cast<size_t>(kind)];
    const double whole = static_cast<double>(PartOf(device.classes, kind));
    for (size_t i = 0; i < std::min(limit, hosts.size()); ++i) {
      table.rows.push_back({std::string(InfoOf(kind).label), std::string(HostName(trace, hosts[i].name)), hosts[i].time_ns,
                            static_cast<double>(hosts[i].time_ns) / whole});
    }
  }
  return table;
}

// The one name that says most; JSON has the others.
std::string CauseText(const Trace& trace, const IdleGap& gap) {
  if (gap.wait == DeviceWait::kStreamCopy) return "a copy came first";
  if (gap.wait == DeviceWait::kOtherStreamEvent) return "an event came first";
  if (gap.wait == DeviceWait::kUnknown) return "unknown wait";
  const bool host = gap.host_ns > 0 || gap.unnamed_ns > 0;
  if (!host) return {};
  if (gap.unnamed_ns <= gap.host_ns) return std::string(trace.Text(gap.hosts[0]));
  return gap.sampled == StringId::kEmpty ? std::string(kNothingOpen) : fmt::format("{} (sampled)", trace.Text(gap.sampled));
}

Table GapTable(const Trace& trace, const IdleDevice& device, size_t limit) {
  Table table;
  table.columns = {DurationColumn("start_ns", "At"),  DurationColumn("dur_ns", "Gap"),
                   TextColumn("class", "Class"),      NameColumn("after", "Next GPU work"),
                   NameColumn("host", "Host was in"), Hideable(NameColumn("before", "Last GPU work"))};
  // Only where it is known: the table is wide enough.
  const bool has_switches = trace.thread_switches().size() > 0;
  if (has_switches) {
    table.columns.push_back(DurationColumn("off_cpu_ns", "Off the CPU"));
    table.columns.push_back(DurationColumn("preempted_ns", "Preempted"));
  }
  const auto work_cell = [&trace](uint32_t row) {
    return row == kNoRow ? Cell() : Cell(ShortKernelName(trace.Text(trace.gpu().name[row])));
  };
  for (const IdleGap& gap : LongestGaps(trace, device, limit)) {
    const std::string cause = CauseText(trace, gap);
    table.rows.push_back({gap.time.start - device.window.start, gap.time.duration(), std::string(InfoOf(gap.largest).label),
                          work_cell(gap.after), cause.empty() ? Cell() : Cell(cause), work_cell(gap.before)});
    if (!has_switches) continue;
    table.rows.back().push_back(gap.off_cpu.whole() ? Cell(gap.off_cpu.off_ns()) : Cell());
    table.rows.back().push_back(gap.off_cpu.whole() ? Cell(gap.off_cpu.preempted_ns) : Cell());
  }
  table.title = fmt::format("Longest gaps ({} of {})", FormatCount(static_cast<int64_t>(table.rows.size())),
                            FormatCount(static_cast<int64_t>(device.gap_count)));
  table.footnote = "At counts from the start of the window. --limit shows more gaps, --json all names.";
  return table;
}

std::string DeviceTitle(const Trace& trace, int32_t id) {
  const Device* device = trace.FindDevice(id);
  const bool named = device != nullptr && !device->name.empty();
  return named ? fmt::format("Device {}: {}", id, device->name) : fmt::format("Device {}", id);
}

void AddDevice(const Trace& trace, const IdleDevice& device, const IdleDocumentOptions& options, Document& document) {
  const Ns window_ns = device.window.duration();
  document.blocks.push_back(Heading{DeviceTitle(trace, device.device), 1});
  KeyValues times{
      {{"window", FormatDuration(window_ns)},
       {"busy", fmt::format("{} ({})", FormatDuration(device.busy_ns), FormatShare(device.busy_ns, window_ns))},
       {"idle", fmt::format("{} ({})", FormatDuration(device.idle_ns), FormatShare(device.idle_ns, window_ns))}}};
  if (device.off_cpu.known_ns > 0) {
    times.pairs.push_back(
        {"host work off the CPU",
         fmt::format("{} of {}: the launching thread had no processor, {} waiting, {} preempted",
                     FormatDuration(device.off_cpu.off_ns()), FormatDuration(device.off_cpu.known_ns),
                     FormatDuration(device.off_cpu.waiting_ns), FormatDuration(device.off_cpu.preempted_ns))});
  }
  document.blocks.push_back(std::move(times));
  document.blocks.push_back(ClassTable(device));
  if (Table hosts = HostTable(trace, device, static_cast<size_t>(options.host_names)); !hosts.rows.empty()) {
    document.blocks.push_back(std::move(hosts));
  }
  if (device.gap_count > 0) document.blocks.push_back(GapTable(trace, device, static_cast<size_t>(options.text_gaps)));
  if (device.launch_after_start > 0) {
    document.blocks.push_back(Paragraph{
        fmt::format("{} gaps end with GPU work that starts before its launch call: the clocks of host and device differ. "
                    "The launch is taken to start with the work.",
                    FormatCount(device.launch_after_start)),
        ParagraphKind::kNote});
  }
}

}  // namespace

Document MakeIdleDocument(const Trace& trace, const IdleResult& idle, const IdleDocumentOptions& options) {
  Document document;
  document.verb = "idle";
  document.data["devices"] = ordered_json::array();
  for (const IdleDevice& device : idle.devices) {
    document.data["devices"].push_back(DeviceData(trace, device, std::max<int64_t>(options.json_gaps, 0)));
    AddDevice(trace, device, options, document);
  }
  document.blocks.push_back(
      Paragraph{"Times come from a profiled run. The profiler slows the host, so idle time is longer than it is without it.",
                ParagraphKind::kNote});
  return document;
}

}  // namespace warpsight
