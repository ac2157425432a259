// AlignReplays: parts of the kernels that CUDA graphs replayed, taken from a recording that still has the ops.
//
//   0. by the capture, where it was recorded: attribution has told those (captured_launches.h)
//   1. by graph node: work with the same graph and node id that an op is known for, in this recording or the reference;
//   2. by alignment: the kernels of a replay against those of one eager forward pass of the reference, both as kinds of work
//      (names differ with shapes; what a kernel does does not). Equal replays are aligned once.
// Kernels without a counterpart keep what their names and neighbours told. The share aligned is part of the result.
// Place in the flow: WorkParts of both recordings -> WorkParts of this one. Thread-compatible.
#pragma once

#include "analysis/work_parts_pass.h"

namespace warpsight {

void AlignReplays(Analysis& analysis, WorkParts& parts);

}  // namespace warpsight
