#include "export/registry.h"

#include <algorithm>

#include "export/chrome/chrome_exporter.h"
#include "export/csv/csv_exporter.h"
#include "export/perfetto/perfetto_exporter.h"

namespace warpsight {
namespace {

std::vector<std::unique_ptr<Exporter>> MakeExporters() {
  std::vector<std::unique_ptr<Exporter>> exporters;
  exporters.push_back(MakePerfettoExporter());
  exporters.push_back(MakeChromeExporter());
  exporters.push_back(MakeCsvExporter());
  return exporters;
}

}  // namespace

const std::vector<std::unique_ptr<Exporter>>& Exporters() {
  static const std::vector<std::unique_ptr<Exporter>> exporters = MakeExporters();
  return exporters;
}

const Exporter* FindExporter(std::string_view name) {
  const auto found =
      std::find_if(Exporters().begin(), Exporters().end(), [&](const auto& one) { return one->name() == name; });
  return found == Exporters().end() ? nullptr : found->get();
}

}  // namespace warpsight
