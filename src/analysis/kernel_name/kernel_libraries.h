// KernelLibraries: which library a kernel function is of, by its namespace or the start of its name
// (data/kernel_libraries.toml).
//
// Errors: a damaged table is our bug (CHECK). Threads: immutable after construction.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpsight {

struct KernelLibrary {
  std::string name;
  std::vector<std::string> starts;  // of the qualified function name
  std::string source;
  std::vector<std::string> examples;
};

class KernelLibraries {
 public:
  explicit KernelLibraries(std::string_view toml_text);
  static const KernelLibraries& Embedded();

  // Null when no row fits; the longest start wins.
  const KernelLibrary* Find(std::string_view function) const;
  const std::vector<KernelLibrary>& rows() const { return rows_; }

 private:
  std::vector<KernelLibrary> rows_;
};

}  // namespace warpsight
