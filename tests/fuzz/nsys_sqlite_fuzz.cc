// Fuzz target: bytes through the import of an nsys export, with table parts of a size that the first byte chooses.
//
// The magic words that every SQLite file begins with are put there, so that the bytes reach the importer. Nothing may crash,
// hang or eat memory; what is opened must obey every rule of a sealed trace, and the parts and workers must not show.
#include <sqlite3.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <string_view>

#include "../hostile/trace_dump.h"
#include "../hostile/trace_invariants.h"
#include "formats/open_trace.h"

namespace {

[[noreturn]] void FailNsys(const std::string& what) {
  std::fprintf(stderr, "broken rule: %s\n", what.c_str());
  std::abort();
}

// Whether SQLite finds every row where it should be: a search in an unsorted tree finds one row or another.
bool SoundTree(std::string bytes) {
  sqlite3* handle = nullptr;
  sqlite3_stmt* check = nullptr;
  sqlite3_open(":memory:", &handle);
  const auto size = static_cast<sqlite3_int64>(bytes.size());
  bool sound = sqlite3_deserialize(handle, "main", reinterpret_cast<unsigned char*>(bytes.data()), size, size,
                                   SQLITE_DESERIALIZE_READONLY) == SQLITE_OK &&
               sqlite3_prepare_v2(handle, "PRAGMA quick_check", -1, &check, nullptr) == SQLITE_OK &&
               sqlite3_step(check) == SQLITE_ROW &&
               std::strcmp(reinterpret_cast<const char*>(sqlite3_column_text(check, 0)), "ok") == 0;
  sqlite3_finalize(check);
  sqlite3_close(handle);
  return sound;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  constexpr std::string_view kMagic = std::string_view("SQLite format 3\0", 16);
  if (size <= kMagic.size()) return 0;
  std::string bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  bytes.replace(0, kMagic.size(), kMagic);
  warpsight::ImportOptions options;
  options.threads = 1;
  const warpsight::Result<warpsight::Trace> whole = warpsight::OpenTraceBytes(bytes, "fuzz", options);
  options.block_bytes = size_t{1} + data[0];
  const warpsight::Result<warpsight::Trace> cut = warpsight::OpenTraceBytes(bytes, "fuzz", options);
  for (const auto* result : {&whole, &cut}) {
    if (!result->ok()) {
      if (result->status().kind() != warpsight::StatusKind::kUnreadable)
        FailNsys("refused otherwise: " + result->status().message());
    } else if (const std::string broken = warpsight::testing::BrokenTraceRule(**result); !broken.empty()) {
      FailNsys(broken);
    }
  }
  if (whole.ok() != cut.ok()) FailNsys("the parts decide whether it opens");
  // Where a table is damaged the parts may decide how much of it is lost.
  if (!whole.ok() || whole->log().count("damaged_table") + cut->log().count("damaged_table") > 0) return 0;
  const std::string difference =
      warpsight::testing::FirstDifference(warpsight::testing::DumpTrace(*whole), warpsight::testing::DumpTrace(*cut));
  if (!difference.empty() && SoundTree(bytes)) FailNsys("the parts change the trace: " + difference);
  return 0;
}
