#include "formats/known_files.h"

#include <algorithm>

namespace warpsight {
namespace {

struct KnownFile {
  std::string_view magic;
  std::string_view description;
};

constexpr KnownFile kKnownFiles[] = {
    {"version https://git-lfs", "is a git-lfs pointer, not the file itself: run `git lfs pull` and try again"},
    {"<!DOCTYPE", "is a web page, not a trace: download the file itself"},
    {"<html", "is a web page, not a trace: download the file itself"},
    {"\xFF\xFE", "is UTF-16 text: convert it to UTF-8 (iconv -f UTF-16 -t UTF-8) and try again"},
    {"\xFE\xFF", "is UTF-16 text: convert it to UTF-8 (iconv -f UTF-16 -t UTF-8) and try again"},
    {"PK\x03\x04", "is a zip archive: unpack it and give the trace inside"},
    {"BZh", "is bzip2 data: unpack it first (gzip and zstd are opened as they are)"},
    {"\xFD"
     "7zXZ",
     "is xz data: unpack it first (gzip and zstd are opened as they are)"},
};

}  // namespace

std::string DescribeUnreadable(std::string_view head) {
  if (head.empty()) return "is empty: record the trace again";
  const auto known = std::find_if(std::begin(kKnownFiles), std::end(kKnownFiles),
                                  [&](const KnownFile& file) { return head.substr(0, file.magic.size()) == file.magic; });
  if (known != std::end(kKnownFiles)) return std::string(known->description);
  return "is not a recording that warpsight knows: give a PyTorch profiler trace (.json, .json.gz, .json.zst) or an "
         "Nsight Systems export (.sqlite)";
}

}  // namespace warpsight
