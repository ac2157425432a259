// ChromeRows: the rows of a trace as events of the Chrome trace format, in the words of PyTorch's profiler.
//
// What is written is what formats/torch_json reads back into equal rows (docs/export.md). Place in the flow: Trace ->
// ChromeRows -> OutputBuffer, table by table; ChromeExporter puts the frame around. Units: microseconds with three decimals.
// Threads: one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "export/chrome/json_texts.h"
#include "export/chrome/json_writer.h"
#include "export/exporter.h"
#include "export/row_window.h"
#include "trace/trace.h"

namespace warpsight::chrome {

class ChromeRows {
 public:
  ChromeRows(const Trace& trace, const ExportRequest& request, OutputBuffer& out, ExportOutcome& outcome);

  // Each counts its rows in the outcome.
  void WriteNames();
  void WriteHostEvents();
  void WriteGpuWork();
  void WriteGpuSpans();
  void WriteFlows();
  void WriteInstants();
  void WriteCounters();
  // What no event could say.
  void CountLosses();

 private:
  class Args;

  void MakePlaces();
  void BeginEvent();
  void WriteName(std::string_view what, std::string_view place, std::string_view name);
  void WriteHostEvent(uint32_t row, Interval time);
  void WriteHostArgs(uint32_t row, bool is_complete);
  void WriteGpuWork(uint32_t row, Interval time);
  void WriteCollective(const Collective& collective, Args& args);
  void WriteLaunchFlow(uint32_t row);
  bool IsMemoryReport(const CounterSeries& series) const;
  int64_t WriteMemoryReports(const CounterSeries& series);  // how many
  void WriteCounter(const CounterSeries& series, std::string_view head, uint32_t row);
  std::string_view LaunchArgs(LaunchIndex index);
  // "name" of the args that hold what a recorder says beside the name of an event of this kind.
  void WriteTypesKey(HostKind kind, Args& args);

  const Trace& trace_;
  OutputBuffer& out_;
  ExportOutcome& outcome_;
  RowWindow window_;
  JsonTexts texts_;
  JsonWriter json_;
  bool from_chrome_;
  bool first_ = true;
  // ,"pid":545,"tid":545  by thread; the same by stream, and "device":0,"context":1,"stream":7.
  std::vector<std::string> thread_places_;
  std::vector<std::string> stream_places_;
  std::vector<std::string> stream_args_;
  std::vector<std::string> launch_args_;  // by LaunchIndex, made when met
  int64_t changed_labels_ = 0;
  int64_t long_gpu_rows_ = 0;
  int64_t large_node_ids_ = 0;
  int64_t odd_phases_ = 0;
  int64_t unread_types_ = 0;
};

}  // namespace warpsight::chrome
