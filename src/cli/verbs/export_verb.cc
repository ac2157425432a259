#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <system_error>

#include "cli/export_output.h"
#include "cli/output_file.h"
#include "cli/verbs/verb_makers.h"
#include "document/units.h"
#include "export/registry.h"

namespace warpsight {
namespace {

namespace fs = std::filesystem;

std::string FormatNames() {
  std::string names;
  for (const auto& exporter : Exporters()) names += (names.empty() ? "" : ", ") + std::string(exporter->name());
  return names;
}

std::string FormatHelp() {
  std::string help = "the format:";
  for (const auto& exporter : Exporters()) {
    help += fmt::format("{} {} ({})", exporter == Exporters().front() ? "" : ",", exporter->name(), exporter->description());
  }
  return help;
}

// "12 arrows that are no launches; 3 counters ...".
std::string LossText(const std::vector<ExportOutcome::Loss>& lost) {
  std::string text;
  for (const ExportOutcome::Loss& loss : lost) {
    text += fmt::format("{}{} {}", text.empty() ? "" : "; ", FormatCount(loss.count), loss.what);
  }
  return text;
}

// One file that was written.
struct Written {
  std::string file;
  int64_t bytes = 0;
};

class ExportVerb final : public Verb {
 public:
  std::string_view name() const override { return "export"; }
  std::string_view summary() const override { return "write the timeline for another tool: Perfetto, Chrome JSON, CSV"; }
  bool is_one_table() const override { return false; }
  bool writes_output() const override { return true; }
  std::vector<std::string> examples() const override {
    return {"warpsight export trace.json.gz --to perfetto -o trace.pftrace",
            "warpsight export run.wscap --to chrome --step 4 -o step4.json.gz",
            "warpsight export run.sqlite --to csv -o tables/",
            "warpsight export run.sqlite --to csv --table gpu_work -o - | head"};
  }
  void Configure(CLI::App& app) override {
    app.add_option("--to", format_, FormatHelp())->required();
    app.add_option("--table", table_, "of csv: this table only, to the file -o names");
  }

  Status CheckOptions(const CommonOptions& options) const override {
    const Exporter* const exporter = FindExporter(format_);
    if (format_ == "parquet") return UsageError("--to parquet: is not in this version: use --to csv");
    if (exporter == nullptr) return UsageError(fmt::format("--to {}: no such format: use {}", format_, FormatNames()));
    if (options.csv) return UsageError("--csv: export has no table of its own: use --to csv");
    if (options.output.empty()) return UsageError("-o is missing: name the file to write, - is standard output");
    const std::vector<std::string> tables = exporter->tables();
    const auto names = [&] { return fmt::format("{}", fmt::join(tables, ", ")); };
    if (!table_.empty() && tables.empty()) return UsageError("--table: " + format_ + " is one file: leave it out");
    if (!table_.empty() && std::find(tables.begin(), tables.end(), table_) == tables.end())
      return UsageError(fmt::format("--table {}: no such table: use {}", table_, names()));
    const bool is_folder = !tables.empty() && table_.empty();
    if (is_folder && options.output == "-")
      return UsageError("-o -: " + format_ + " is a file a table: name a folder, or one table with --table");
    if (options.json && options.output == "-") return UsageError("--json: standard output is taken by -o -: name a file");
    for (const std::string& file : options.files) WARPSIGHT_RETURN_IF_ERROR(CheckOutput(options.output, file));
    return OkStatus();
  }

  Result<VerbOutput> Run(const Input& input) override {
    const Exporter& exporter = *FindExporter(format_);
    const Selection& selection = input.analysis().selection();
    ExportRequest request{selection.range, selection.device, table_};
    const std::string& output = input.options().output;
    ExportOutcome outcome;
    if (exporter.tables().empty() || !table_.empty()) {
      WARPSIGHT_RETURN_IF_ERROR(Write(exporter, input.trace(), request, output, outcome));
      return VerbOutput{MakeDocument(outcome, output), false, "", std::nullopt, Remark(outcome, output)};
    }
    std::error_code error;
    fs::create_directories(output, error);
    if (error) return UsageError(output + ": cannot make the folder: " + error.message());
    for (const std::string& table : exporter.tables()) {
      request.table = table;
      const std::string file = (fs::path(output) / (table + std::string(exporter.suffix()))).string();
      for (const std::string& recording : input.options().files) WARPSIGHT_RETURN_IF_ERROR(CheckOutput(file, recording));
      WARPSIGHT_RETURN_IF_ERROR(Write(exporter, input.trace(), request, file, outcome));
    }
    return VerbOutput{MakeDocument(outcome, output), false, "", std::nullopt, Remark(outcome, output)};
  }

 private:
  Status Write(const Exporter& exporter, const Trace& trace, const ExportRequest& request, const std::string& path,
               ExportOutcome& all) {
    Result<ExportOutput> output = ExportOutput::Open(path);
    if (!output.ok()) return output.status();
    const Result<ExportOutcome> outcome = exporter.Export(trace, request, output->sink());
    if (!outcome.ok()) return outcome.status();
    WARPSIGHT_RETURN_IF_ERROR(output->Commit());
    written_.push_back({path, output->bytes()});
    all.rows.insert(all.rows.end(), outcome->rows.begin(), outcome->rows.end());
    all.lost.insert(all.lost.end(), outcome->lost.begin(), outcome->lost.end());
    all.cut += outcome->cut;
    return OkStatus();
  }

  static std::string Remark(const ExportOutcome& outcome, const std::string& output) {
    if (outcome.lost.empty()) return "";
    return fmt::format("{}: what the format can't say as it was: {}", output == "-" ? "standard output" : output,
                       LossText(outcome.lost));
  }

  Document MakeDocument(const ExportOutcome& outcome, const std::string& output) const {
    int64_t bytes = 0;
    for (const Written& one : written_) bytes += one.bytes;
    Document document;
    document.verb = "export";
    document.data = {{"format", format_}, {"file", output}, {"bytes", bytes}};
    document.data["files"] = nlohmann::ordered_json::array();
    for (const Written& one : written_) document.data["files"].push_back({{"file", one.file}, {"bytes", one.bytes}});
    document.data["counts"] = nlohmann::ordered_json::object();
    KeyValues pairs{{{"File", output}, {"Format", format_}, {"Size", FormatBytes(bytes)}}};
    for (const auto& [table, rows] : outcome.rows) {
      document.data["counts"][table] = rows;
      pairs.pairs.push_back({table, FormatCount(rows)});
    }
    document.data["cut"] = outcome.cut;
    document.data["lost"] = nlohmann::ordered_json::array();
    for (const ExportOutcome::Loss& loss : outcome.lost) {
      document.data["lost"].push_back({{"what", loss.what}, {"count", loss.count}});
    }
    document.blocks = {Heading{"Written"}, std::move(pairs)};
    if (outcome.cut > 0) {
      document.blocks.push_back(Paragraph{
          fmt::format("rows that reach over the window's borders, and are cut there: {}", FormatCount(outcome.cut)),
          ParagraphKind::kNote});
    }
    return document;
  }

  std::string format_;
  std::string table_;
  std::vector<Written> written_;
};

}  // namespace

std::unique_ptr<Verb> MakeExportVerb() { return std::make_unique<ExportVerb>(); }

}  // namespace warpsight
