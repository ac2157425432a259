#include "cli/record/recording_lines.h"

#include <fmt/format.h>

#include <string_view>

#include "document/units.h"

namespace warpsight {
namespace {

std::string Count(uint64_t number) { return FormatCount(static_cast<int64_t>(number)); }

// "3 processes".
std::string Processes(int number) { return fmt::format("{} process{}", number, number == 1 ? "" : "es"); }

}  // namespace

std::vector<std::string> LinesOf(const std::string& output, const JoinedCapture& joined) {
  constexpr std::string_view kProblem = "problem: ";
  std::vector<std::string> lines;
  uint64_t kept = 0;
  uint64_t kernels = 0;
  uint64_t lost = 0;
  std::string losses;
  for (const auto& [cause, count] : joined.counts) {
    if (cause == "records_kept") kept = count;
    if (cause == "kernels_kept") kernels = count;
    if (cause.starts_with(kProblem)) lines.push_back(cause.substr(kProblem.size()));
    if (!cause.starts_with("dropped_")) continue;
    lost += count;
    losses += fmt::format("{}{} {}", losses.empty() ? "" : ", ", Count(count), cause);
  }
  lines.push_back(fmt::format("{}: {}, {} records of {}, {} of them kernels; {}", output,
                              FormatBytes(static_cast<int64_t>(joined.bytes)), Count(kept), Processes(joined.processes),
                              Count(kernels), lost == 0 ? "none lost" : "LOST " + losses));
  if (joined.unfinished > 0) {
    lines.push_back(
        fmt::format("{} ended without closing the recording: the last second may be missing", Processes(joined.unfinished)));
  }
  if (joined.unreadable > 0)
    lines.push_back(fmt::format("{} of the recording can't be read and {} left where it lies",
                                joined.unreadable == 1 ? "a part" : "parts", joined.unreadable == 1 ? "is" : "are"));
  return lines;
}

}  // namespace warpsight
