#include "base/whole_input.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <new>
#include <string_view>

namespace warpsight {
namespace {

constexpr size_t kWholePiece = size_t{4} << 20;

uint64_t MemoryOfMachine() {
  const long pages = sysconf(_SC_PHYS_PAGES);
  const long page_bytes = sysconf(_SC_PAGE_SIZE);
  return pages > 0 && page_bytes > 0 ? static_cast<uint64_t>(pages) * static_cast<uint64_t>(page_bytes) : UINT64_MAX;
}

bool IsCompressed(const ByteSource& source) { return source.container() != "plain"; }

// "1.5 MB", in the units in which file managers and `ls -lh --si` show sizes.
std::string SizeText(uint64_t bytes) {
  if (bytes < 1'000) return fmt::format("{} bytes", bytes);
  if (bytes < 1'000'000) return fmt::format("{:.1f} kB", static_cast<double>(bytes) / 1e3);
  return fmt::format("{:.1f} MB", static_cast<double>(bytes) / 1e6);
}

// What inflates the container, as a user types it.
std::string_view InflaterOf(const ByteSource& source) {
  return source.container() == "gzip" ? std::string_view("gzip -d") : std::string_view("zstd -d");
}

// The stored bytes by which an inflated size is judged: of the whole input when it is known.
uint64_t StoredBytes(const ByteSource& source) {
  return static_cast<uint64_t>(std::max(source.stored_bytes(), source.stored_bytes_read()));
}

uint64_t MostByExpansion(const ByteSource& source, const WholeInputLimits& limits) {
  if (!IsCompressed(source)) return UINT64_MAX;
  const uint64_t stored = StoredBytes(source);
  if (stored > UINT64_MAX / limits.most_expansion) return UINT64_MAX;
  return std::max(limits.free_bytes, stored * limits.most_expansion);
}

Status InflatesTooFar(const ByteSource& source, const WholeInputLimits& limits) {
  const uint64_t stored = StoredBytes(source);
  return UnreadableError(fmt::format(
      "{}: its {} of {} inflate to more than {}, which no recording does: it is damaged, or made to fill memory; if it is "
      "sound, inflate it yourself ({}) and give the result",
      source.name(), SizeText(stored), source.container(), SizeText(MostByExpansion(source, limits)), InflaterOf(source)));
}

Status NoMemoryFor(const ByteSource& source, uint64_t bytes) {
  const std::string advice = IsCompressed(source)
                                 ? fmt::format("inflate it yourself ({}) and give the result", InflaterOf(source))
                                 : std::string("record less at a time, or use a machine with more");
  return UnreadableError(
      fmt::format("{}: more than {} of it would have to be held in memory, which this machine has not: {}", source.name(),
                  SizeText(bytes), advice));
}

// Room for another piece. Growing by doubling holds the text twice for a moment: never beyond what may come.
void MakeRoom(std::string& text, uint64_t most) {
  if (text.capacity() - text.size() >= kWholePiece) return;
  text.reserve(static_cast<size_t>(std::max<uint64_t>(text.size(), std::min<uint64_t>(2 * text.size(), most))) +
               kWholePiece);
}

}  // namespace

Result<std::unique_ptr<std::string>> ReadWhole(ByteSource& source, const WholeInputLimits& limits,
                                               const std::function<void(int64_t, int64_t)>& progress) {
  const uint64_t memory = MemoryOfMachine() / 4 * 3;
  auto text = std::make_unique<std::string>();
  try {
    // One growth when the size is known; the size of a file is true.
    if (source.size() > 0 && static_cast<uint64_t>(source.size()) <= std::min(memory, limits.most_bytes))
      text->reserve(static_cast<size_t>(source.size()) + kWholePiece);
    for (;;) {
      const uint64_t most = std::min({memory, limits.most_bytes, MostByExpansion(source, limits)});
      MakeRoom(*text, most);
      if (source.Append(*text, kWholePiece) == 0) return text;
      if (progress) progress(source.stored_bytes_read(), source.stored_bytes());
      if (text->size() > MostByExpansion(source, limits)) return InflatesTooFar(source, limits);
      if (text->size() > limits.most_bytes) {
        return UnreadableError(
            fmt::format("{}: is larger than {}, more than a file of its kind may have: record less at a time", source.name(),
                        SizeText(limits.most_bytes)));
      }
      if (text->size() > memory) return NoMemoryFor(source, memory);
    }
  } catch (const std::bad_alloc&) {
    return NoMemoryFor(source, text->size());
  }
}

}  // namespace warpsight
