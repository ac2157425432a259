// What the tests of exporters share: exporting into memory, and the recordings to export.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../shared_data.h"
#include "base/byte_sink.h"
#include "export/registry.h"
#include "formats/open_trace.h"
#include "trace/trace.h"

namespace warpsight::testing {

struct Exported {
  std::string bytes;
  ExportOutcome outcome;
};

inline Exported ExportTo(std::string_view format, const Trace& trace, const ExportRequest& request = {}) {
  MemorySink sink;
  const Exporter* const exporter = FindExporter(format);
  if (exporter == nullptr) {
    ADD_FAILURE() << "no exporter " << format;
    return {};
  }
  const Result<ExportOutcome> outcome = exporter->Export(trace, request, sink);
  EXPECT_TRUE(outcome.ok());
  return {sink.bytes(), outcome.ok() ? *outcome : ExportOutcome{}};
}

inline std::string ExportTable(const Trace& trace, const std::string& table) {
  ExportRequest request;
  request.table = table;
  return ExportTo("csv", trace, request).bytes;
}

// Every file that may be a timeline: of the repository, and of the shared data where there is any. Each is tried; those that
// are none are refused by the importers.
inline std::vector<std::string> RecordingFiles() {
  std::vector<std::string> files;
  for (const char* folder : {WARPSIGHT_TESTDATA_DIR, WARPSIGHT_EXAMPLES_DIR}) {
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
      if (entry.is_regular_file()) files.push_back(entry.path().string());
    }
  }
  for (const char* folder : {"public/torch", "public/nsys", "public/corrupt", "h200/torch"}) {
    for (const std::string& file : SharedFiles(folder)) files.push_back(file);
  }
  std::sort(files.begin(), files.end());
  return files;
}

// Nothing for what is no timeline that can be opened (reports that need nsys, counter reports, text).
inline std::optional<Trace> OpenIfTimeline(const std::string& file) {
  if (file.ends_with(".nsys-rep") || file.ends_with(".qdrep")) return std::nullopt;
  Result<Trace> trace = OpenTrace(file, {});
  if (!trace.ok()) return std::nullopt;
  return std::move(trace).value();
}

}  // namespace warpsight::testing
