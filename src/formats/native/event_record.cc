#include "formats/native/event_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <nlohmann/json.hpp>
#include <vector>

#include "formats/cupti_names.h"
#include "formats/kernel_name_text.h"
#include "formats/native/chunk_list.h"
#include "formats/native/chunk_rows.h"
#include "wire/ignoring_receiver.h"

namespace warpsight::native {
namespace {

using Json = nlohmann::ordered_json;

// All streams of a context, as synchronisations say it.
constexpr uint32_t kAllStreams = ~uint32_t{0};

void PutPlace(const wire::Place& place, Json& args) {
  args["device"] = place.device;
  args["context"] = place.context;
  args["stream"] = place.stream == kAllStreams ? Json("all of the context") : Json(place.stream);
  if (place.graph != 0) args["graph"] = place.graph;
}

void PutNode(uint64_t node, Json& args) {
  if (node != 0) args["graph node"] = node;
}

// Floats in the fewest digits that give the same float; what JSON has no number for as a text.
template <typename Float>
Json FloatOf(Float value) {
  return std::isfinite(value) ? Json::parse(fmt::format("{}", value)) : Json(fmt::format("{}", value));
}

Json PayloadOf(const wire::RangeText& range) {
  switch (range.payload_kind) {
    case wire::PayloadKind::kSigned:
      return static_cast<int64_t>(range.payload);
    case wire::PayloadKind::kDouble:
      return FloatOf(std::bit_cast<double>(range.payload));
    case wire::PayloadKind::kFloat:
      return FloatOf(std::bit_cast<float>(static_cast<uint32_t>(range.payload)));
    default:
      return range.payload;
  }
}

// Takes the one record that begins at a byte of its chunk.
class OneRecord final : public wire::IgnoringReceiver {
 public:
  using IgnoringReceiver::Take;
  explicit OneRecord(size_t offset) : offset_(offset) {}

  // Null when there is none, or none that is an event.
  Json record;
  uint32_t category = 0;  // that its name is wanted of, in this domain
  std::string domain;

  void At(size_t offset) override { here_ = offset == offset_; }
  void Take(const wire::KernelRecord& kernel) override {
    Json* const args = Begin("kernel", ReadableKernelName(kernel.name), kernel.span);
    if (args == nullptr) return;
    (*args)["recorded name"] = kernel.name;
    PutPlace(kernel.place, *args);
    PutNode(kernel.graph_node, *args);
    (*args)["grid"] = kernel.grid;
    (*args)["block"] = kernel.block;
    if (kernel.cluster[0] != 0) (*args)["cluster"] = kernel.cluster;
    (*args)["registers per thread"] = kernel.registers_per_thread;
    (*args)["static shared bytes"] = kernel.static_shared_bytes;
    (*args)["dynamic shared bytes"] = kernel.dynamic_shared_bytes;
    (*args)["cooperative"] = kernel.launch_type != 0;
  }
  void Take(const wire::CopyRecord& copy) override {
    Json* const args = Begin("memcpy", CopyOfCupti(copy.kind).name, copy.span);
    if (args == nullptr) return;
    PutPlace(copy.place, *args);
    PutNode(copy.graph_node, *args);
    (*args)["from memory"] = MemoryOfCupti(copy.source_memory).name;
    (*args)["to memory"] = MemoryOfCupti(copy.target_memory).name;
    (*args)["bytes"] = copy.bytes;
    (*args)["asynchronous"] = (copy.flags & 1) != 0;
  }
  void Take(const wire::SetRecord& set) override {
    Json* const args = Begin("memset", "Memset", set.span);
    if (args == nullptr) return;
    PutPlace(set.place, *args);
    PutNode(set.graph_node, *args);
    (*args)["memory"] = MemoryOfCupti(set.memory).name;
    (*args)["bytes"] = set.bytes;
    (*args)["value"] = set.value;
  }
  void Take(const wire::CallRecord& call) override {
    Json* const args = Begin("CUDA call", call.name, call.span);
    if (args == nullptr) return;
    (*args)["thread"] = call.thread;
    (*args)["result"] = call.result;
  }
  void Take(const wire::SyncRecord& sync) override {
    Json* const args = Begin("synchronisation", SyncNameOfCupti(sync.type), sync.span);
    if (args == nullptr) return;
    PutPlace(sync.place, *args);
    if (sync.event != 0) (*args)["CUDA event"] = sync.event;
  }
  void Take(const wire::CudaEventRecord& event) override {
    Json* const args = Begin("CUDA event", "CUDA event", event.span);
    if (args == nullptr) return;
    PutPlace(event.place, *args);
    (*args)["CUDA event"] = event.event;
  }
  void Take(const wire::OverheadRecord& overhead) override {
    Json* const args = Begin("overhead", OverheadNameOfCupti(overhead.kind), {overhead.start_ns, overhead.end_ns, 0});
    if (args != nullptr) (*args)["thread"] = overhead.thread;
  }
  void Take(const wire::GraphRecord& graph) override {
    Json* const args = Begin("graph launch", fmt::format("CUDA graph {}", graph.place.graph), graph.span);
    if (args != nullptr) PutPlace(graph.place, *args);
  }
  void Take(const wire::LibraryCallRecord& call) override {
    Json* const args = Begin("library call", call.name, {call.start_ns, call.end_ns, 0});
    if (args == nullptr) return;
    (*args)["library"] = call.library;
    (*args)["thread"] = call.thread;
    if (!call.sizes.empty()) (*args)["sizes"] = call.sizes;
  }
  void TakePush(const wire::RangeText& text, uint64_t time_ns) override { TakeRange("NVTX push", text, time_ns); }
  void TakeStart(const wire::RangeText& text, uint64_t id, uint64_t time_ns) override {
    if (Json* const args = TakeRange("NVTX start", text, time_ns)) (*args)["range id"] = id;
  }
  void TakeMark(const wire::RangeText& text, uint64_t time_ns) override { TakeRange("NVTX mark", text, time_ns); }

