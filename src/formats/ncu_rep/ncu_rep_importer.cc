#include "formats/ncu_rep/ncu_rep_importer.h"

#include <fmt/format.h>

#include <optional>
#include <protozero/exception.hpp>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include "base/whole_input.h"
#include "formats/ncu_rep/report_container.h"
#include "formats/ncu_rep/report_messages.h"
#include "formats/reading_budget.h"

namespace warpsight {
namespace {

// Reports have some MB a kernel; a larger one is not for one machine.
constexpr WholeInputLimits kReportLimits = {.most_bytes = uint64_t{8} << 30};
// What recorders write costs up to four times its bytes.
constexpr uint64_t kMostCostPerByte = 8;
// A kernel with all that is shown of it.
constexpr uint64_t kKernelCost = 4096;
// Its name alone is longer.
constexpr size_t kSmallestResult = 24;

int64_t ByteOf(std::string_view entry, const std::string& bytes) { return entry.data() - bytes.data(); }

// Early recorders wrote the grid in threads. launch__grid_size is in blocks in every version.
void MendGrid(ProfiledKernel& kernel, const std::vector<std::string_view>& names) {
  kernel.recorded_grid = kernel.grid;
  double blocks = 0;
  for (const Metric& metric : kernel.metrics) {
    if (names[metric.name] == "launch__grid_size") blocks = NumberOf(metric.value).value_or(0);
  }
  Extent in_blocks = kernel.grid;
  double recorded = 1;
  double mended = 1;
  for (size_t i = 0; i < in_blocks.size(); ++i) {
    if (kernel.block[i] == 0 || kernel.grid[i] % kernel.block[i] != 0) return;
    in_blocks[i] = kernel.grid[i] / kernel.block[i];
    recorded *= static_cast<double>(kernel.grid[i]);
    mended *= static_cast<double>(in_blocks[i]);
  }
  if (recorded != blocks && mended == blocks) kernel.grid = in_blocks;
}

// The process of each block.
using ProcessOfBlock = std::vector<std::optional<CounterProcess>>;

ProcessOfBlock ReadHeaders(const ReportContainer& container, CounterReportParts& parts, ReadingBudget& budget) {
  ProcessOfBlock processes;
  std::unordered_set<uint64_t> known;
  for (const std::string_view header : container.headers) {
    std::optional<CounterProcess>& process = budget.Append(processes, {});
    try {
      process = ReadBlockHeader(header, parts, budget);
    } catch (const protozero::exception& error) {
      parts.log.Add("session_damaged", ImportSeverity::kError, Effect::kNote,
                    fmt::format("a block header is damaged ({})", error.what()), ByteOf(header, *parts.bytes));
    }
    // Every block repeats it.
    if (process && known.insert(process->id).second) budget.Append(parts.processes, *process);
  }
  return processes;
}

void ReadSources(const ReportContainer& container, CounterReportParts& parts, ReadingBudget& budget) {
  ModuleReader reader(parts.modules, budget);
  for (const std::string_view source : container.sources) {
    try {
      reader.ReadEntry(source);
    } catch (const protozero::exception& error) {
      parts.log.Add("code_damaged", ImportSeverity::kWarning, Effect::kNote,
                    fmt::format("the code of a module is damaged ({})", error.what()), ByteOf(source, *parts.bytes));
    }
  }
}

void ReadKernel(std::string_view result, int64_t id, const std::optional<CounterProcess>& process, CounterReportParts& parts,
                ReadingBudget& budget) {
  const int64_t place = ByteOf(result, *parts.bytes);
  KernelReading reading = ReadResultEntry(result, parts.metric_names.size(), budget);
  if (result.size() < kSmallestResult) {
    parts.log.Add("kernel_empty", ImportSeverity::kError, Effect::kExcluded,
                  fmt::format("result {} has {} bytes, in which no kernel can be described", id, result.size()), place);
    return;
  }
  reading.kernel.id = id;
  // A recorder on Windows writes another number into the result.
  if (process) reading.kernel.process_id = process->id;
  MendGrid(reading.kernel, parts.metric_names);
  if (reading.nameless_metrics > 0) {
    parts.log.Add(
        "metric_without_name", ImportSeverity::kWarning, Effect::kRepaired,
        fmt::format("metrics whose names are not in the file were left out: {} of kernel {}", reading.nameless_metrics, id),
        place);
  }
  budget.Take(kKernelCost);
  parts.kernels.push_back(std::move(reading.kernel));
}

void ReadKernels(const ReportContainer& container, const ProcessOfBlock& processes, CounterReportParts& parts,
                 ReadingBudget& budget) {
  for (size_t i = 0; i < container.results.size(); ++i) {
    const auto id = static_cast<int64_t>(i);
    parts.log.CountRead();
    try {
      ReadKernel(container.results[i], id, processes[container.header_of_result[i]], parts, budget);
    } catch (const protozero::exception& error) {
      parts.log.Add("kernel_damaged", ImportSeverity::kError, Effect::kExcluded,
                    fmt::format("the counters of kernel {} are damaged ({})", id, error.what()),
                    ByteOf(container.results[i], *parts.bytes));
    }
  }
}

class NcuRepImporter final : public CounterImporter {
 public:
  std::string_view name() const override { return "ncu_rep"; }
  std::string_view description() const override { return "an Nsight Compute report"; }
  bool Recognises(std::string_view head) const override { return head.starts_with(kReportMagic); }

