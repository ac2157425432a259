#include "analysis/counters/source_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <numeric>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace warpsight {
namespace {

constexpr std::string_view kSampleCount = "smsp__pcsamp_sample_count";
constexpr std::string_view kExecutedCount = "inst_executed";
constexpr double kWarpThreads = 32;

const uint64_t* KeyAddress(const ProfiledKernel& kernel, const Metric& metric, uint32_t instance) {
  return std::get_if<uint64_t>(&kernel.instances[metric.first_instance + instance].key);
}

// Labels that the report's own sections have for its per-instruction counters, in their order.
std::vector<SectionMetric> LabelledColumns(const ProfiledKernel& kernel) {
  std::vector<SectionMetric> labelled;
  for (const CounterSection& section : kernel.sections)
    labelled.insert(labelled.end(), section.source_columns.begin(), section.source_columns.end());
  return labelled;
}

// Addresses that counters have beyond the code at hand; all of them when there is no code.
void AddLooseAddresses(const CounterReport& report, const ProfiledKernel& kernel, std::vector<SourceInstruction>& rows) {
  std::unordered_set<uint64_t> known;
  for (const SourceInstruction& row : rows) known.insert(row.address);
  const auto add = [&](uint64_t address, std::string_view text) {
    if (!known.insert(address).second) return;
    SourceInstruction& row = rows.emplace_back();
    row.address = address;
    row.text = text;
  };
  for (const InstructionText& instruction : kernel.instruction_texts) add(instruction.address, instruction.text);
  for (const Metric& metric : kernel.metrics) {
    const std::string_view name = report.MetricName(metric.name);
    // All stall reasons have the addresses of the samples.
    if (name != kExecutedCount && name != kSampleCount && ReadStallMetric(name).reason != "wait") continue;
    for (uint32_t i = 0; i < metric.instance_count; ++i) {
      if (const uint64_t* address = KeyAddress(kernel, metric, i)) add(*address, {});
    }
  }
}

std::string_view WithoutMargins(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view() : text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

}  // namespace

std::optional<double> SourceCounts::lane_share() const {
  if (!executed || !thread_executed || *executed <= 0) return std::nullopt;
  return *thread_executed / (kWarpThreads * *executed);
}

SourceView::SourceView(const CounterReport& report, const ProfiledKernel& kernel, const KernelCode& code)
    : kernel_(&kernel), code_(&code) {
  AddInstructions(report);
  AddColumns(report);
  if (columns_.empty()) {
    instructions_.clear();
    return;
  }
  FindCounts();
  std::vector<uint32_t> all(instructions_.size());
  std::iota(all.begin(), all.end(), 0);
  total_samples_ = Counts(all).samples;
  for (const std::string_view name : {"derived__local_spilling_requests", "sass__inst_executed_register_spilling"}) {
    if (!spill_requests_) spill_requests_ = report.Number(kernel, name);
  }
  AddLines();
}

void SourceView::AddInstructions(const CounterReport& report) {
  for (uint32_t f = 0; f < code_->functions.size(); ++f) {
    const KernelCode::Function& function = code_->functions[f];
    for (const CodeInstruction& instruction : function.code.instructions) {
      SourceInstruction& row = instructions_.emplace_back();
      row.address = function.base_address + instruction.offset;
      row.function = f;
      row.place = instruction.place;
      row.opcode = instruction.opcode;
      row.text = instruction.text;
    }
  }
  AddLooseAddresses(report, *kernel_, instructions_);
  std::ranges::stable_sort(instructions_, {}, &SourceInstruction::address);
}

std::optional<uint32_t> SourceView::FindInstruction(uint64_t address) const {
  const auto found = std::ranges::lower_bound(instructions_, address, {}, &SourceInstruction::address);
  if (found == instructions_.end() || found->address != address) return std::nullopt;
  return static_cast<uint32_t>(found - instructions_.begin());
}

bool SourceView::IsPerInstruction(const Metric& metric) const {
  if (metric.instance_count == 0 || metric.is_time_series) return false;
  for (uint32_t i = 0; i < metric.instance_count; ++i) {
    const uint64_t* address = KeyAddress(*kernel_, metric, i);
    if (address != nullptr && *address != 0 && FindInstruction(*address)) return true;
  }
  return false;
}

void SourceView::AddColumn(const CounterReport& report, const Metric& metric, std::string_view label) {
  SourceColumn& column = columns_.emplace_back();
  column.metric = report.MetricName(metric.name);
  column.stall = ReadStallMetric(column.metric);
  column.data = FindSourceColumn(column.metric);
  if (column.data != nullptr) {
    column.kind = column.data->kind;
    if (label.empty()) label = column.data->label;
  } else if (column.metric.starts_with("derived__")) {
    column.kind = SourceColumnData::Kind::kAverage;
  }
  column.label = label.empty() ? column.metric : std::string(label);
  column.instance.resize(instructions_.size());
  for (uint32_t i = 0; i < metric.instance_count; ++i) {
    const uint64_t* address = KeyAddress(*kernel_, metric, i);
    if (address == nullptr) continue;
    if (const std::optional<uint32_t> row = FindInstruction(*address)) column.instance[*row] = metric.first_instance + i + 1;
  }
}

void SourceView::AddColumns(const CounterReport& report) {
  std::unordered_set<const Metric*> added;
  const auto add = [&](const Metric* metric, std::string_view label) {
    if (metric != nullptr && IsPerInstruction(*metric) && added.insert(metric).second) AddColumn(report, *metric, label);
  };
  for (const SectionMetric& labelled : LabelledColumns(*kernel_))
    add(report.Find(*kernel_, labelled.metric), labelled.label);
  for (const SourceColumnData& known : AllSourceColumns()) add(report.Find(*kernel_, known.metric), {});
  for (const Metric& metric : kernel_->metrics) add(report.Find(*kernel_, metric.name), {});
}

void SourceView::AddLines() {
  std::unordered_map<std::string_view, uint32_t> file_numbers;
  std::map<std::pair<uint32_t, uint32_t>, uint32_t> line_numbers;
  for (uint32_t i = 0; i < instructions_.size(); ++i) {
    SourceInstruction& instruction = instructions_[i];
    if (instruction.place == 0) continue;
    const KernelCode::Function& function = code_->functions[instruction.function];
    const CodePlace& place = function.code.places[instruction.place - 1];
    if (place.file >= function.texts.size()) continue;
    const SourceText& text = function.texts[place.file];
    const auto [file, is_new_file] = file_numbers.try_emplace(text.path, static_cast<uint32_t>(files_.size()));
    if (is_new_file) files_.push_back(&text);
    const auto [line, is_new] = line_numbers.try_emplace({file->second, place.line}, static_cast<uint32_t>(lines_.size()));
    if (is_new) lines_.push_back({file->second, place.line, {}});
    lines_[line->second].instructions.push_back(i);
  }
  std::vector<std::pair<SourceCounts, SourceLine>> ranked;
  for (SourceLine& line : lines_) {
    SourceCounts counts = Counts(line.instructions);
    ranked.emplace_back(counts, std::move(line));
  }
  std::ranges::stable_sort(ranked, [](const auto& a, const auto& b) {
    const auto key = [](const auto& one) {
      return std::tuple(-one.first.samples.value_or(0), -one.first.executed.value_or(0), one.second.file, one.second.line);
    };
    return key(a) < key(b);
  });
  for (uint32_t i = 0; i < ranked.size(); ++i) {
    lines_[i] = std::move(ranked[i].second);
    for (const uint32_t instruction : lines_[i].instructions) instructions_[instruction].line = i;
  }
}

CounterValue SourceView::Value(const SourceColumn& column, uint32_t instruction) const {
  const uint32_t instance = column.instance[instruction];
  return instance == 0 ? CounterValue() : kernel_->instances[instance - 1].value;
}

double SourceView::Sum(const SourceColumn& column, const std::vector<uint32_t>& instructions) const {
  double sum = 0;
  for (const uint32_t instruction : instructions) {
    const double value = NumberOf(Value(column, instruction)).value_or(0);
    if (std::isfinite(value)) sum += value;
  }
  return sum;
}

void SourceView::FindCounts() {
  const auto find = [&](std::string_view metric) {
    const auto column = std::ranges::find(columns_, metric, &SourceColumn::metric);
    return column == columns_.end() ? kNoColumn : static_cast<size_t>(column - columns_.begin());
  };
  CountColumns& found = count_columns_;
  found.samples = find(kSampleCount);
  found.executed = find(kExecutedCount);
  found.thread_executed = find("thread_inst_executed");
  if (found.thread_executed == kNoColumn) found.thread_executed = find("thread_inst_executed_true");
  found.sectors = find("memory_l2_theoretical_sectors_global");
  found.ideal_sectors = find("memory_l2_theoretical_sectors_global_ideal");
  found.local_sectors = find("memory_l2_theoretical_sectors_local");
  found.wavefronts = find("memory_l1_wavefronts_shared");
  found.ideal_wavefronts = find("memory_l1_wavefronts_shared_ideal");
  // Early recorders had the reasons only.
  for (size_t i = 0; found.samples == kNoColumn && i < columns_.size(); ++i) {
    if (!columns_[i].stall.reason.empty() && !columns_[i].stall.not_issued) found.reasons.push_back(i);
  }
}

std::optional<double> SourceView::SumOf(size_t column, const std::vector<uint32_t>& instructions) const {
  if (column == kNoColumn) return std::nullopt;
  return Sum(columns_[column], instructions);
}

SourceCounts SourceView::Counts(const std::vector<uint32_t>& instructions) const {
  const CountColumns& columns = count_columns_;
  SourceCounts counts;
  counts.samples = SumOf(columns.samples, instructions);
  for (const size_t reason : columns.reasons)
    counts.samples = counts.samples.value_or(0) + Sum(columns_[reason], instructions);
  counts.executed = SumOf(columns.executed, instructions);
  counts.thread_executed = SumOf(columns.thread_executed, instructions);
  counts.sectors = SumOf(columns.sectors, instructions);
  counts.ideal_sectors = SumOf(columns.ideal_sectors, instructions);
  counts.local_sectors = SumOf(columns.local_sectors, instructions);
  counts.wavefronts = SumOf(columns.wavefronts, instructions);
  counts.ideal_wavefronts = SumOf(columns.ideal_wavefronts, instructions);
  return counts;
}

std::vector<StallShare> SourceView::Stalls(const std::vector<uint32_t>& instructions, bool not_issued) const {
  std::vector<StallShare> stalls;
  for (const SourceColumn& column : columns_) {
    if (column.stall.reason.empty() || column.stall.not_issued != not_issued) continue;
    if (const double samples = Sum(column, instructions); samples > 0) stalls.push_back({column.stall.reason, samples});
  }
  std::ranges::stable_sort(stalls, std::ranges::greater(), &StallShare::samples);
  return stalls;
}

std::string LinePlace(const SourceView& view, const SourceLine& line) {
  return fmt::format("{}:{}", std::filesystem::path(view.files()[line.file]->path).filename().string(), line.line);
}

std::string_view SourceView::LineText(const SourceLine& line) const {
  return WithoutMargins(files_[line.file]->line(line.line));
}

}  // namespace warpsight
