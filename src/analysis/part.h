// Part: what GPU work does for a model (attention, norm, the down projection, ...), and the phase of training it belongs to.
//
// Place in the flow: the words of `parts` rows and of the kernels table's part column. What each means: docs/parts.md.
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace warpsight {

enum class Part : uint8_t {
  kEmbedding,
  kNorm,
  kQ,
  kK,
  kV,
  kKv,   // k and v in one matrix, or the latent of multi-head latent attention
  kQkv,  // q, k and v in one matrix
  kRotary,
  kKvCache,
  kAttention,
  kO,
  kResidual,
  kGate,
  kUp,
  kGateUp,
  kActivation,
  kDown,
  kRouter,
  kExperts,
  kLmHead,
  kSampling,
  kConvolution,
  kPooling,
  kLinear,  // a matrix product outside of any block that is known
  kCollective,
  kCopy,
  kLoss,
  kBackward,
  kOptimizer,
  kOther,
};
inline constexpr int kPartCount = static_cast<int>(Part::kOther) + 1;

// "embedding", "kv_cache", ...: the words of the JSON contract.
std::string_view PartName(Part part);
// The part of that name.
std::optional<Part> ParsePart(std::string_view name);

// q, k, v, kv, qkv and o.
bool IsAttentionProjection(Part part);
// gate, up, gate_up and down.
bool IsFeedForward(Part part);

enum class Phase : uint8_t { kForward, kBackward, kOptimizer };
inline constexpr int kPhaseCount = 3;
std::string_view PhaseName(Phase phase);

}  // namespace warpsight
