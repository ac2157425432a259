// Part patterns: parts that are read from a few neighbouring tokens, wherever they stand.
//
//   norm       pow, mean, add, rsqrt, mul, mul (an eager RMSNorm), with the casts around it
//   rotary     mul, neg, cat, mul, add (half rotation); mul, mul, sub, mul, mul, add, cat (interleaved); the cos/sin table
//   attention  a product, softmax, a product (eager or math attention)
// and what every token tells by its kind, by the Python frames around it, or by a module path in a range.
// Place in the flow: WorkSequence -> these, in this order -> block_reader.h. Tokens of the forward phase of one thread, in
// order. Undecided tokens only are touched. Cost: linear. Thread-compatible.
#pragma once

#include <span>

#include "analysis/work_sequence.h"

namespace warpsight {

using Tokens = std::span<WorkToken*>;

void DecideByThemselves(Tokens tokens);
void DecideSoftmaxAttention(Tokens tokens);
void DecideEagerNorms(Tokens tokens);
void DecideRotary(Tokens tokens);

// Sets the part; `counts` says whether the token begins a call of it.
inline void Decide(WorkToken& token, Part part, bool counts = true) {
  token.part = part;
  token.decided = true;
  token.counts = counts;
}

// Whether two operands have one and the same shape of at least one dimension.
bool AddsEqualShapes(const WorkToken& token);

}  // namespace warpsight
