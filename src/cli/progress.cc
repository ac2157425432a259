#include "cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <utility>

#include "document/units.h"

namespace warpsight {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr milliseconds kSilence{1000};
constexpr milliseconds kBetween{100};

}  // namespace

Progress::Progress(std::string what, bool quiet)
    : what_(std::move(what)),
      enabled_(!quiet && isatty(STDERR_FILENO) == 1),
      started_(steady_clock::now()),
      last_(started_) {}

Progress::~Progress() {
  if (drawn_) std::fputs("\r\x1b[K", stderr);
}

void Progress::Update(int64_t done_bytes, int64_t total_bytes) {
  if (!enabled_) return;
  const steady_clock::time_point now = steady_clock::now();
  if (now - started_ < kSilence || now - last_ < kBetween) return;
  last_ = now;
  drawn_ = true;
  const std::string share =
      total_bytes > 0 ? " of " + FormatBytes(total_bytes) + " (" + FormatShare(done_bytes, total_bytes) + ")" : "";
  fmt::print(stderr, "\r\x1b[Kreading {}: {}{}", what_, FormatBytes(done_bytes), share);
  std::fflush(stderr);
}

}  // namespace warpsight
