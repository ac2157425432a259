// The report of CPU samples: functions by the samples in which they ran themselves (self) and in which they were on the
// stack (total).
#include <algorithm>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "analysis/stats/stats_groups.h"
#include "analysis/stats/stats_reports.h"

namespace warpsight {
namespace {

struct FunctionSamples {
  StackFrame function;  // its parent unused
  int64_t self = 0;
  int64_t total = 0;
  uint32_t last_stack = 0;  // that was counted: a function that calls itself counts once
};

// Functions are told by name, module and kind; frames of one function stand all over the tree.
class FunctionTable {
 public:
  explicit FunctionTable(const StackTree& stacks) : of_frame_(stacks.size(), kNoRow), stacks_(stacks) {}

  FunctionSamples& Of(StackIndex frame) {
    uint32_t& row = of_frame_[frame];
    if (row == kNoRow) {
      StackFrame function = stacks_.frame(frame);
      function.parent = 0;
      row = functions_.Intern(function) - 1;
      if (row == rows_.size()) rows_.push_back({function});
    }
    return rows_[row];
  }
  std::vector<FunctionSamples>& rows() { return rows_; }

 private:
  std::vector<uint32_t> of_frame_;
  const StackTree& stacks_;
  StackTree functions_;
  std::vector<FunctionSamples> rows_;
};

const char* KindText(FrameKind kind) {
  if (kind == FrameKind::kPython) return "Python";
  return kind == FrameKind::kKernel ? "kernel" : "native";
}

Cell TextCell(const Trace& trace, StringId text) {
  return text == StringId::kEmpty ? Cell() : Cell(std::string(trace.Text(text)));
}

}  // namespace

Table CpuSampleSummary(const Trace& trace, const Selection& selection) {
  const CpuSamples& samples = trace.cpu_samples();
  const StackTree& stacks = trace.stacks();
  std::vector<int64_t> of_stack(stacks.size(), 0);
  int64_t all = 0;
  for (uint32_t row = 0; row < samples.size(); ++row) {
    if (!StartsIn(selection, samples.time_ns[row])) continue;
    ++of_stack[samples.stack[row]];
    ++all;
  }
  FunctionTable functions(stacks);
  for (StackIndex stack = 1; stack < stacks.size(); ++stack) {
    if (of_stack[stack] == 0) continue;
    functions.Of(stack).self += of_stack[stack];
    for (StackIndex frame = stack; frame != 0; frame = stacks.frame(frame).parent) {
      FunctionSamples& function = functions.Of(frame);
      if (function.last_stack == stack) continue;
      function.last_stack = stack;
      function.total += of_stack[stack];
    }
  }
  Table table;
  table.columns = {ShareColumn("self_share", "Self (%)"),      CountColumn("self_samples", "Self"),
                   ShareColumn("total_share", "Total (%)"),    CountColumn("total_samples", "Total"),
                   NameColumn("function", "Function"),         Hideable(TextColumn("kind", "Kind"), 2),
                   Hideable(NameColumn("module", "Module"), 1)};
  std::vector<FunctionSamples>& rows = functions.rows();
  std::sort(rows.begin(), rows.end(), [&](const FunctionSamples& a, const FunctionSamples& b) {
    if (a.self != b.self) return a.self > b.self;
    if (a.total != b.total) return a.total > b.total;
    const auto texts = [&](const FunctionSamples& one) {
      return std::pair(trace.Text(one.function.function), trace.Text(one.function.module));
    };
    return texts(a) < texts(b);
  });
  const auto share = [&](int64_t count) { return Cell(static_cast<double>(count) / static_cast<double>(all)); };
  const auto add = [&](int64_t self, int64_t total, Cell function, const char* kind, Cell module) {
    table.rows.push_back(
        {share(self), self, share(total), total, std::move(function), std::string(kind), std::move(module)});
  };
  for (const FunctionSamples& row : rows)
    add(row.self, row.total, TextCell(trace, row.function.function), KindText(row.function.kind),
        TextCell(trace, row.function.module));
  if (of_stack[0] > 0) add(of_stack[0], of_stack[0], Cell("[no stack recorded]"), KindText(FrameKind::kNative), Cell());
  return table;
}

}  // namespace warpsight
