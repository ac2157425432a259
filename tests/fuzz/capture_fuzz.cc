// Fuzz target: bytes as a capture of `warpsight record`. The first byte says how they are taken: as the whole file, or as
// the inflated records of one chunk, which is then compressed as it should be, so that the decoder sees the bytes.
//
// Nothing may crash, hang or eat memory; what is opened must obey every rule of a sealed trace, on one thread or several.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "../hostile/made_capture.h"
#include "../hostile/trace_dump.h"
#include "../hostile/trace_invariants.h"
#include "formats/native/capture_importer.h"
#include "formats/open_trace.h"
#include "wire/capture_layout.h"

namespace {

[[noreturn]] void FailCapture(const std::string& what) {
  std::fprintf(stderr, "broken rule: %s\n", what.c_str());
  std::abort();
}

warpsight::Result<std::string> EventAt(const std::string& bytes, uint64_t source) {
  warpsight::Result<std::unique_ptr<warpsight::ByteSource>> opened = warpsight::OpenByteSource(bytes, "fuzz");
  if (!opened.ok()) FailCapture("bytes cannot be opened");
  return warpsight::MakeCaptureImporter()->ReadEvent(std::move(opened).value(), source);
}

void CheckSource(const std::string& bytes, uint64_t source) {
  if (!EventAt(bytes, source).ok()) FailCapture("the source of a row leads to no record");
}

// Wherever it points: an answer.
void CheckAnySource(const std::string& bytes, uint64_t source) { (void)EventAt(bytes, source); }

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  const std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  std::string bytes = data[0] % 2 == 0 ? warpsight::testing::CaptureOfRecords(rest) : std::string(rest);
  if (data[0] % 2 != 0 && bytes.size() >= warpsight::wire::kFileMagic.size())
    bytes.replace(0, warpsight::wire::kFileMagic.size(), warpsight::wire::kFileMagic);
  warpsight::ImportOptions options;
  options.threads = 1;
  const warpsight::Result<warpsight::Trace> trace = warpsight::OpenTraceBytes(bytes, "fuzz", options);
  // Threads cost more than a small file: now and then is enough.
  options.threads = data[0] % 16 < 2 ? 2 : 1;
  const warpsight::Result<warpsight::Trace> again = warpsight::OpenTraceBytes(bytes, "fuzz", options);
  if (trace.ok() != again.ok()) FailCapture("the threads decide whether it opens");
  if (!trace.ok()) return 0;
  if (const std::string broken = warpsight::testing::BrokenTraceRule(*trace); !broken.empty()) FailCapture(broken);
  const std::string difference =
      warpsight::testing::FirstDifference(warpsight::testing::DumpTrace(*trace), warpsight::testing::DumpTrace(*again));
  if (!difference.empty()) FailCapture("the threads change the trace: " + difference);
  // The file is read again for each: now and then is enough.
  if (data[0] / 2 % 8 != 0) return 0;
  if (trace->host().size() > 0) CheckSource(bytes, trace->host().source[size % trace->host().size()]);
  if (trace->gpu().size() > 0) CheckSource(bytes, trace->gpu().source[size % trace->gpu().size()]);
  CheckAnySource(bytes, size);
  return 0;
}
