// The facts of data/ (*.toml), compiled into the program so that it runs without installed files.
//
// cmake/EmbedData.cmake generates the contents at build time. Paths are relative to the repository root
// ("data/gpus.toml"). The bytes live as long as the program; all functions are thread-safe.
#pragma once

#include <span>
#include <string_view>

namespace warpsight {

struct EmbeddedDataFile {
  std::string_view path;
  std::string_view contents;
};

// Every embedded file, sorted by path.
std::span<const EmbeddedDataFile> EmbeddedDataFiles();

// The contents of one file. A path that is not embedded is our bug: CHECK.
std::string_view EmbeddedFile(std::string_view path);

}  // namespace warpsight
