#include "analysis/kernel_name/kernel_libraries.h"

#include <toml++/toml.h>

#include "base/check.h"
#include "base/data_texts.h"
#include "base/embedded_data.h"

namespace warpsight {
namespace {}  // namespace

KernelLibraries::KernelLibraries(std::string_view toml_text) {
  const toml::table file = toml::parse(toml_text, std::string_view("data/kernel_libraries.toml"));
  const toml::array* rows = file["library"].as_array();
  CHECK(rows != nullptr);
  for (const toml::node& node : *rows) {
    const toml::table* row = node.as_table();
    CHECK(row != nullptr);
    KernelLibrary library;
    library.name = (*row)["name"].value_or(std::string());
    library.source = (*row)["source"].value_or(std::string());
    library.starts = RequiredDataTexts(*row, "starts");
    library.examples = RequiredDataTexts(*row, "examples");
    CHECK(!library.name.empty());
    rows_.push_back(std::move(library));
  }
}

const KernelLibraries& KernelLibraries::Embedded() {
  static const KernelLibraries& libraries = *new KernelLibraries(EmbeddedFile("data/kernel_libraries.toml"));
  return libraries;
}

const KernelLibrary* KernelLibraries::Find(std::string_view function) const {
  const KernelLibrary* best = nullptr;
  size_t longest = 0;
  for (const KernelLibrary& library : rows_) {
    for (const std::string& start : library.starts) {
      if (start.size() <= longest || !function.starts_with(start)) continue;
      longest = start.size();
      best = &library;
    }
  }
  return best;
}

}  // namespace warpsight
