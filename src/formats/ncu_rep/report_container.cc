#include "formats/ncu_rep/report_container.h"

#include <fmt/format.h>

#include <algorithm>

#include "formats/ncu_rep/wire_reader.h"

namespace warpsight {
namespace {

constexpr size_t kSizeBytes = 4;

struct BlockCounts {
  uint64_t sources = 0;
  uint64_t results = 0;
  uint64_t payload_bytes = 0;
};

class ContainerWalk {
 public:
  ContainerWalk(std::string_view bytes, ReadingBudget& budget) : bytes_(bytes), budget_(budget) {}

  ReportContainer Run() {
    try {
      WalkFile();
    } catch (const protozero::exception& error) {
      Stop(at_, fmt::format("the header before byte {} is damaged ({})", at_, error.what()));
    }
    return std::move(container_);
  }

 private:
  void WalkFile() {
    if (!bytes_.starts_with(kReportMagic)) return Stop(0, "it does not begin as a report does");
    at_ = kReportMagic.size();
    std::string_view header;
    if (!TakeSized("file header", header)) return;
    for (WireReader reader(header); reader.Next();) {
      if (reader.field() == 1) container_.version = reader.Whole();
    }
    while (at_ < bytes_.size()) {
      if (!WalkBlock()) return;
    }
  }

  bool WalkBlock() {
    const size_t block = at_;
    std::string_view header;
    if (!TakeSized("block header", header)) return false;
    const BlockCounts counts = ReadCounts(header);
    budget_.Append(container_.headers, header);
    const size_t left = bytes_.size() - at_;
    const bool is_whole = counts.payload_bytes <= left;
    const size_t end = is_whole ? at_ + static_cast<size_t>(counts.payload_bytes) : bytes_.size();
    TakeEntries(counts.sources, end, container_.sources);
    TakeEntries(counts.results, end, container_.results);
    budget_.Take((container_.results.size() - container_.header_of_result.size()) * sizeof(size_t));
    container_.header_of_result.resize(container_.results.size(), container_.headers.size() - 1);
    if (!is_whole) {
      Stop(block, fmt::format("the block at byte {} should have {} bytes of data, the file has {} more", block,
                              counts.payload_bytes, left));
    }
    at_ = end;
    return is_whole;
  }

  static BlockCounts ReadCounts(std::string_view header) {
    BlockCounts counts;
    for (WireReader reader(header); reader.Next();) {
      if (reader.field() == 1) counts.sources = reader.Whole();
      if (reader.field() == 2) counts.results = reader.Whole();
      if (reader.field() == 5) counts.payload_bytes = reader.Whole();
    }
    return counts;
  }

  // Up to `count` entries that end before `end`; a count is only believed as far as there are bytes.
  void TakeEntries(uint64_t count, size_t end, std::vector<std::string_view>& entries) {
    for (uint64_t i = 0; i < count; ++i) {
      if (end - at_ < kSizeBytes) return;
      const size_t size = SizeAt(at_);
      if (size > end - at_ - kSizeBytes) return;
      budget_.Append(entries, bytes_.substr(at_ + kSizeBytes, size));
      at_ += kSizeBytes + size;
    }
  }

  bool TakeSized(std::string_view what, std::string_view& taken) {
    const size_t left = bytes_.size() - at_;
    const size_t size = left < kSizeBytes ? 0 : SizeAt(at_);
    if (left < kSizeBytes || size > left - kSizeBytes) {
      Stop(at_, fmt::format("the {} at byte {} should have {} bytes, the file has {} more", what, at_, size, left));
      return false;
    }
    taken = bytes_.substr(at_ + kSizeBytes, size);
    at_ += kSizeBytes + size;
    return true;
  }

  size_t SizeAt(size_t at) const {
    size_t size = 0;
    for (size_t i = 0; i < kSizeBytes; ++i) size |= size_t{static_cast<unsigned char>(bytes_[at + i])} << (8 * i);
    return size;
  }

  void Stop(size_t at, std::string problem) {
    container_.problem = std::move(problem);
    container_.problem_byte = at;
  }

  std::string_view bytes_;
  ReadingBudget& budget_;
  size_t at_ = 0;
  ReportContainer container_;
};

}  // namespace

ReportContainer ReadReportContainer(std::string_view bytes, ReadingBudget& budget) {
  return ContainerWalk(bytes, budget).Run();
}

}  // namespace warpsight
