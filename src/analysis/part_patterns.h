// Part patterns: parts that are read from a few neighbouring tokens, wherever they stand.
//
//   norm       pow, mean, add, rsqrt, mul, mul (an eager RMSNorm), with the casts around it
//   rotary     mul, neg, cat, mul, add (half rotation); mul, mul, sub, mul, mul, add, cat (interleaved); the cos/sin table
//   attention  a product, softmax, a product (eager or math attention)
// and what every token tells by its kind or by the Python frames around it.
// Place in the flow: WorkSequence -> these, in this order -> block_reader.h -> DecideByPaths. Tokens of the forward phase of
// one thread, in order. Undecided tokens only are touched. Cost: linear. Thread-compatible.
#pragma once

#include <span>

#include "analysis/work_sequence.h"

namespace warpsight {

using Tokens = std::span<WorkToken*>;

void DecideByThemselves(Tokens tokens);
void DecideSoftmaxAttention(Tokens tokens);
void DecideEagerNorms(Tokens tokens);
void DecideRotary(Tokens tokens);

// Module paths in ranges have the last word, once the order of the work is read: to decide them first would take the
// products that they name out of the blocks, and what no path names (the cache, the residual add, a head without a dot)
// would be read against blocks with holes.
void DecideByPaths(Tokens tokens);

// Sets the part; `counts` says whether the token begins a call of it.
inline void Decide(WorkToken& token, Part part, bool counts = true) {
  token.part = part;
  token.decided = true;
  token.counts = counts;
}

// Whether two operands have one and the same shape of at least one dimension.
bool AddsEqualShapes(const WorkToken& token);

}  // namespace warpsight
