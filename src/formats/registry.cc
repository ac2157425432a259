#include "formats/registry.h"

#include "formats/native/capture_importer.h"
#include "formats/ncu_csv/ncu_csv_importer.h"
#include "formats/ncu_rep/ncu_rep_importer.h"
#include "formats/nsys_sqlite/nsys_report_importer.h"
#include "formats/nsys_sqlite/nsys_sqlite_importer.h"
#include "formats/torch_json/torch_json_importer.h"

namespace warpsight {
namespace {

std::vector<std::unique_ptr<Importer>> MakeImporters() {
  std::vector<std::unique_ptr<Importer>> importers;
  importers.push_back(MakeTorchJsonImporter());
  importers.push_back(MakeNsysSqliteImporter());
  importers.push_back(MakeNsysReportImporter());
  importers.push_back(MakeCaptureImporter());
  return importers;
}

std::vector<std::unique_ptr<CounterImporter>> MakeCounterImporters() {
  std::vector<std::unique_ptr<CounterImporter>> importers;
  importers.push_back(MakeNcuRepImporter());
  importers.push_back(MakeNcuCsvImporter());
  return importers;
}

}  // namespace

const std::vector<std::unique_ptr<Importer>>& Importers() {
  static const std::vector<std::unique_ptr<Importer>> importers = MakeImporters();
  return importers;
}

const std::vector<std::unique_ptr<CounterImporter>>& CounterImporters() {
  static const std::vector<std::unique_ptr<CounterImporter>> importers = MakeCounterImporters();
  return importers;
}

}  // namespace warpsight
