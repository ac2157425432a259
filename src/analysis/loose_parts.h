// Loose parts: work of a forward pass that belongs to no transformer block.
//
// Place in the flow: block_reader.cc calls these around the reading of blocks. Undecided tokens only are touched, but for
// casts that go to the product which reads them. Cost: linear. Thread-compatible.
#pragma once

#include "analysis/part_patterns.h"

namespace warpsight {

// A pass without attention, a convolutional network or a bare MLP: products, residual adds, gated activations.
void DecideWithoutBlocks(Tokens tokens);
// A compiler converts weights in kernels of their own, right before the product that reads them.
void GiveCastsToProducts(Tokens tokens);
// What nothing claimed: products are linear layers, moves are copies; the rest stays other.
void DecideLeftovers(Tokens tokens);

}  // namespace warpsight
