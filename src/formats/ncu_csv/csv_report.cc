#include "formats/ncu_csv/csv_report.h"

#include <fmt/format.h>

#include <utility>

#include "formats/ncu_csv/printed_value.h"

namespace warpsight {
namespace {

// A kernel with all that is shown of it.
constexpr uint64_t kCsvKernelCost = 4096;

}  // namespace

CsvHeader::CsvHeader(const CsvRow& names) : names_(names), is_repeated_(names.size()) {
  for (size_t i = 0; i < names_.size(); ++i) {
    if (places_.emplace(names_[i], i).second || names_[i].empty()) continue;
    is_repeated_[i] = true;
    ++repeated_;
  }
}

size_t CsvHeader::Find(std::string_view name) const {
  const auto found = places_.find(name);
  return found == places_.end() ? kNone : found->second;
}

std::string_view CsvHeader::Cell(const CsvRow& row, std::string_view name) const {
  const size_t place = Find(name);
  return place < row.size() ? row[place] : std::string_view();
}

ProfiledKernel& CsvReport::AddKernel(const CsvHeader& header, const CsvRow& row) {
  ProfiledKernel kernel;
  // Tables that were put into one file each count from 0.
  const auto id = static_cast<int64_t>(ReadPrintedWhole(header.Cell(row, "ID"), 0) & 0x7FFFFFFF);
  kernel.id = id > last_id_ ? id : last_id_ + 1;
  last_id_ = kernel.id;
  kernel.process_id = ReadPrintedWhole(header.Cell(row, "Process ID"), 0);
  kernel.full_name = header.Cell(row, "Kernel Name");
  kernel.function_name = kernel.full_name.substr(0, kernel.full_name.find('('));
  kernel.grid = ReadPrintedExtent(header.Cell(row, "Grid Size"));
  kernel.recorded_grid = kernel.grid;
  kernel.block = ReadPrintedExtent(header.Cell(row, "Block Size"));
  kernel.context = ReadPrintedWhole(header.Cell(row, "Context"), 0);
  kernel.stream = ReadPrintedWhole(header.Cell(row, "Stream"), 0);
  kernel.device = ReadPrintedWhole(header.Cell(row, "Device"), 0);
  kernel.module_id = CapabilityModule(header.Cell(row, "CC"));
  AddProcess(kernel.process_id, header.Cell(row, "Host Name"), header.Cell(row, "Process Name"));
  log().CountRead();
  metrics_of_last_.clear();
  budget_.Take(kCsvKernelCost);
  return parts_.kernels.emplace_back(std::move(kernel));
}

void CsvReport::AddProcess(uint64_t id, std::string_view host, std::string_view executable) {
  if (executable.empty() || !known_processes_.insert(id).second) return;
  budget_.Append(parts_.processes, {id, host, executable});
}

// The module of a device of this capability, "9.0": it has no program, but says for what it would be.
uint64_t CsvReport::CapabilityModule(std::string_view capability) {
  const size_t dot = capability.find('.');
  if (dot == std::string_view::npos) return 0;
  CodeModule module;
  module.capability_major = ReadPrintedWhole(capability.substr(0, dot), 0);
  module.capability_minor = ReadPrintedWhole(capability.substr(dot + 1), 10);
  if (module.capability_major == 0 || module.capability_major > 1000 || module.capability_minor > 9) return 0;
  module.id = module.capability_major * 10 + module.capability_minor;
  if (known_modules_.insert(module.id).second) budget_.Append(parts_.modules, module);
  return module.id;
}

uint32_t CsvReport::NameOf(std::string_view name, const std::string& unit) {
  const auto [known, is_new] = names_.try_emplace(name, static_cast<uint32_t>(parts_.metric_names.size()));
  if (is_new) {
    budget_.Append(parts_.metric_names, name);
    budget_.Append(parts_.metric_units, unit);
  }
  return known->second;
}

Metric& CsvReport::AppendMetric(ProfiledKernel& kernel, std::string_view name, const std::string& unit) {
  Metric& metric = budget_.Append(kernel.metrics, {});
  metric.name = NameOf(name, unit);
  metric.first_instance = static_cast<uint32_t>(kernel.instances.size());
  return metric;
}

bool CsvReport::AddMetric(ProfiledKernel& kernel, std::string_view name, const std::string& unit,
                          const CounterValue& value) {
  if (!metrics_of_last_.insert(NameOf(name, unit)).second) return false;
  AppendMetric(kernel, name, unit).value = value;
  return true;
}

void CsvReport::NoteRepeatedColumns(const CsvHeader& header, int64_t place) {
  if (header.repeated() == 0) return;
  log().Add("column_repeated", ImportSeverity::kWarning, Effect::kNote,
            "columns with a name that an earlier column has were not read", place, header.repeated());
}

void CsvReport::NoteForeignLine(int64_t place) {
  log().Add("other_text", ImportSeverity::kInfo, Effect::kNote,
            "lines that are not part of the table (messages of ncu or of the program) were passed over", place);
}

void CsvReport::NoteDamage(const CsvReader::Damage& damage) {
  const auto note = [&](std::string_view cause, ImportSeverity severity, std::string_view what, int64_t count) {
    if (count > 0) log().Add(cause, severity, Effect::kNote, what, -1, count);
  };
  note("quote_not_doubled", ImportSeverity::kInfo, "quotes inside of cells were not doubled; they were taken as they are",
       damage.loose_quotes);
  note("quote_not_closed", ImportSeverity::kWarning, "cells in quotes were not closed; they were ended with their line",
       damage.open_quotes);
  note("cell_too_long", ImportSeverity::kWarning, "cells of more than 1 MiB were left out", damage.long_cells);
  note("record_too_long", ImportSeverity::kError, "lines of more than 100,000 cells, which no page of ncu has, were cut",
       damage.long_records);
}

}  // namespace warpsight
