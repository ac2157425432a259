// ModelPass: the model that ran, inferred from the shapes of one forward pass, beside the one that was given.
//
// Sizes come from what each part reads and writes: hidden = what o writes, ffn = what down reads, kv = what k writes, vocab
// = what the output head writes, layers = the attention cores of a pass, heads from the attention op. Without shapes the
// counts stay (layers, the kinds of layers), sizes are absent. The family is the first row of data/models.toml that fits.
// Place in the flow: WorkParts -> ModelResult -> accounting, parts document. Errors: kLacks without GPU work.
// Thread-compatible.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "analysis/model_description.h"
#include "analysis/pass.h"
#include "analysis/work_parts_pass.h"

namespace warpsight {

struct ModelResult {
  ModelDescription inferred;
  bool found = false;                       // the recording holds a transformer's forward pass
  const ModelDescription* given = nullptr;  // --model
  // The model that statements rest on: the given one, else the inferred one.
  const ModelDescription& model() const { return given != nullptr ? *given : inferred; }

  std::optional<int64_t> batch;
  std::optional<int64_t> tokens;  // of one pass, over the batch
  std::string attention_backend;  // "cuDNN flash"; empty when there is no attention
  std::string engine;             // "projections fused: qkv, gate_up" when the recording runs them so; else empty

  // Calls of each part in the pass that was read, and in all passes of a step, by part.
  std::map<Part, int64_t> calls_in_pass;
  double passes_per_step = 0;  // forward passes like that one, a step; 0 when there are no steps
};

struct ModelPass {
  using Output = ModelResult;
  static constexpr std::string_view kName = "model";
  static constexpr Needs kNeeds = Needs::kGpuWork;
  static Result<Output> Run(Analysis& analysis);
};

}  // namespace warpsight
