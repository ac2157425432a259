#include "export/perfetto/timeline_tracks.h"

#include <fmt/format.h>

#include <limits>
#include <protozero/pbf_writer.hpp>

#include "base/decimal.h"
#include "base/utf8.h"

namespace warpsight::perfetto {
namespace {

// The number that a process or thread has in the operating system; 0 when the label is none that the format can hold.
int64_t SystemId(std::string_view label) {
  const int64_t id = ParseInteger(label).value_or(0);
  return id > 0 && id <= std::numeric_limits<int32_t>::max() && std::to_string(id) == label ? id : 0;
}

std::string Named(std::string_view what, std::string_view label) {
  return label.empty() ? fmt::format("{} without a number", what) : fmt::format("{} {}", what, label);
}

void AddText(protozero::pbf_writer& writer, uint32_t field, std::string_view text) {
  writer.add_string(field, MendedUtf8(text));
}

void AddSpec(protozero::pbf_writer& writer, const TrackSpec& spec, uint64_t uuid) {
  writer.add_uint64(track::kUuid, uuid);
  AddText(writer, track::kName, spec.name);
  if (spec.parent != 0) writer.add_uint64(track::kParentUuid, spec.parent);
  if (spec.orders_children) writer.add_uint32(track::kChildOrdering, track::kExplicitOrdering);
  if (spec.rank != 0) writer.add_int32(track::kSiblingOrderRank, spec.rank);
  writer.add_uint32(track::kSiblingMergeBehavior, track::kNeverMerge);
}

}  // namespace

uint64_t TimelineTracks::Thread(ThreadIndex index) {
  uint64_t& uuid = thread_uuids_[index];
  if (uuid == 0) uuid = AddThread(trace_.threads()[index]);
  return uuid;
}

uint64_t TimelineTracks::Process(std::string_view label) {
  if (const auto found = process_uuids_.find(label); found != process_uuids_.end()) return found->second;
  const uint64_t uuid = AddProcess(label);
  process_uuids_.emplace(label, uuid);
  return uuid;
}

uint64_t TimelineTracks::AddProcess(std::string_view label) {
  std::string name;
  for (const warpsight::Thread& thread : trace_.threads()) {
    if (thread.process_label == label) name = thread.process_name;
    if (!name.empty()) break;
  }
  const int64_t pid = SystemId(label);
  if (pid == 0 || !pids_.insert(pid).second) {
    return Add({name.empty() ? Named("process", label) : fmt::format("{} ({})", name, label), 0, 0, true});
  }
  const uint64_t uuid = ++last_uuid_;
  std::string descriptor;
  {
    protozero::pbf_writer writer(descriptor);
    writer.add_uint64(track::kUuid, uuid);
    protozero::pbf_writer process(writer, track::kProcess);
    process.add_int32(track::kProcessPid, static_cast<int32_t>(pid));
    AddText(process, track::kProcessName, name.empty() ? Named("process", label) : name);
  }
  packets_.Track(descriptor);
  return uuid;
}

uint64_t TimelineTracks::AddThread(const warpsight::Thread& thread) {
  const uint64_t process = Process(thread.process_label);
  const std::string name = thread.name.empty() ? Named("thread", thread.label) : thread.name;
  const int64_t pid = SystemId(thread.process_label);
  const int64_t tid = SystemId(thread.label);
  if (pid == 0 || tid == 0 || !threads_.insert({pid, tid}).second) return Add({name, process, 0, true});
  const uint64_t uuid = ++last_uuid_;
  std::string descriptor;
  {
    protozero::pbf_writer writer(descriptor);
    writer.add_uint64(track::kUuid, uuid);
    writer.add_uint64(track::kParentUuid, process);
    protozero::pbf_writer system(writer, track::kThread);
    system.add_int32(track::kThreadPid, static_cast<int32_t>(pid));
    system.add_int32(track::kThreadTid, static_cast<int32_t>(tid));
    AddText(system, track::kThreadName, name);
  }
  packets_.Track(descriptor);
  return uuid;
}

uint64_t TimelineTracks::Device(int32_t id) {
  uint64_t& uuid = device_uuids_[id];
  if (uuid == 0) {
    const warpsight::Device* const device = trace_.FindDevice(id);
    const std::string name = device == nullptr ? "" : device->name;
    uuid = Add({fmt::format("GPU {}{}{}", id, name.empty() ? "" : ": ", name), 0, 0, true});
  }
  return uuid;
}

uint64_t TimelineTracks::Add(const TrackSpec& spec) {
  const uint64_t uuid = ++last_uuid_;
  std::string descriptor;
  {
    protozero::pbf_writer writer(descriptor);
    AddSpec(writer, spec, uuid);
  }
  packets_.Track(descriptor);
  return uuid;
}

uint64_t TimelineTracks::AddCounter(const TrackSpec& spec, std::string_view unit) {
  const uint64_t uuid = ++last_uuid_;
  std::string descriptor;
  {
    protozero::pbf_writer writer(descriptor);
    AddSpec(writer, spec, uuid);
    // A message of its own, since an empty one must be there too: it is what makes the track a counter.
    std::string counter;
    protozero::pbf_writer counter_writer(counter);
    if (!unit.empty()) AddText(counter_writer, track::kCounterUnitName, unit);
    writer.add_message(track::kCounter, counter);
  }
  packets_.Track(descriptor);
  return uuid;
}

void TrackRow::AddLane() {
  TrackSpec spec = spec_;
  const auto lane = static_cast<int32_t>(uuids_.size());
  if (lane > 0) spec.name += fmt::format(" ({})", lane + 1);
  if (spec.rank <= std::numeric_limits<int32_t>::max() - lane) spec.rank += lane;
  uuids_.push_back(tracks_.Add(spec));
}

}  // namespace warpsight::perfetto
