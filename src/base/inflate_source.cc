#include "base/inflate_source.h"

#include <isa-l/igzip_lib.h>
#include <zstd.h>

#include <algorithm>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace warpsight {
namespace {

constexpr size_t kInputBytes = size_t{256} << 10;

bool StartsWith(std::string_view bytes, std::string_view magic) { return bytes.substr(0, magic.size()) == magic; }
bool IsGzip(std::string_view bytes) { return StartsWith(bytes, "\x1f\x8b"); }
// A frame of data, or a skippable one (pzstd begins with it): its first byte is 0x50 to 0x5F.
bool IsZstd(std::string_view bytes) {
  const bool skippable = bytes.size() >= 4 && (bytes[0] & 0xF0) == 0x50 && bytes.substr(1, 3) == "\x2a\x4d\x18";
  return skippable || StartsWith(bytes, "\x28\xb5\x2f\xfd");
}

// Reads the stored file ahead of the inflater, in pieces.
class StoredInput {
 public:
  explicit StoredInput(std::unique_ptr<ByteSource> stored) : stored_(std::move(stored)), buffer_(kInputBytes) {}

  // The unread stored bytes: at least `wanted` of them unless the file ends before.
  std::string_view Fill(size_t wanted) {
    if (end_ - begin_ < wanted) {
      std::copy(buffer_.begin() + static_cast<std::ptrdiff_t>(begin_), buffer_.begin() + static_cast<std::ptrdiff_t>(end_),
                buffer_.begin());
      end_ -= begin_;
      begin_ = 0;
      end_ += stored_->Read(buffer_.data() + end_, buffer_.size() - end_);
    }
    return {buffer_.data() + begin_, end_ - begin_};
  }
  void Consume(size_t count) {
    begin_ += count;
    consumed_ += count;
  }
  uint64_t consumed() const { return consumed_; }
  const ByteSource& stored() const { return *stored_; }

 private:
  std::unique_ptr<ByteSource> stored_;
  std::vector<char> buffer_;
  size_t begin_ = 0;
  size_t end_ = 0;
  uint64_t consumed_ = 0;
};

class InflatingSource : public ByteSource {
 public:
  int64_t stored_bytes() const override { return input_.stored().size(); }
  int64_t stored_bytes_read() const override { return static_cast<int64_t>(input_.consumed()); }

 protected:
  InflatingSource(std::unique_ptr<ByteSource> stored, const char* container)
      : ByteSource(stored->name(), container), input_(std::move(stored)) {}

  void Stop(const std::string& problem) {
    SetProblem(container() + ": " + problem);
    ended_ = true;
  }
  std::string Place() const { return " at byte " + std::to_string(input_.consumed()) + " of the compressed file"; }

  // After the last member or frame: zero padding is common and harmless, anything else is told.
  void EndOfMembers() {
    uint64_t extra = 0;
    bool zeros = true;
    for (std::string_view rest = input_.Fill(1); !rest.empty(); rest = input_.Fill(1)) {
      extra += rest.size();
      zeros = zeros && std::all_of(rest.begin(), rest.end(), [](char c) { return c == 0; });
      input_.Consume(rest.size());
    }
    ended_ = true;
    if (extra > 0 && !zeros)
      SetProblem(container() + ": " + std::to_string(extra) + " bytes after the end of the compressed data were ignored");
  }

  StoredInput input_;
  bool ended_ = false;
};

class GzipSource final : public InflatingSource {
 public:
  explicit GzipSource(std::unique_ptr<ByteSource> stored) : InflatingSource(std::move(stored), "gzip") { StartMember(); }

 protected:
  size_t ReadSome(char* out, size_t size) override {
    while (!ended_) {
      const size_t wanted = std::min<size_t>(size, std::numeric_limits<uint32_t>::max() / 2);
      const std::string_view input = input_.Fill(1);
      state_.next_in = reinterpret_cast<uint8_t*>(const_cast<char*>(input.data()));
      state_.avail_in = static_cast<uint32_t>(input.size());
      state_.next_out = reinterpret_cast<uint8_t*>(out);
      state_.avail_out = static_cast<uint32_t>(wanted);
      const int code = isal_inflate(&state_);
      input_.Consume(input.size() - state_.avail_in);
      const size_t produced = wanted - state_.avail_out;
      if (code != ISAL_DECOMP_OK) {
        Stop(code == ISAL_INCORRECT_CHECKSUM ? "the checksum does not match the data" + Place()
                                             : "the data is damaged" + Place());
      } else if (state_.block_state == ISAL_BLOCK_FINISH) {
        NextMember();
      } else if (produced == 0 && input.empty()) {
        Stop("the data ends early" + Place());
      }
      if (produced > 0) return produced;
    }
    return 0;
  }

 private:
  void StartMember() {
    isal_inflate_init(&state_);
    state_.crc_flag = ISAL_GZIP;
  }
  void NextMember() {
    if (IsGzip(input_.Fill(2))) {
      StartMember();
    } else {
      EndOfMembers();
    }
  }

  inflate_state state_{};
};

class ZstdSource final : public InflatingSource {
 public:
  explicit ZstdSource(std::unique_ptr<ByteSource> stored)
      : InflatingSource(std::move(stored), "zstd"), context_(ZSTD_createDCtx(), &ZSTD_freeDCtx) {}

 protected:
  size_t ReadSome(char* out, size_t size) override {
    while (!ended_) {
      if (frame_done_ && !NextFrame()) break;
      const std::string_view input = input_.Fill(1);
      ZSTD_inBuffer in{input.data(), input.size(), 0};
      ZSTD_outBuffer produced{out, size, 0};
      const size_t code = ZSTD_decompressStream(context_.get(), &produced, &in);
      input_.Consume(in.pos);
      if (ZSTD_isError(code)) {
        Stop(std::string("the data is damaged (") + ZSTD_getErrorName(code) + ")" + Place());
      } else if (code == 0) {
        frame_done_ = true;
      } else if (produced.pos == 0 && input.empty()) {
        Stop("the data ends early" + Place());
      }
      if (produced.pos > 0) return produced.pos;
    }
    return 0;
  }

 private:
  bool NextFrame() {
    frame_done_ = false;
    if (IsZstd(input_.Fill(4))) return true;
    EndOfMembers();
    return false;
  }

  std::unique_ptr<ZSTD_DCtx, size_t (*)(ZSTD_DCtx*)> context_;
  bool frame_done_ = false;
};

}  // namespace

Result<std::unique_ptr<ByteSource>> InflateIfCompressed(std::unique_ptr<ByteSource> stored) {
  const std::string_view head = stored->Peek(4);
  if (IsGzip(head)) return std::unique_ptr<ByteSource>(std::make_unique<GzipSource>(std::move(stored)));
  if (IsZstd(head)) return std::unique_ptr<ByteSource>(std::make_unique<ZstdSource>(std::move(stored)));
  return stored;
}

}  // namespace warpsight
