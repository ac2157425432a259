// ForwardPasses: the forward work of a thread cut into passes through the model.
//
// A pass ends where a step ends, and where an embedding (or the convolution that cuts patches) starts the next one: several
// passes may run in one step (generation), and a replayed graph may be all of a pass or a piece of one.
// Place in the flow: WorkSequence -> phases -> this -> block_reader.h. Cost: linear. Thread-compatible.
#pragma once

#include <vector>

#include "analysis/block_reader.h"
#include "analysis/work_sequence.h"

namespace warpsight {

// Tells the phase of work without ops from kernel names: what stands between the first kernel that computes gradients and
// the next one that only a forward pass has is backward.
void TellPhasesByName(Tokens tokens);

// A thread whose work is nearly all backward runs nothing else: autograd's own thread also adds gradients up outside of
// nodes.
void GiveThreadToBackward(Tokens tokens);

// Work of the forward phase right in front of the optimizer belongs to it: clipping, unscaling.
void GiveClippingToOptimizer(Tokens tokens);

// Cuts the forward tokens of a thread and decides their parts; adds the passes.
void ReadForwardPasses(const WorkSequence& sequence, Tokens tokens, std::vector<ForwardPass>& passes);

}  // namespace warpsight
