// TextOfFile: all bytes of a regular file or of one under /proc; empty when it can't be read.
#pragma once

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace warpsight {

inline std::string TextOfFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace warpsight
