// ImportLog: what an import kept, repaired and left out, and why. The conservation ledger of every report.
//
// Invariant (checked by Trace sealing and by tests): read == kept + repaired + excluded. An event is `repaired` when it is in
// the trace but a field of it was mended; `excluded` when it is not in the trace. Causes that change no event (a note on
// the file, such as "metadata damaged") carry effect kNote and do not enter the sum.
// Thread-compatible.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpsight {

enum class ImportSeverity { kInfo, kWarning, kError };

enum class Effect {
  kNote,      // no event is affected
  kRepaired,  // the event is kept with a mended field
  kExcluded,  // the event is not in the trace
};

struct ImportCause {
  std::string cause;  // stable key, snake_case: "negative_duration"
  int64_t count = 0;
  ImportSeverity severity = ImportSeverity::kInfo;
  Effect effect = Effect::kNote;
  std::string example;      // one sentence for the user, with the place of the first case
  int64_t first_place = -1;  // byte offset of the first case in the (inflated) file, -1 when it has none
};

class ImportLog {
 public:
  // Counts one event read from the file. Every event must be counted once here, whatever becomes of it.
  void CountRead(int64_t events = 1) { read_ += events; }

  // Counts `count` cases of `cause`. An event with several faults must be given one kRepaired/kExcluded cause only and
  // kNote causes for the rest, so that the ledger adds up.
  void Add(std::string_view cause, ImportSeverity severity, Effect effect, std::string_view example, int64_t place, int64_t count = 1);

  // Joins the log of another part of the same file.
  void Merge(const ImportLog& other);

  int64_t read() const { return read_; }
  int64_t kept() const { return read_ - repaired() - excluded(); }
  int64_t repaired() const;
  int64_t excluded() const;
  // Sorted by severity (worst first), then cause.
  std::vector<ImportCause> causes() const;
  int64_t count(std::string_view cause) const;

 private:
  ImportCause* Find(std::string_view cause);

  int64_t read_ = 0;
  std::vector<ImportCause> causes_;
};

}  // namespace warpsight
