// SourceView: the instructions and source lines of one kernel with what the counters say about each.
//
// Place in the flow: CounterReport and KernelCode -> SourceView -> the `source` document, the source page. Every instruction
// of the kernel's functions is a row, executed or not, as on ncu's source page; lines are those of the innermost inlined
// function. Counts of a line are sums over its instructions. Errors: none; a kernel without per-instruction counters has a
// view without columns. Threads: immutable once made; the report and the code must outlive it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "counters/counter_report.h"
#include "counters/function_code.h"
#include "counters/source_columns.h"

namespace warpsight {

struct SourceColumn {
  std::string metric;
  std::string label;
  SourceColumnData::Kind kind = SourceColumnData::Kind::kCount;
  const SourceColumnData* data = nullptr;  // of the table; null when it has no row
  StallSamples stall;
  std::vector<uint32_t> instance;  // one an instruction: 1 + ProfiledKernel::instances; 0 = no value
};

struct SourceInstruction {
  static constexpr uint32_t kNone = ~uint32_t{0};

  uint64_t address = 0;
  uint32_t function = kNone;  // KernelCode::functions
  uint32_t place = 0;         // 1 + FunctionCode::places of it; 0 = none
  uint32_t line = kNone;      // SourceView::lines
  std::string_view opcode;
  std::string_view text;
};

// Numbers that instructions and lines have alike. Absent: the report did not collect them.
struct SourceCounts {
  std::optional<double> samples;
  std::optional<double> executed;         // instructions of warps
  std::optional<double> thread_executed;  // instructions of threads
  std::optional<double> sectors;          // of L2, for global memory
  std::optional<double> ideal_sectors;
  std::optional<double> local_sectors;
  std::optional<double> wavefronts;  // of shared memory
  std::optional<double> ideal_wavefronts;

  // Active threads of the 32 of a warp, as a share.
  std::optional<double> lane_share() const;
};

struct SourceLine {
  uint32_t file = 0;  // SourceView::files
  uint32_t line = 0;
  std::vector<uint32_t> instructions;
};

struct StallShare {
  std::string_view reason;
  double samples = 0;
};

class SourceView {
 public:
  SourceView(const CounterReport& report, const ProfiledKernel& kernel, const KernelCode& code);

  const ProfiledKernel& kernel() const { return *kernel_; }
  const KernelCode& code() const { return *code_; }
  const std::vector<SourceColumn>& columns() const { return columns_; }
  const std::vector<SourceInstruction>& instructions() const { return instructions_; }
  // Most samples first, then most executed instructions, then in file order.
  const std::vector<SourceLine>& lines() const { return lines_; }
  const std::vector<const SourceText*>& files() const { return files_; }

  // The value of a counter for an instruction; absent when it has none.
  CounterValue Value(const SourceColumn& column, uint32_t instruction) const;
  // Sum over instructions.
  double Sum(const SourceColumn& column, const std::vector<uint32_t>& instructions) const;
  SourceCounts Counts(const std::vector<uint32_t>& instructions) const;
  // Why warps waited there, most samples first; reasons without a sample are left out.
  std::vector<StallShare> Stalls(const std::vector<uint32_t>& instructions, bool not_issued) const;
  std::optional<double> total_samples() const { return total_samples_; }
  // Requests to local memory by spilled registers, of the whole kernel: without any, local memory holds arrays of threads.
  std::optional<double> spill_requests() const { return spill_requests_; }
  // The text of a line, without the spaces around it; empty when the source is not at hand.
  std::string_view LineText(const SourceLine& line) const;

 private:
  void AddInstructions(const CounterReport& report);
  void AddColumns(const CounterReport& report);
  void AddColumn(const CounterReport& report, const Metric& metric, std::string_view label);
  void AddLines();
  void FindCounts();
  std::optional<double> SumOf(size_t column, const std::vector<uint32_t>& instructions) const;
  std::optional<uint32_t> FindInstruction(uint64_t address) const;
  bool IsPerInstruction(const Metric& metric) const;

  // Columns that Counts reads.
  static constexpr size_t kNoColumn = ~size_t{0};
  struct CountColumns {
    size_t samples = kNoColumn;
    size_t executed = kNoColumn;
    size_t thread_executed = kNoColumn;
    size_t sectors = kNoColumn;
    size_t ideal_sectors = kNoColumn;
    size_t local_sectors = kNoColumn;
    size_t wavefronts = kNoColumn;
    size_t ideal_wavefronts = kNoColumn;
    std::vector<size_t> reasons;  // of the samples, when they were not counted
  };

  const ProfiledKernel* kernel_;
  const KernelCode* code_;
  CountColumns count_columns_;
  std::vector<SourceColumn> columns_;
  std::vector<SourceInstruction> instructions_;
  std::vector<SourceLine> lines_;
  std::vector<const SourceText*> files_;
  std::optional<double> total_samples_;
  std::optional<double> spill_requests_;
};

// "kernels.cu:9".
std::string LinePlace(const SourceView& view, const SourceLine& line);

}  // namespace warpsight
