// WorkPartsPass: the part of every row of GPU work, over the whole recording (no selection: a block is only read whole).
//
// Place in the flow: attribution -> WorkSequence -> patterns, blocks, backward, replays -> WorkParts -> parts, model,
// kernels. Backward work is the part `backward`; forward_part says which part of the forward pass it is the gradient of.
// Work of CUDA graph replays is read from kernel names, and takes over the parts of an eager reference where it aligns with
// one. Cost: linear. Errors: kLacks without GPU work. Thread-compatible.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/block_reader.h"
#include "analysis/pass.h"
#include "analysis/work_sequence.h"

namespace warpsight {

struct ReplayAlignment {
  int64_t replays = 0;            // graph launches in the recording
  int64_t kernels = 0;            // GPU work in them
  int64_t aligned = 0;            // of it, with a counterpart in the reference, or with its launch in a capture
  int64_t captured = 0;           // of that, with its launch in a capture
  int64_t reference_kernels = 0;  // GPU work of the reference's forward pass
};

struct WorkParts {
  WorkSequence sequence;
  std::vector<ForwardPass> passes;
  std::vector<std::optional<Part>> forward_part;  // by token: of backward work
  std::vector<Confidence> confidence;             // by row, as the parts were told
  std::optional<ReplayAlignment> alignment;       // absent without replays, or without both capture and reference

  Part part(uint32_t row) const { return sequence.tokens()[sequence.token_of(row)].part; }
};

struct WorkPartsPass {
  using Output = WorkParts;
  static constexpr std::string_view kName = "work_parts";
  static constexpr Needs kNeeds = Needs::kGpuWork;
  static Result<Output> Run(Analysis& analysis);
};

}  // namespace warpsight
