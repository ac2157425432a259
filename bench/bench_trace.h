// The trace that the import benchmarks measure on: the file named by WARPSIGHT_BENCH_TRACE, else decode_b1 of examples/
// grown to about 265 MB into a temporary file, which goes when the program ends.
#pragma once

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>

#include "base/byte_source.h"
#include "trace_grower.h"

namespace warpsight::bench {

// Everything the source gives, inflated. A benchmark without its input makes no sense: any problem ends the program.
inline std::string ReadWholeFile(const std::string& path) {
  Result<std::unique_ptr<ByteSource>> source = OpenByteSource(path);
  std::string text;
  while (source.ok() && source.value()->Append(text, size_t{16} << 20) > 0) continue;
  const std::string problem = source.ok() ? source.value()->problem() : source.status().message();
  if (!problem.empty()) {
    std::cerr << problem << "\n";
    std::exit(3);
  }
  return text;
}

class BenchTrace {
 public:
  BenchTrace() {
    if (const char* given = std::getenv("WARPSIGHT_BENCH_TRACE")) {
      path_ = given;
    } else {
      Grow();
    }
    bytes_ = std::filesystem::file_size(path_);
  }
  ~BenchTrace() {
    if (temporary_) std::filesystem::remove(path_);
  }
  BenchTrace(const BenchTrace&) = delete;
  BenchTrace& operator=(const BenchTrace&) = delete;

  const std::string& path() const { return path_; }
  // The same in gzip, beside it; empty when there is none.
  std::string gzip_path() const { return std::filesystem::exists(path_ + ".gz") ? path_ + ".gz" : ""; }
  size_t bytes() const { return bytes_; }

 private:
  void Grow() {
    constexpr size_t kWantedBytes = 265'000'000;
    std::string recording = ReadWholeFile(WARPSIGHT_EXAMPLES_DIR "/decode_b1.pt.trace.json.gz");
    const auto copies = static_cast<int64_t>(kWantedBytes / recording.size() + 1);
    Result<TraceGrower> grower = TraceGrower::Parse(std::move(recording));
    if (!grower.ok()) {
      std::cerr << grower.status().message() << "\n";
      std::exit(3);
    }
    std::string name = (std::filesystem::temp_directory_path() / "warpsight_bench_XXXXXX").string();
    const int file = mkstemp(name.data());
    if (file >= 0) close(file);
    path_ = name;
    temporary_ = true;
    std::ofstream out(path_, std::ios::binary);
    grower->Write(copies, [&](std::string_view piece) { return static_cast<bool>(out << piece); });
  }

  std::string path_;
  size_t bytes_ = 0;
  bool temporary_ = false;
};

// Built on first use. A process that forks must not build it in the child.
inline const BenchTrace& GetBenchTrace() {
  static const BenchTrace trace;
  return trace;
}

}  // namespace warpsight::bench
