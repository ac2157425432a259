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

constexpr std::string_view kAllThatIsRead =
    "give a PyTorch profiler trace (.json, .json.gz, .json.zst), an Nsight Systems export (.sqlite), a capture of warpsight "
    "record (.wscap), or kernels of Nsight Compute (.ncu-rep, or what ncu --csv --page raw prints)";

// "[561] python3.10@127.0.0.1": the process that ncu prints before its kernels.
bool IsNcuProcessLine(std::string_view line) {
  const size_t digits_end = line.find_first_not_of("0123456789", 1);
  return line.starts_with('[') && digits_end != std::string_view::npos && digits_end > 1 &&
         line.substr(digits_end).starts_with("] ") && line.find('@') != std::string_view::npos;
}

// What ncu prints without --csv: that line, then kernels with their context, stream and device.
bool IsNcuText(std::string_view head) {
  if (head.find(", Context ") == std::string_view::npos || head.find(", Stream ") == std::string_view::npos) return false;
  for (size_t at = 0; at < head.size();) {
    const size_t end = std::min(head.find('\n', at), head.size());
    if (IsNcuProcessLine(head.substr(at, end - at))) return true;
    at = end + 1;
  }
  return false;
}

}  // namespace

std::string DescribeUnreadable(std::string_view head) {
  if (head.empty()) return "is empty: record the trace again";
  const auto known = std::find_if(std::begin(kKnownFiles), std::end(kKnownFiles),
                                  [&](const KnownFile& file) { return head.substr(0, file.magic.size()) == file.magic; });
  if (known != std::end(kKnownFiles)) return std::string(known->description);
  if (IsNcuText(head)) return "is ncu's text page: give the .ncu-rep, or what ncu --csv --page raw prints";
  return "is not a recording that warpsight knows: " + std::string(kAllThatIsRead);
}

}  // namespace warpsight
