#include "formats/torch_json/event_text.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_members.h"
#include "formats/torch_json/event_skipper.h"

namespace warpsight::torch_json {
namespace {

constexpr size_t kPiece = size_t{64} << 10;
// As for the import.
constexpr size_t kLargestEvent = size_t{16} << 20;
// What is shown of an event whose end can't be found: a quote that is missing or too many, the end of the file.
constexpr size_t kShownOfBroken = 4000;

// Sequential bytes from `offset` on, whatever the source can do.
class Tail {
 public:
  Tail(ByteSource& source, uint64_t offset) : source_(source), at_(offset) {
    if (source.size() >= 0) return;
    std::string skipped(kPiece, '\0');
    for (uint64_t left = offset; left > 0;) {
      const size_t got = source.Read(skipped.data(), std::min<uint64_t>(left, kPiece));
      if (got == 0) break;
      left -= got;
    }
  }
  std::string Next() {
    std::string piece(kPiece, '\0');
    const size_t got =
        source_.size() >= 0 ? source_.ReadAt(at_, piece.data(), piece.size()) : source_.Read(piece.data(), piece.size());
    at_ += got;
    piece.resize(got);
    return piece;
  }

 private:
  ByteSource& source_;
  uint64_t at_;
};

Status NoEvent(const ByteSource& source, uint64_t offset) {
  return UsageError(source.name() + ": no event begins at byte " + std::to_string(offset) +
                    ": take the \"after_source\" of a gap in `idle --json`, or the source that serve shows of an event");
}

}  // namespace

Result<std::string> ReadEventAt(ByteSource& source, uint64_t offset) {
  Tail tail(source, offset);
  EventSkipper skipper;
  std::string text;
  for (std::string piece = tail.Next(); !piece.empty() && text.size() < kLargestEvent; piece = tail.Next()) {
    if (text.empty() && piece.front() != '{') break;
    const size_t past = skipper.Feed(piece);
    text += piece.substr(0, past);
    if (past == EventSkipper::kNotYet) continue;
    // Other objects begin with a brace too: the whole file, the args of an event.
    if (!FindJsonMember(JsonMembers(text), "ph").empty()) return text;
    return NoEvent(source, offset);
  }
  if (!text.empty()) {
    const nlohmann::ordered_json broken = {{"not whole", text.substr(0, kShownOfBroken)}};
    return broken.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  }
  return NoEvent(source, offset);
}

}  // namespace warpsight::torch_json
