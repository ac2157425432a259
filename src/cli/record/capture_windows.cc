#include "cli/record/capture_windows.h"

#include <errno.h>
#include <fmt/format.h>
#include <string.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <tuple>
#include <utility>

#include "capture/chunk_packer.h"
#include "capture/process_facts.h"
#include "cli/record/capture_parts.h"
#include "cli/record/file_text.h"
#include "formats/native/chunk_list.h"
#include "wire/chunk_decoder.h"

namespace warpsight {
namespace {

// All records of the part of one process, told apart by windows. The first pass learns the windows of the calls, the second
// hands out the records.
class WindowSplitter final : public wire::RecordReceiver {
 public:
  WindowSplitter(std::string folder, std::string name, const std::vector<uint64_t>& begins_ns)
      : folder_(std::move(folder)), name_(std::move(name)), begins_ns_(begins_ns) {
    // All windows together keep this much in memory.
    constexpr size_t kMemory = size_t{256} << 20;
    const size_t chunk_bytes = std::clamp<size_t>(kMemory / windows(), 16 << 10, 1 << 20);
    for (size_t i = 0; i < windows(); ++i) outputs_.push_back(Output{wire::ChunkEncoder(chunk_bytes)});
  }

  Status Split(const native::ChunkList& list) {
    for (const bool learning : {true, false}) {
      learning_ = learning;
      std::sort(window_of_call_.begin(), window_of_call_.end());
      for (const native::StoredChunk& chunk : list.chunks) {
        if (!native::Inflate(chunk, raw_)) continue;
        header_ = chunk.header;
        frames_.clear();
        (void)wire::DecodeChunk(raw_, chunk.header.base_ns, *this);
      }
    }
    for (size_t i = 0; i < windows(); ++i) Finish(i);
    if (failed_ == 0) return OkStatus();
    return UnreadableError(
        fmt::format("{}: the ranges can't be written apart ({}): all of them lie in {}", folder_, strerror(failed_), name_));
  }

  void At(size_t /*offset*/) override {}
  void Take(const wire::KernelRecord& record) override { AddWork(record); }
  void Take(const wire::CopyRecord& record) override { AddWork(record); }
  void Take(const wire::SetRecord& record) override { AddWork(record); }
  void Take(const wire::SyncRecord& record) override { AddWork(record); }
  void Take(const wire::GraphRecord& record) override { AddWork(record); }
  void Take(const wire::CallRecord& record) override {
    const size_t window = WindowAt(record.span.start_ns);
    if (learning_ && record.span.correlation != 0)
      window_of_call_.emplace_back(record.span.correlation, static_cast<uint32_t>(window));
    Add(window, [&](wire::ChunkEncoder& to) { to.Add(record); });
  }
  void Take(const wire::CudaEventRecord& record) override { AddWork(record); }
  void Take(const wire::OverheadRecord& record) override {
    Add(WindowAt(record.start_ns), [&](wire::ChunkEncoder& to) { to.Add(record); });
  }
  void Take(const wire::LibraryCallRecord& record) override {
    Add(WindowAt(record.start_ns), [&](wire::ChunkEncoder& to) { to.Add(record); });
  }
  void Take(const wire::GraphNodeRecord& record) override {
    Add(WindowAt(record.time_ns), [&](wire::ChunkEncoder& to) { to.Add(record); });
  }
  void Take(const wire::ThreadSwitchRecord& record) override {
    Add(WindowAt(record.time_ns), [&](wire::ChunkEncoder& to) { to.Add(record); });
  }
  void Take(const wire::CounterRecord& record) override {
    Add(WindowAt(record.time_ns), [&](wire::ChunkEncoder& to) { to.Add(record); });
  }
  void Take(const wire::SampleRecord& record) override {
    if (learning_) return;
    std::vector<uint32_t> stack;  // innermost first
    for (uint32_t frame = record.stack; frame != 0; frame = frames_[frame - 1].parent) stack.push_back(frame);
    Add(WindowAt(record.time_ns), [&](wire::ChunkEncoder& to) {
      wire::SampleRecord sample = record;
      sample.stack = 0;
      for (auto frame = stack.rbegin(); frame != stack.rend(); ++frame) {
        wire::FrameRecord of_window = frames_[*frame - 1];
        of_window.parent = sample.stack;
        sample.stack = to.AddFrame(of_window);
      }
      to.Add(sample);
    });
  }
  void TakeFrame(const wire::FrameRecord& record) override { frames_.push_back(record); }
  void Take(const wire::NameRecord& record) override {
    names_[{record.kind, record.number, std::string(record.domain)}] = record.name;
  }
  void Take(const wire::ProcessRecord& record) override {
    process_ = record;
    command_ = record.command;
    host_ = record.host;
    rank_ = record.rank;
  }
  void Take(const wire::DeviceRecord& record) override {
    auto& [device, name] = devices_[record.id];
    const std::array<uint8_t, 16> uuid = device.uuid;
    device = record;
    device.uuid = uuid;
    name = record.name;
  }
  void TakeUuid(uint32_t device, const std::array<uint8_t, 16>& uuid) override { devices_[device].first.uuid = uuid; }
  void Take(const wire::ClockRecord& record) override {
    if (!learning_) clocks_.push_back(record);
  }
  void Take(const wire::CountRecord& record) override {
    const bool ours = record.cause == "records_kept" || record.cause == "kernels_kept";
    if (!learning_ && !ours) counts_[std::string(record.cause)] += record.count;
  }
  void TakePush(const wire::RangeText& text, uint64_t time_ns) override {
    Add(WindowAt(time_ns), [&](wire::ChunkEncoder& to) { to.AddPush(text, time_ns); });
  }
  void TakePop(uint32_t thread, std::string_view domain, uint64_t time_ns) override {
    Add(WindowAt(time_ns), [&](wire::ChunkEncoder& to) { to.AddPop(thread, domain, time_ns); });
  }
  void TakeStart(const wire::RangeText& text, uint64_t id, uint64_t time_ns) override {
    Add(WindowAt(time_ns), [&](wire::ChunkEncoder& to) { to.AddStart(text, id, time_ns); });
  }
  void TakeEnd(uint32_t thread, std::string_view domain, uint64_t id, uint64_t time_ns) override {
    Add(WindowAt(time_ns), [&](wire::ChunkEncoder& to) { to.AddEnd(thread, domain, id, time_ns); });
  }
  void TakeMark(const wire::RangeText& text, uint64_t time_ns) override {
    Add(WindowAt(time_ns), [&](wire::ChunkEncoder& to) { to.AddMark(text, time_ns); });
  }
  void TakeFinish() override { finished_ = true; }

