// MakeStepStrip: what ran when in one representative step, as lanes: GPU streams first, then host threads.
//
// The step is the one of median wall time (the lower of two) among those in the selected window; without steps it is the
// whole window. A GPU lane shows work by what it does (family); a host lane shows the outermost ops and calls of a thread,
// with the calls in which it slept on top, and, where the program has ranges of its own, a lane of those. Lanes are reduced
// by lane_reducer.h to kMostStripSpans spans in all; lanes with the least time are left out, and the caption says how many.
// Place in the flow: Trace + StepsPass -> TimelineStrip. Units: ns. Errors: none; nullopt when nothing ran.
// Thread-compatible.
#pragma once

#include <cstddef>
#include <optional>

#include "analysis/pass.h"
#include "document/chart.h"

namespace warpsight {

inline constexpr std::size_t kMostStripSpans = 2000;

std::optional<TimelineStrip> MakeStepStrip(Analysis& analysis);

}  // namespace warpsight