  Result<CounterReport> Import(std::unique_ptr<ByteSource> source) const override {
    Result<std::unique_ptr<std::string>> bytes = ReadWhole(*source, kReportLimits);
    if (!bytes.ok()) return bytes.status();
    CounterReportParts parts;
    parts.bytes = std::move(bytes).value();
    try {
      return ReadReport(*source, std::move(parts));
    } catch (const TooLargeToHold&) {
      return UnreadableError(source->name() +
                             ": is a damaged Nsight Compute report: it has more parts (results, sections, metrics) than "
                             "what ncu writes into so few bytes: copy or record it again");
    }
  }

 private:
  static Result<CounterReport> ReadReport(const ByteSource& source, CounterReportParts parts) {
    ReadingBudget budget(parts.bytes->size(), kMostCostPerByte);
    ReportContainer container = ReadReportContainer(*parts.bytes, budget);
    if (container.problem.empty() && !source.problem().empty()) container.problem = source.problem();
    parts.session.file = source.name();
    parts.session.container = source.container();
    parts.session.format_version = container.version;
    const ProcessOfBlock processes = ReadHeaders(container, parts, budget);
    ReadSources(container, parts, budget);
    ReadKernels(container, processes, parts, budget);
    if (parts.kernels.empty() && (!container.problem.empty() || container.headers.empty() || parts.log.read() > 0))
      return UnreadableError(Nothing(source, container, parts.log));
    NoteImperfections(container, parts.log);
    return CounterReport(std::move(parts));
  }

  static std::string Nothing(const ByteSource& source, const ReportContainer& container, const ImportLog& log) {
    std::string why = container.problem;
    if (why.empty() && !log.causes().empty()) why = log.causes().front().example;
    if (why.empty()) why = "it ends after its header";
    return fmt::format("{}: is a damaged Nsight Compute report without one whole kernel: {}: copy or record it again",
                       source.name(), why);
  }

  static void NoteImperfections(const ReportContainer& container, ImportLog& log) {
    if (!container.problem.empty()) {
      log.Add("file_cut", ImportSeverity::kError, Effect::kNote,
              "the file ends early, later kernels are missing: " + container.problem,
              static_cast<int64_t>(container.problem_byte));
    }
    if (container.version != kReportVersion) {
      log.Add("format_version_unknown", ImportSeverity::kWarning, Effect::kNote,
              fmt::format("format version {} is not known, it was read as version {}", container.version, kReportVersion),
              0);
    }
  }
};

}  // namespace

std::unique_ptr<CounterImporter> MakeNcuRepImporter() { return std::make_unique<NcuRepImporter>(); }

}  // namespace warpsight
