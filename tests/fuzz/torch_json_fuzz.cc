// Fuzz target: bytes through the whole import of a Chrome-JSON trace, in blocks of a size that the first byte chooses.
//
// Nothing may crash, hang or eat memory; what is opened must obey every rule of a sealed trace, and as long as no event had
// to be mended the blocks must not show. (Where one had, they may decide how much is lost with it.)
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "../hostile/trace_dump.h"
#include "../hostile/trace_invariants.h"
#include "formats/open_trace.h"

namespace {

[[noreturn]] void Fail(const std::string& what) {
  std::fprintf(stderr, "broken rule: %s\n", what.c_str());
  std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  warpsight::ImportOptions options;
  options.threads = 1;
  options.block_bytes = size_t{1} + data[0];
  const warpsight::Result<warpsight::Trace> cut = warpsight::OpenTraceBytes(bytes, "fuzz", options);
  options.block_bytes = size + 1;
  const warpsight::Result<warpsight::Trace> whole = warpsight::OpenTraceBytes(bytes, "fuzz", options);
  for (const auto* result : {&cut, &whole}) {
    if (!result->ok()) {
      // Lacking: a counter report, which has no timeline.
      if (result->status().kind() != warpsight::StatusKind::kUnreadable &&
          result->status().kind() != warpsight::StatusKind::kLacks)
        Fail("refused otherwise: " + result->status().message());
    } else if (const std::string broken = warpsight::testing::BrokenTraceRule(**result); !broken.empty()) {
      Fail(broken);
    }
  }
  if (!cut.ok() || !whole.ok()) return 0;
  if (cut->log().kept() < cut->log().read() || whole->log().kept() < whole->log().read()) return 0;
  const std::string difference =
      warpsight::testing::FirstDifference(warpsight::testing::DumpTrace(*whole), warpsight::testing::DumpTrace(*cut));
  if (!difference.empty()) Fail("the blocks change the trace: " + difference);
  return 0;
}
