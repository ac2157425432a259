#include "formats/event_source.h"

#include <algorithm>
#include <memory>

#include "base/byte_source.h"
#include "formats/torch_json/event_skipper.h"

namespace warpsight {
namespace {

constexpr size_t kPiece = size_t{64} << 10;
constexpr size_t kLargestEvent = size_t{64} << 20;

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

}  // namespace

Result<std::string> ReadEventText(const std::string& path, uint64_t offset) {
  if (path == "-") return UsageError("--event needs a file: standard input can be read once only");
  Result<std::unique_ptr<ByteSource>> source = OpenByteSource(path);
  if (!source.ok()) return source.status();
  Tail tail(**source, offset);
  torch_json::EventSkipper skipper;
  std::string text;
  for (std::string piece = tail.Next(); !piece.empty() && text.size() < kLargestEvent; piece = tail.Next()) {
    if (text.empty() && piece.front() != '{') break;
    const size_t past = skipper.Feed(piece);
    text += piece.substr(0, past);
    if (past != torch_json::EventSkipper::kNotYet) return text;
  }
  return UsageError(path + ": no event begins at byte " + std::to_string(offset) +
                    ": take the \"after_source\" of a gap in `idle --json`");
}

}  // namespace warpsight
