#include "base/compressing_sink.h"

#include <isa-l/igzip_lib.h>
#include <zstd.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/check.h"

namespace warpsight {
namespace {

constexpr size_t kCompressedBytes = size_t{256} << 10;
constexpr int kZstdLevel = 3;

class GzipSink final : public CompressingSink {
 public:
  explicit GzipSink(ByteSink& below) : below_(below), level_memory_(ISAL_DEF_LVL1_DEFAULT), out_(kCompressedBytes) {
    isal_deflate_init(&stream_);
    stream_.gzip_flag = IGZIP_GZIP;
    stream_.level = 1;
    stream_.level_buf = level_memory_.data();
    stream_.level_buf_size = static_cast<uint32_t>(level_memory_.size());
    stream_.flush = NO_FLUSH;
  }
  bool wants_more() const override { return below_.wants_more(); }

  Status Write(std::string_view bytes) override {
    constexpr size_t kMost = size_t{1} << 30;  // the library counts in 32 bits
    while (!bytes.empty()) {
      const std::string_view part = bytes.substr(0, kMost);
      bytes.remove_prefix(part.size());
      stream_.next_in = reinterpret_cast<uint8_t*>(const_cast<char*>(part.data()));
      stream_.avail_in = static_cast<uint32_t>(part.size());
      while (stream_.avail_in > 0) WARPSIGHT_RETURN_IF_ERROR(Step());
    }
    return OkStatus();
  }

  Status Finish() override {
    stream_.end_of_stream = 1;
    stream_.avail_in = 0;
    while (stream_.internal_state.state != ZSTATE_END) WARPSIGHT_RETURN_IF_ERROR(Step());
    return OkStatus();
  }

 private:
  Status Step() {
    stream_.next_out = out_.data();
    stream_.avail_out = static_cast<uint32_t>(out_.size());
    CHECK(isal_deflate(&stream_) == COMP_OK);
    return below_.Write({reinterpret_cast<const char*>(out_.data()), out_.size() - stream_.avail_out});
  }

  ByteSink& below_;
  std::vector<uint8_t> level_memory_;
  std::vector<uint8_t> out_;
  isal_zstream stream_;
};

class ZstdSink final : public CompressingSink {
 public:
  explicit ZstdSink(ByteSink& below)
      : below_(below), stream_(ZSTD_createCStream(), ZSTD_freeCStream), out_(kCompressedBytes) {
    CHECK(stream_ != nullptr);
    CHECK(ZSTD_isError(ZSTD_CCtx_setParameter(stream_.get(), ZSTD_c_compressionLevel, kZstdLevel)) == 0);
    // What is damaged later is noticed by who reads it.
    CHECK(ZSTD_isError(ZSTD_CCtx_setParameter(stream_.get(), ZSTD_c_checksumFlag, 1)) == 0);
  }
  bool wants_more() const override { return below_.wants_more(); }

  Status Write(std::string_view bytes) override {
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    while (in.pos < in.size) {
      size_t left = 0;
      WARPSIGHT_RETURN_IF_ERROR(Step(in, ZSTD_e_continue, left));
    }
    return OkStatus();
  }

  Status Finish() override {
    ZSTD_inBuffer in{nullptr, 0, 0};
    size_t left = 1;
    while (left > 0) WARPSIGHT_RETURN_IF_ERROR(Step(in, ZSTD_e_end, left));
    return OkStatus();
  }

 private:
  Status Step(ZSTD_inBuffer& in, ZSTD_EndDirective how, size_t& left) {
    ZSTD_outBuffer out{out_.data(), out_.size(), 0};
    left = ZSTD_compressStream2(stream_.get(), &out, &in, how);
    CHECK(ZSTD_isError(left) == 0);
    return below_.Write({out_.data(), out.pos});
  }

  ByteSink& below_;
  std::unique_ptr<ZSTD_CStream, size_t (*)(ZSTD_CStream*)> stream_;
  std::vector<char> out_;
};

}  // namespace

std::unique_ptr<CompressingSink> CompressorByName(const std::string& path, ByteSink& below) {
  if (path.ends_with(".gz")) return std::make_unique<GzipSink>(below);
  if (path.ends_with(".zst")) return std::make_unique<ZstdSink>(below);
  return nullptr;
}

}  // namespace warpsight
