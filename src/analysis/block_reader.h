// ReadForwardPass: the parts of one forward pass of a transformer, from the order of its work.
//
// Attention cores stand like posts in the sequence, one a layer; everything else is read between two of them:
//
//   core | o, residual, [norm], gate, activation, up, product, down, residual, [norm], q, k, v, [norms], rotary, cache |
//   core
//
// The first matrix product behind a core is o; the products around the activation are the feed-forward layer, or, behind a
// router (a product and a top-k), the experts; what follows are the next layer's projections or, behind the last core, the
// output head. Shapes, where recorded, decide between fused and separate projections, find the latent projections of
// multi-head latent attention and tell cache growth from the assembly of rotated heads; without them the counts do.
// A pass without attention (a convolutional network, a bare MLP) has no blocks: its products are `linear`.
// Place in the flow: part_patterns.h -> this -> parts. Undecided tokens only are touched, but for activations inside of
// experts. Cost: linear. Thread-compatible.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/part_patterns.h"

namespace warpsight {

// A forward pass as the model pass needs it.
struct ForwardPass {
  uint32_t first_token = 0;  // index into WorkSequence::tokens()
  uint32_t end_token = 0;
  int32_t step = -1;
  bool replayed = false;  // of a CUDA graph, without ops
  int64_t cores = 0;
};

// Decides the parts of tokens that are one pass; returns the number of attention cores.
int64_t ReadForwardPass(Tokens tokens);

}  // namespace warpsight
