#include "analysis/steps_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "analysis/thresholds.h"
#include "document/units.h"

namespace warpsight {
namespace {

using nlohmann::ordered_json;

ordered_json RowData(const StepWindow& step, const std::optional<StepGpu>& gpu) {
  ordered_json data;
  data["name"] = step.name;
  data["index"] = step.index;
  // Absent is null, never 0.
  const auto put = [&data, &gpu](const char* key, auto StepGpu::*member) {
    data[key] = gpu ? ordered_json((*gpu).*member) : ordered_json(nullptr);
  };
  put("device", &StepGpu::device);
  data["start_ns"] = step.time.start;
  data["wall_ns"] = step.time.duration();
  put("busy_ns", &StepGpu::busy_ns);
  put("idle_ns", &StepGpu::idle_ns);
  put("work_ns", &StepGpu::work_ns);
  put("kernels", &StepGpu::kernels);
  put("launches", &StepGpu::launches);
  put("memcpys", &StepGpu::memcpys);
  put("memsets", &StepGpu::memsets);
  put("launched_work_ns", &StepGpu::launched_work_ns);
  put("launched_outside_ns", &StepGpu::launched_outside_ns);
  put("exposed_collective_ns", &StepGpu::exposed_collective_ns);
  const bool evaluated = gpu && gpu->bound != StepBound::kNotEvaluated;
  data["bound"] = evaluated ? ordered_json(StepBoundName(gpu->bound)) : ordered_json(nullptr);
  return data;
}

Cell ShareCell(Ns part, Ns whole) {
  if (whole == 0) return std::monostate();
  return static_cast<double>(part) / static_cast<double>(whole);
}

// The cells from "busy_ns" on.
Row GpuCells(const StepGpu& gpu, Ns wall_ns) {
  Row cells = {gpu.busy_ns, gpu.idle_ns,         ShareCell(gpu.idle_ns, wall_ns), gpu.work_ns, gpu.kernels, gpu.launches,
               gpu.memcpys, gpu.launched_work_ns};
  if (gpu.bound != StepBound::kNotEvaluated) cells.emplace_back(std::string(StepBoundName(gpu.bound)));
  return cells;
}

// The rows of the steps that take longest, the longest first; of those that take as long in their order.
std::vector<StepRow> LongestFirst(const StepsResult& steps, size_t most) {
  std::vector<uint32_t> order(steps.rows.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto wall_ns = [&steps](uint32_t row) { return steps.steps[steps.rows[row].step].time.duration(); };
  const auto middle = order.begin() + static_cast<std::ptrdiff_t>(std::min(most, order.size()));
  std::partial_sort(order.begin(), middle, order.end(),
                    [&](uint32_t a, uint32_t b) { return wall_ns(a) != wall_ns(b) ? wall_ns(a) > wall_ns(b) : a < b; });
  std::vector<StepRow> longest;
  for (auto row = order.begin(); row != middle; ++row) longest.push_back(steps.rows[*row]);
  return longest;
}

std::string AllStepsText(const std::vector<StepWindow>& steps) {
  std::vector<Ns> walls;
  walls.reserve(steps.size());
  for (const StepWindow& step : steps) walls.push_back(step.time.duration());
  std::sort(walls.begin(), walls.end());
  const Ns low = walls[(walls.size() - 1) / 2];
  const Ns median = low + (walls[walls.size() / 2] - low) / 2;
  return fmt::format("{} steps: wall {} in the median, {} to {}. The longest are listed, the longest first.",
                     FormatCount(static_cast<int64_t>(steps.size())), FormatDuration(median), FormatDuration(walls.front()),
                     FormatDuration(walls.back()));
}

std::string CutNote(size_t rows, size_t shown) {
  return shown >= rows ? ""
                       : fmt::format("{} more rows are not listed: warpsight steps has all, in their order.",
                                     FormatCount(static_cast<int64_t>(rows - shown)));
}

Table MakeTable(const StepsResult& steps, std::span<const StepRow> rows) {
  Table table;
  table.columns = {NameColumn("name", "Step"),
                   Hideable(CountColumn("index", "Index")),
                   CountColumn("device", "GPU"),
                   Hideable(CountColumn("start_ns", "Start (ns)")),
                   DurationColumn("wall_ns", "Wall"),
                   DurationColumn("busy_ns", "Busy"),
                   Hideable(DurationColumn("idle_ns", "Idle time")),
                   ShareColumn("idle_share", "Idle"),
                   Hideable(DurationColumn("work_ns", "GPU work")),
                   CountColumn("kernels", "Kernels"),
                   Hideable(CountColumn("launches", "Launches")),
                   Hideable(CountColumn("memcpys", "Copies")),
                   Hideable(DurationColumn("launched_work_ns", "Launched work")),
                   TextColumn("bound", "Bound")};
  for (const StepRow& row : rows) {
    const StepWindow& step = steps.steps[row.step];
    const Ns wall_ns = step.time.duration();
    Row cells = {step.name, step.index, Cell(), step.time.start, wall_ns};
    if (row.gpu) {
      cells[2] = int64_t{row.gpu->device};
      for (Cell& cell : GpuCells(*row.gpu, wall_ns)) cells.push_back(std::move(cell));
    }
    cells.resize(table.columns.size());
    table.rows.push_back(std::move(cells));
  }
  return table;
}

// Of more rows than text shows.
Table MakeCutTable(const StepsResult& steps, const StepsDocumentOptions& options) {
  const size_t all = steps.rows.size();
  const auto text_rows = static_cast<size_t>(options.limit);
  const size_t page_rows = std::min(all, static_cast<size_t>(std::max(options.page_rows, options.limit)));
  Table table = MakeTable(steps, LongestFirst(steps, page_rows));
  table.text_cut = TextCut{text_rows, CutNote(all, text_rows)};
  table.footnote = CutNote(all, page_rows);
  return table;
}

std::string SourceText(const StepsResult& steps) {
  const bool marks_steps = HasTorchFormat(steps.recorder);
  switch (steps.source) {
    case StepSource::kNone:
      return fmt::format("No steps: {}. {}", kNoStepsText, AdviceSentence(RecorderAdvice(steps.recorder, "steps")));
    case StepSource::kProfilerStep:
      return "Steps are the ProfilerStep ranges of the recording.";
    case StepSource::kRange:
      return std::string("Steps are the user range that repeats and holds most launches") +
             (marks_steps ? "; the recording has no ProfilerStep." : ".");
    case StepSource::kRepetition:
      return "Steps were detected from the launch sequence that repeats; the recording has no marker. A step lasts from its "
             "first launch to the first launch of the next one.";
  }
  return {};
}

// How much of the GPU work ran outside of the step that launched it.
double OutsideShare(const StepsResult& steps) {
  Ns launched = 0;
  Ns outside = 0;
  for (const StepRow& row : steps.rows) {
    if (!row.gpu) continue;
    launched = SaturatingAdd(launched, row.gpu->launched_work_ns);
    outside = SaturatingAdd(outside, row.gpu->launched_outside_ns);
  }
  return launched == 0 ? 0 : static_cast<double>(outside) / static_cast<double>(launched);
}

}  // namespace

Status CheckSteps(const StepsResult& steps) {
  if (!steps.steps.empty()) return OkStatus();
  if (steps.steps_in_recording > 0) {
    return LacksError(
        "none of the steps of the recording lies wholly in the selected range: give a longer --range, or --step N");
  }
  return LacksError(fmt::format("no steps: {}; {}, or cut the window with --range", kNoStepsText,
                                RecorderAdvice(steps.recorder, "steps")));
}

Document MakeStepsDocument(const StepsResult& steps, const StepsDocumentOptions& options) {
  Document document;
  document.verb = "steps";
  if (options.data) {
    document.data["source"] = StepSourceName(steps.source);
    document.data["rows"] = ordered_json::array();
    for (const StepRow& row : steps.rows) document.data["rows"].push_back(RowData(steps.steps[row.step], row.gpu));
  }

  document.blocks.push_back(Paragraph{SourceText(steps), ParagraphKind::kPlain});
  if (options.limit > 0 && steps.rows.size() > static_cast<size_t>(options.limit)) {
    document.blocks.push_back(Paragraph{AllStepsText(steps.steps)});
    document.blocks.push_back(MakeCutTable(steps, options));
  } else if (!steps.rows.empty()) {
    document.blocks.push_back(MakeTable(steps, steps.rows));
  }
  if (const double outside = OutsideShare(steps); outside > ThresholdShare("lint_work_outside_step")) {
    document.blocks.push_back(Paragraph{
        fmt::format(
            "{} of the GPU work ran outside of the step that launched it: the steps do not end with a synchronisation. "
            "Walls are cut at the host's borders; launched work counts the work where it was launched.",
            FormatShare(outside)),
        ParagraphKind::kNote});
  }
  if (!steps.rows.empty()) {
    document.blocks.push_back(Paragraph{
        "Times come from a profiled run. The profiler slows the host, so walls and idle are longer than without it.",
        ParagraphKind::kNote});
  }
  return document;
}

}  // namespace warpsight
