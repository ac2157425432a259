// Recordings that tests read: small ones made by hand (tests/data), our own (examples/), and those of a data folder beside
// the repository, which a checkout need not have.
#pragma once

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "../shared_data.h"
#include "base/byte_source.h"

namespace warpsight::testing {

// Paths of the PyTorch traces (.json, .json.gz) in a folder, sorted; none when there is no such folder.
inline std::vector<std::string> TracesIn(const std::filesystem::path& folder, bool kineto_names_only = false) {
  std::vector<std::string> paths;
  if (!std::filesystem::is_directory(folder)) return paths;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const std::string name = entry.path().filename().string();
    const bool json = name.ends_with(".json") || name.ends_with(".json.gz");
    if (json && (!kineto_names_only || name.find(".pt.trace.json") != std::string::npos))
      paths.push_back(entry.path().string());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

// The inflated text of a file.
inline std::string ReadText(const std::string& path) {
  std::string text;
  Result<std::unique_ptr<ByteSource>> source = OpenByteSource(path);
  size_t used = 0;
  for (size_t got = 1; source.ok() && got > 0; used += got) {
    text.resize(used + (size_t{1} << 20));
    got = source.value()->Read(text.data() + used, text.size() - used);
  }
  text.resize(used);
  return text;
}

// "hta_alexnet_json_gz" for a test's name.
inline std::string TestNameOf(const std::string& path) {
  std::string name = std::filesystem::path(path).filename().string();
  for (char& c : name) {
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
  }
  return name;
}

}  // namespace warpsight::testing
