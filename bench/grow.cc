// grow: enlarges a PyTorch profiler trace for speed measurements (see trace_grower.h for what is repeated and how).
//
//   grow IN.json[.gz] OUT.json COPIES      OUT "-" is standard output: grow IN.json.gz - 190 | gzip > large.json.gz
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/byte_source.h"
#include "trace_grower.h"

namespace {

using warpsight::ByteSource;
using warpsight::Result;
using warpsight::bench::TraceGrower;

int Fail(int exit_status, const std::string& what) {
  std::fprintf(stderr, "grow: %s\n", what.c_str());
  return exit_status;
}

std::string ReadAll(ByteSource& source) {
  std::string text;
  while (source.Append(text, size_t{4} << 20) > 0) continue;
  return text;
}

int Grow(const std::string& input, const std::string& output, int64_t copies) {
  Result<std::unique_ptr<ByteSource>> source = warpsight::OpenByteSource(input);
  if (!source.ok()) return Fail(3, source.status().message());
  Result<TraceGrower> grower = TraceGrower::Parse(ReadAll(*source.value()));
  if (!grower.ok()) return Fail(3, input + ": " + grower.status().message());
  std::FILE* file = output == "-" ? stdout : std::fopen(output.c_str(), "wb");
  if (file == nullptr) return Fail(2, "cannot write " + output + ": " + std::strerror(errno));
  // The pieces are large: a second buffer would only copy them.
  std::setvbuf(file, nullptr, _IONBF, 0);
  const auto write = [&](std::string_view piece) {
    return std::fwrite(piece.data(), 1, piece.size(), file) == piece.size();
  };
  const bool written = grower->Write(copies, write);
  if (std::fclose(file) != 0 || !written) return Fail(2, "cannot write " + output + ": " + std::strerror(errno));
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  int64_t copies = 0;
  if (argc != 4) return Fail(2, "usage: grow IN.json[.gz] OUT.json|- COPIES");
  const std::string_view count(argv[3]);
  const auto [end, error] = std::from_chars(count.data(), count.data() + count.size(), copies);
  if (error != std::errc{} || end != count.data() + count.size() || copies < 1) return Fail(2, "COPIES must be 1 or more");
  return Grow(argv[1], argv[2], copies);
}
