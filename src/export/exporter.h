// Exporter: writes a Trace in the format of another tool.
//
// Every exporter describes itself (name, what reads it) and stands in the one list of export/registry.cc. It reads the
// sealed Trace alone, streams into a sink, and holds neither the output nor a copy of the tables. What the format can't say
// is never left out in silence: it is counted in the outcome. Units: ns on the trace's clock. Errors: those of the sink.
// Threads: one; exporters have no state.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/byte_sink.h"
#include "base/status.h"
#include "base/time.h"
#include "trace/trace.h"

namespace warpsight {

struct ExportRequest {
  // Rows that reach into the window are written with the part of them that lies in it. Absent = everything.
  std::optional<Interval> window;
  // Work, spans and counters of this device only. Host events of all threads stay.
  std::optional<int32_t> device;
  // Of formats with tables: which one.
  std::string table;
};

// What was written and what was not.
struct ExportOutcome {
  // Rows by table, in the order in which they were written.
  std::vector<std::pair<std::string, int64_t>> rows;
  // Rows that the window's borders cut.
  int64_t cut = 0;
  // What the format can't say, as a noun with its number before it: {12, "arrows that are no launches"}.
  struct Loss {
    int64_t count = 0;
    std::string what;
  };
  std::vector<Loss> lost;

  void Lose(int64_t count, std::string what) {
    if (count > 0) lost.push_back({count, std::move(what)});
  }
};

class Exporter {
 public:
  virtual ~Exporter() = default;
  // Short stable name, as --to takes it: "perfetto".
  virtual std::string_view name() const = 0;
  // One line for --help: what reads it.
  virtual std::string_view description() const = 0;
  // Names of the tables of a format that has a file for each; empty for formats of one file.
  virtual std::vector<std::string> tables() const { return {}; }
  // How the file of a table is called, behind the table's name: ".csv".
  virtual std::string_view suffix() const { return ""; }
  virtual Result<ExportOutcome> Export(const Trace& trace, const ExportRequest& request, ByteSink& sink) const = 0;
};

}  // namespace warpsight