 private:
  struct Output {
    wire::ChunkEncoder encoder;
    bool begun = false;
    uint32_t sequence = 0;
    uint64_t records = 0;
    uint64_t kernels = 0;
  };

  size_t windows() const { return begins_ns_.size(); }
  size_t WindowAt(uint64_t time_ns) const {
    const auto after = std::upper_bound(begins_ns_.begin(), begins_ns_.end(), time_ns);
    return after == begins_ns_.begin() ? 0 : static_cast<size_t>(after - begins_ns_.begin()) - 1;
  }
  size_t WindowOfWork(const wire::Span& span) const {
    const auto found =
        std::lower_bound(window_of_call_.begin(), window_of_call_.end(), std::pair<uint32_t, uint32_t>{span.correlation, 0});
    const bool known = found != window_of_call_.end() && found->first == span.correlation;
    return known ? found->second : WindowAt(span.start_ns);
  }
  template <typename Record>
  void AddWork(const Record& record) {
    if (learning_) return;
    Add(WindowOfWork(record.span), [&](wire::ChunkEncoder& to) { to.Add(record); });
  }
  template <typename Put>
  void Add(size_t window, const Put& put) {
    if (learning_) return;
    Output& output = outputs_[window];
    if (!std::exchange(output.begun, true)) output.encoder.Begin(begins_ns_[window]);
    put(output.encoder);
    if (output.encoder.full()) Write(window);
  }

  void Write(size_t window) {
    Output& output = outputs_[window];
    output.records += output.encoder.records();
    output.kernels += output.encoder.kernels();
    const std::string folder = WindowFolder(folder_, window + 1);
    std::error_code error;
    std::filesystem::create_directory(folder, error);
    std::ofstream file(folder + "/" + name_ + ".wscap", std::ios::binary | std::ios::app);
    const auto write = [&file](const std::vector<uint8_t>& bytes) {
      file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    };
    if (output.sequence == 0) write(capture::FileHeaderBytes());
    if (packer_.Pack(output.encoder, header_.process, header_.session, output.sequence++, packed_)) write(packed_);
    file.close();
    if (file.fail()) failed_ = errno != 0 ? errno : EIO;
    output.encoder.Begin(begins_ns_[window]);
  }

