// ImportLog: what an import kept, repaired and left out, and why. The conservation ledger of every report.
//
// Invariant (checked by Trace sealing and by tests): read == kept + repaired + excluded. An event is `repaired` when it is
// in the trace but a field of it was mended; `excluded` when it is not in the trace. It counts once, under its gravest fate;
// its other faults, and causes that change no event (a note on the file, such as "metadata damaged"), are added with effect
// kNote. Thread-compatible.
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
  std::string example;       // one sentence for the user, with the place of the first case
  int64_t first_place = -1;  // byte offset of the first case in the (inflated) file, -1 when it has none
};

class ImportLog {
 public:
  // Counts one event read from the file. Every event must be counted once here, whatever becomes of it.
  void CountRead(int64_t events = 1) { read_ += events; }

  // Counts `count` cases of `cause`. An event with several faults must be given one kRepaired/kExcluded cause only and
  // kNote causes for the rest, so that the ledger adds up. One cause may so have cases of two effects: they stay apart.
  // `example` becomes one line: control characters in what it quotes turn to spaces.
  // Returns the number of the cause in this log, for cause_at.
  size_t Add(std::string_view cause, ImportSeverity severity, Effect effect, std::string_view example, int64_t place,
             int64_t count = 1);
  const ImportCause& cause_at(size_t number) const { return causes_[number]; }

  // An event that was counted as repaired by `cause` turned out to be unusable and is excluded: its repair becomes a note.
  void TurnRepairToNote(const ImportCause& cause);

  // Joins the log of another part of the same file.
  void Merge(const ImportLog& other);

  int64_t read() const { return read_; }
  int64_t kept() const { return read_ - repaired_ - excluded_; }
  int64_t repaired() const { return repaired_; }
  int64_t excluded() const { return excluded_; }
  // Sorted by severity (worst first), then cause, then effect (strongest first).
  std::vector<ImportCause> causes() const;
  // Cases of `cause`, whatever their effect.
  int64_t count(std::string_view cause) const;

 private:
  size_t Join(const ImportCause& cause);

  int64_t read_ = 0;
  int64_t repaired_ = 0;
  int64_t excluded_ = 0;
  std::vector<ImportCause> causes_;
};

}  // namespace warpsight
