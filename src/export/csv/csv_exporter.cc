#include "export/csv/csv_exporter.h"

#include <algorithm>

#include "base/check.h"
#include "export/csv/csv_tables.h"
#include "export/output_buffer.h"

namespace warpsight {
namespace {

using namespace csv;

class CsvExporter final : public Exporter {
 public:
  std::string_view name() const override { return "csv"; }
  std::string_view description() const override { return "the tables of the trace, a CSV file each"; }
  std::string_view suffix() const override { return ".csv"; }
  std::vector<std::string> tables() const override {
    std::vector<std::string> names;
    for (const CsvTable& table : CsvTables()) names.emplace_back(table.name);
    return names;
  }

  Result<ExportOutcome> Export(const Trace& trace, const ExportRequest& request, ByteSink& sink) const override {
    const auto tables = CsvTables();
    const auto table =
        std::find_if(tables.begin(), tables.end(), [&](const CsvTable& one) { return one.name == request.table; });
    CHECK(table != tables.end());
    ExportOutcome outcome;
    OutputBuffer out(sink);
    CsvWriter writer(out);
    RowWindow window(request);
    writer.Header(table->header);
    outcome.rows.emplace_back(table->name, table->write(trace, window, writer, out));
    outcome.cut = window.cut();
    WARPSIGHT_RETURN_IF_ERROR(out.Finish());
    return outcome;
  }
};

}  // namespace

std::unique_ptr<Exporter> MakeCsvExporter() { return std::make_unique<CsvExporter>(); }

}  // namespace warpsight
