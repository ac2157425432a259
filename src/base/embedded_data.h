// The facts of data/ (*.toml) and the style sheet and script of a page (src/render/html), compiled into the program so that
// it runs without installed files.
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
  std::string_view sha256;  // of the contents, as hex digits: a page names it so that a browser runs nothing else
};

// Every embedded file, sorted by path.
std::span<const EmbeddedDataFile> EmbeddedDataFiles();

// The contents of one file. A path that is not embedded is our bug: CHECK.
std::string_view EmbeddedFile(std::string_view path);

// The same with all that is known of it.
const EmbeddedDataFile& FindEmbeddedFile(std::string_view path);

}  // namespace warpsight