  // What stands once in a part stands in each of its windows.
  void Finish(size_t window) {
    Output& output = outputs_[window];
    if (output.begun && !output.encoder.empty()) Write(window);
    output.encoder.Begin(begins_ns_[window]);
    process_.command = command_;
    process_.host = host_;
    process_.rank = rank_;
    output.encoder.Add(process_);
    for (const wire::ClockRecord& clock : clocks_) output.encoder.Add(clock);
    for (auto& [id, device] : devices_) {
      device.first.name = device.second;
      output.encoder.Add(device.first);
    }
    for (const auto& [key, name] : names_) {
      if (output.encoder.bytes().size() > wire::kMaxChunkBytes / 2) break;
      const auto& [kind, number, domain] = key;
      output.encoder.Add(wire::NameRecord{kind, number, name, domain});
    }
    output.encoder.Add(wire::CountRecord{"records_kept", output.records});
    output.encoder.Add(wire::CountRecord{"kernels_kept", output.kernels});
    for (const auto& [cause, count] : counts_) output.encoder.Add(wire::CountRecord{cause, count});
    if (finished_) output.encoder.AddFinish();
    Write(window);
    output.encoder = wire::ChunkEncoder(1);
  }

  std::string folder_;
  std::string name_;
  const std::vector<uint64_t>& begins_ns_;
  bool learning_ = true;
  bool finished_ = false;
  int failed_ = 0;  // errno
  wire::ChunkHeader header_ = {};
  std::vector<wire::FrameRecord> frames_;                      // of the chunk that is read
  std::vector<std::pair<uint32_t, uint32_t>> window_of_call_;  // by correlation
  std::vector<Output> outputs_;
  std::map<std::tuple<wire::NameKind, uint64_t, std::string>, std::string> names_;  // by kind, number and domain
  wire::ProcessRecord process_;
  std::string command_, host_, rank_;
  std::map<uint32_t, std::pair<wire::DeviceRecord, std::string>> devices_;
  std::vector<wire::ClockRecord> clocks_;
  std::map<std::string, uint64_t> counts_;
  capture::ChunkPacker packer_;
  std::vector<uint8_t> raw_;
  std::vector<uint8_t> packed_;
};

}  // namespace

WindowsOfPart ParseWindows(std::string_view text) {
  WindowsOfPart windows;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const size_t blank = line.find(' ');
    if (blank == std::string_view::npos) continue;
    uint64_t number = 0;
    const char* const end = line.data() + line.size();
    const auto [at, error] = std::from_chars(line.data() + blank + 1, end, number);
    if (error != std::errc() || at != end) continue;
    if (line.starts_with("begin ")) windows.begins_ns.push_back(number);
    if (line.starts_with("ignored ")) windows.ignored += number;
  }
  std::sort(windows.begins_ns.begin(), windows.begins_ns.end());
  return windows;
}

std::map<std::string, WindowsOfPart> WindowsOf(const std::string& folder) {
  std::map<std::string, WindowsOfPart> windows;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == capture::kWindowsEnding)
      windows[entry.path().stem().string()] = ParseWindows(TextOfFile(entry.path()));
  }
  return windows;
}

std::string WindowFolder(const std::string& folder, size_t number) { return fmt::format("{}/window-{}", folder, number); }

Result<size_t> SplitWindows(const std::string& folder, const std::map<std::string, WindowsOfPart>& windows) {
  size_t most = 0;
  // Of what belongs to no process: the first process's begin of each window.
  std::vector<uint64_t> first_ns;
  for (const auto& [name, of_part] : windows) {
    for (size_t i = 0; i < of_part.begins_ns.size(); ++i) {
      if (i == first_ns.size()) first_ns.push_back(of_part.begins_ns[i]);
      first_ns[i] = std::min(first_ns[i], of_part.begins_ns[i]);
    }
  }
  for (const StoredPart& part : PartsOf(folder)) {
    const auto found = windows.find(part.name);
    if (!part.of_machine() && (found == windows.end() || found->second.begins_ns.empty())) continue;
    const std::vector<uint64_t>& begins_ns = part.of_machine() ? first_ns : found->second.begins_ns;
    if (begins_ns.empty()) continue;
    const std::string bytes = BytesOfPart(part);
    const Result<native::ChunkList> list = native::ListChunks(bytes, part.name);
    if (!list.ok() || list->chunks.empty()) continue;
    WARPSIGHT_RETURN_IF_ERROR(WindowSplitter(folder, part.name, begins_ns).Split(*list));
    most = std::max(most, begins_ns.size());
  }
  return most;
}

}  // namespace warpsight