 private:
  // The record's arguments, to be filled; null when it is not the one.
  Json* Begin(std::string_view kind, std::string_view name, const wire::Span& span) {
    if (!here_) return nullptr;
    record = {{"kind", kind}, {"name", name}, {"start_ns", span.start_ns}, {"end_ns", span.end_ns}};
    Json& args = record["args"] = Json::object();
    if (span.correlation != 0) args["correlation"] = span.correlation;
    return &args;
  }
  Json* TakeRange(std::string_view kind, const wire::RangeText& text, uint64_t time_ns) {
    if (!here_) return nullptr;
    record = {{"kind", kind}, {"name", text.text}, {"time_ns", time_ns}};
    Json& args = record["args"] = Json::object();
    args["thread"] = text.thread;
    if (!text.domain.empty()) args["domain"] = text.domain;
    if (text.category != 0) args["category"] = category = text.category;
    domain = text.domain;
    if (text.color != 0) args["colour"] = fmt::format("#{:08x}", text.color);
    if (text.payload_kind != wire::PayloadKind::kNone) args["payload"] = PayloadOf(text);
    return &args;
  }

  size_t offset_;
  bool here_ = false;
};

class CategoryName final : public wire::IgnoringReceiver {
 public:
  using IgnoringReceiver::Take;
  CategoryName(uint32_t category, std::string_view domain) : category_(category), domain_(domain) {}
  std::string name;
  void Take(const wire::NameRecord& record) override {
    const bool is_category = record.kind == wire::NameKind::kCategory || record.kind == wire::NameKind::kDomainCategory;
    if (is_category && record.number == category_ && record.domain == domain_) name = record.name;
  }

 private:
  uint32_t category_;
  std::string_view domain_;
};

// False when the chunk can't be read; what it gave before its damage stays.
bool Decode(const ByteSource& file, StoredChunk chunk, wire::RecordReceiver& receiver) {
  std::string frame(chunk.header.stored_bytes, '\0');
  frame.resize(file.ReadAt(chunk.offset, frame.data(), frame.size()));
  chunk.frame = frame;
  std::vector<uint8_t> raw;
  return Inflate(chunk, raw) && wire::DecodeChunk(raw, chunk.header.base_ns, receiver).whole;
}

// Names stand in the last chunk of a session.
std::string NameOfCategory(const ByteSource& file, const ChunkList& list, const wire::ChunkHeader& of,
                           const OneRecord& record) {
  CategoryName name(record.category, record.domain);
  const auto last = std::ranges::find_if(list.chunks.rbegin(), list.chunks.rend(), [&](const StoredChunk& chunk) {
    return chunk.header.process == of.process && chunk.header.session == of.session;
  });
  if (last != list.chunks.rend()) Decode(file, *last, name);
  return name.name;
}

}  // namespace

Result<std::string> ReadEventRecord(const ByteSource& file, uint64_t source) {
  const Result<ChunkList> list = ListChunkHeaders(file);
  if (!list.ok()) return list.status();
  const RecordPlace place = PlaceOfSource(source);
  OneRecord found(place.offset);
  if (place.chunk < list->chunks.size()) {
    const StoredChunk& chunk = list->chunks[place.chunk];
    Decode(file, chunk, found);
    if (found.category != 0) {
      const std::string category = NameOfCategory(file, *list, chunk.header, found);
      if (!category.empty()) found.record["args"]["category name"] = category;
    }
  }
  if (found.record.is_null()) {
    return UsageError(
        fmt::format("{}: no event has the source {}: take the \"after_source\" of a gap in `idle --json`, or the "
                    "source that serve shows of an event",
                    file.name(), source));
  }
  return found.record.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace warpsight::native
