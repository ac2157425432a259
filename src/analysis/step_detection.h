// DetectSteps: iterations of a recording that has no marker, from the launch sequence that repeats.
//
// Algorithm: every launch call becomes one symbol, a hash of the GPU work that it launched (a whole graph is one symbol).
// The period is the smallest p for which the sequence repeats at least twice and covers nearly all of it. Prefix hashes test
// the middle of the sequence for each p in O(1); the first periods that pass are extended to both sides symbol by symbol, so
// a prologue or an epilogue is allowed. Time is linear in the number of launches.
// What is told apart: one launch over and over (a loop over a kernel), and layers of a single step, which have foreign
// launches both before and behind them.
// Where there are few launches or none the top-level ops and calls of the launching thread are tried.
// Units: ns. Thread-compatible.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "analysis/step_windows.h"

namespace warpsight {

// Steps named "step (detected)"; a step lasts from its first launch to the first launch of the next one, the last to the end
// of its last GPU work or call. Empty when nothing repeats.
std::vector<StepWindow> DetectSteps(const Trace& trace);

// The repetition inside a sequence: symbols[first + i] == symbols[first + i + period] all the way to `end`.
struct Repetition {
  size_t period = 0;
  size_t first = 0;
  size_t end = 0;  // first + at least two periods
};

// The smallest period that covers at least `coverage` (0..1) of the sequence.
std::optional<Repetition> FindRepetition(std::span<const uint64_t> symbols, double coverage);

}  // namespace warpsight
