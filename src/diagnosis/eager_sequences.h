// Eager sequences: runs of elementary kernels on one stream that one fused kernel could do.
//
// Place in the flow: frame work (WorkOp by row) -> this -> rules on fusion, what-ifs. A sequence is found by the order of
// the operations on a stream alone, so that replayed CUDA graphs and traces without shapes are judged as well. Units: ns.
// Thread-compatible.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "diagnosis/frame_work.h"
#include "diagnosis/rule.h"

namespace warpsight {

// GPU rows of one occurrence, in order: a part of FrameWork::by_stream, which must outlive it.
using Sequence = std::span<const uint32_t>;

// [cast] pow mean add rsqrt mul [cast] [add] [mul]: a root-mean-square norm done op by op.
std::vector<Sequence> FindEagerNorms(const FrameWork& work);

// GEMM, (scale, mask, cast)*, softmax, (cast, dropout)*, GEMM: attention that writes its scores to memory.
std::vector<Sequence> FindEagerAttention(const Trace& trace, const FrameWork& work);

// Two and more elementwise kernels in a row, inside of one step.
std::vector<Sequence> FindElementwiseRuns(const Trace& trace, const FrameWork& work);

// A fused kernel reads and writes once, which the longest kernel of the sequence does too: the others' time is claimed.
void ClaimAllButLongest(const FrameWork& work, const Sequence& sequence, Claims& claims);

Ns OwnTime(const FrameWork& work, const Sequence& sequence);

}  // namespace warpsight
