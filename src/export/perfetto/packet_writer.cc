#include "export/perfetto/packet_writer.h"

#include <array>
#include <protozero/pbf_writer.hpp>
#include <protozero/varint.hpp>

#include "base/check.h"
#include "base/utf8.h"

namespace warpsight::perfetto {
namespace {

constexpr std::array<std::string_view, static_cast<size_t>(Category::kEnd)> kCategories = {
    "",       "op",     "range",  "api",       "overhead", "other",     "recording", "python",
    "kernel", "memcpy", "memset", "gpu_range", "gpu_sync", "gpu_other", "instant"};

constexpr std::array<std::string_view, static_cast<size_t>(Annotation::kEnd)> kAnnotations = {"",
                                                                                              "correlation",
                                                                                              "external_id",
                                                                                              "shapes",
                                                                                              "types",
                                                                                              "sequence",
                                                                                              "forward_thread",
                                                                                              "stream",
                                                                                              "context",
                                                                                              "bytes",
                                                                                              "grid",
                                                                                              "block",
                                                                                              "registers_per_thread",
                                                                                              "static_shared_bytes",
                                                                                              "dynamic_shared_bytes",
                                                                                              "shared_bytes",
                                                                                              "occupancy_percent",
                                                                                              "graph_id",
                                                                                              "graph_node_id",
                                                                                              "copy_kind",
                                                                                              "source_memory",
                                                                                              "destination_memory",
                                                                                              "collective",
                                                                                              "dtype",
                                                                                              "group",
                                                                                              "ranks",
                                                                                              "in_elements",
                                                                                              "out_elements",
                                                                                              "group_size",
                                                                                              "rank",
                                                                                              "phase"};

void AddInterned(protozero::pbf_writer& data, uint32_t index, uint64_t iid, std::string_view text) {
  protozero::pbf_writer entry(data, index);
  entry.add_uint64(interned::kIid, iid);
  if (IsWholeUtf8(text)) {
    entry.add_string(interned::kText, text.data(), text.size());
  } else {
    entry.add_string(interned::kText, MendedUtf8(text));
  }
}

}  // namespace

std::string_view CategoryName(Category category) { return kCategories[static_cast<size_t>(category)]; }
std::string_view AnnotationName(Annotation annotation) { return kAnnotations[static_cast<size_t>(annotation)]; }

PacketWriter::PacketWriter(OutputBuffer& out, Ns shift) : out_(out), shift_(shift), event_(out) {}

void PacketWriter::Packet(std::string_view packet) {
  std::string head(1, static_cast<char>(kTracePacket << 3U | 2U));
  protozero::add_varint_to_buffer(&head, packet.size());
  out_.Append(head);
  out_.Append(packet);
}

void PacketWriter::BeginSequence() {
  std::string packet;
  {
    protozero::pbf_writer writer(packet);
    writer.add_uint32(packet::kSequenceId, 1);
    writer.add_uint32(packet::kSequenceFlags, kIncrementalStateCleared);
    writer.add_uint32(packet::kPreviousPacketDropped, 1);
    writer.add_bool(packet::kFirstPacketOnSequence, true);
    protozero::pbf_writer data(writer, packet::kInternedData);
    for (uint32_t iid = 1; iid < kCategories.size(); ++iid) AddInterned(data, interned::kCategories, iid, kCategories[iid]);
    for (uint32_t iid = 1; iid < kAnnotations.size(); ++iid) {
      CHECK(!kAnnotations[iid].empty());
      AddInterned(data, interned::kAnnotationNames, iid, kAnnotations[iid]);
    }
  }
  Packet(packet);
}

void PacketWriter::ClockSnapshot(Ns time, Ns wall_ns) {
  std::string packet;
  {
    protozero::pbf_writer writer(packet);
    writer.add_uint32(packet::kSequenceId, 1);
    protozero::pbf_writer snapshot(writer, packet::kClockSnapshot);
    const auto add = [&](uint32_t id, uint64_t at) {
      protozero::pbf_writer clock(snapshot, clock_snapshot::kClocks);
      clock.add_uint32(clock_snapshot::kClockId, id);
      clock.add_uint64(clock_snapshot::kClockTimestamp, at);
    };
    add(clock_snapshot::kBoottime, Time(time));
    add(clock_snapshot::kRealtime, static_cast<uint64_t>(wall_ns));
  }
  Packet(packet);
}

void PacketWriter::Track(std::string_view descriptor) {
  std::string packet;
  {
    protozero::pbf_writer writer(packet);
    writer.add_uint32(packet::kSequenceId, 1);
    writer.add_message(packet::kTrackDescriptor, descriptor.data(), descriptor.size());
  }
  Packet(packet);
}

void PacketWriter::Intern(uint32_t index, uint64_t iid, std::string_view text) {
  std::string packet;
  {
    protozero::pbf_writer writer(packet);
    writer.add_uint32(packet::kSequenceId, 1);
    writer.add_uint32(packet::kSequenceFlags, kNeedsIncrementalState);
    protozero::pbf_writer data(writer, packet::kInternedData);
    AddInterned(data, index, iid, text);
  }
  Packet(packet);
}

}  // namespace warpsight::perfetto
