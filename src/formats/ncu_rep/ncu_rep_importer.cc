#include "formats/ncu_rep/ncu_rep_importer.h"

#include <fmt/format.h>

#include <protozero/exception.hpp>
#include <string>
#include <utility>

#include "formats/ncu_rep/report_container.h"
#include "formats/ncu_rep/report_messages.h"

namespace warpsight {
namespace {

// Reports have some MB a kernel; a larger one is a bomb, or not for one machine.
constexpr size_t kMostBytes = size_t{8} << 30;
constexpr size_t kChunkBytes = size_t{1} << 20;

Result<std::unique_ptr<std::string>> ReadWhole(ByteSource& source) {
  auto bytes = std::make_unique<std::string>();
  // One growth when the size is known; the size of a file is true.
  if (source.size() > 0) bytes->reserve(static_cast<size_t>(source.size()) + kChunkBytes);
  while (source.Append(*bytes, kChunkBytes) > 0) {
    if (bytes->size() > kMostBytes)
      return UnreadableError(fmt::format("{}: is larger than 8 GiB: profile fewer kernels at a time", source.name()));
  }
  return bytes;
}

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

void ReadHeaders(const ReportContainer& container, CounterReportParts& parts) {
  for (const std::string_view header : container.headers) {
    try {
      ReadBlockHeader(header, parts);
    } catch (const protozero::exception& error) {
      parts.log.Add("session_damaged", ImportSeverity::kError, Effect::kNote,
                    fmt::format("a block header is damaged ({})", error.what()), ByteOf(header, *parts.bytes));
    }
  }
}

void ReadSources(const ReportContainer& container, CounterReportParts& parts) {
  for (const std::string_view source : container.sources) {
    try {
      ReadSourceEntry(source, parts.modules);
    } catch (const protozero::exception& error) {
      parts.log.Add("code_damaged", ImportSeverity::kWarning, Effect::kNote,
                    fmt::format("the code of a module is damaged ({})", error.what()), ByteOf(source, *parts.bytes));
    }
  }
}

void ReadKernels(const ReportContainer& container, CounterReportParts& parts) {
  for (size_t i = 0; i < container.results.size(); ++i) {
    const std::string_view result = container.results[i];
    const int64_t id = static_cast<int64_t>(i);
    parts.log.CountRead();
    const int64_t place = ByteOf(result, *parts.bytes);
    try {
      KernelReading reading = ReadResultEntry(result, parts.metric_names.size());
      reading.kernel.id = id;
      // A recorder on Windows writes another number into the result.
      if (const std::optional<CounterProcess> process = ReadBlockProcess(container.headers[container.header_of_result[i]]))
        reading.kernel.process_id = process->id;
      MendGrid(reading.kernel, parts.metric_names);
      if (reading.nameless_metrics > 0) {
        parts.log.Add("metric_without_name", ImportSeverity::kWarning, Effect::kRepaired,
                      fmt::format("metrics whose names are not in the file were left out: {} of kernel {}",
                                  reading.nameless_metrics, id),
                      place);
      }
      parts.kernels.push_back(std::move(reading.kernel));
    } catch (const protozero::exception& error) {
      parts.log.Add("kernel_damaged", ImportSeverity::kError, Effect::kExcluded,
                    fmt::format("the counters of kernel {} are damaged ({})", id, error.what()), place);
    }
  }
}

class NcuRepImporter final : public CounterImporter {
 public:
  std::string_view name() const override { return "ncu_rep"; }
  std::string_view description() const override { return "an Nsight Compute report"; }
  bool Recognises(std::string_view head) const override { return head.starts_with(kReportMagic); }

  Result<CounterReport> Import(std::unique_ptr<ByteSource> source) const override {
    Result<std::unique_ptr<std::string>> bytes = ReadWhole(*source);
    if (!bytes.ok()) return bytes.status();
    CounterReportParts parts;
    parts.bytes = std::move(bytes).value();
    ReportContainer container = ReadReportContainer(*parts.bytes);
    if (container.problem.empty() && !source->problem().empty()) container.problem = source->problem();
    parts.session.file = source->name();
    parts.session.container = source->container();
    parts.session.format_version = container.version;
    ReadHeaders(container, parts);
    ReadSources(container, parts);
    ReadKernels(container, parts);
    if (parts.kernels.empty() && (!container.problem.empty() || container.headers.empty() || parts.log.read() > 0))
      return UnreadableError(Nothing(*source, container, parts.log));
    NoteImperfections(container, parts.log);
    return CounterReport(std::move(parts));
  }

 private:
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
