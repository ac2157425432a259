#include "formats/registry.h"

#include "formats/torch_json/torch_json_importer.h"

namespace warpsight {
namespace {

std::vector<std::unique_ptr<Importer>> MakeImporters() {
  std::vector<std::unique_ptr<Importer>> importers;
  importers.push_back(MakeTorchJsonImporter());
  return importers;
}

}  // namespace

const std::vector<std::unique_ptr<Importer>>& Importers() {
  static const std::vector<std::unique_ptr<Importer>> importers = MakeImporters();
  return importers;
}

}  // namespace warpsight
