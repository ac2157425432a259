#include "analysis/part.h"

#include <array>

namespace warpsight {
namespace {

constexpr std::array<std::string_view, kPartCount> kPartNames = {
    "embedding",  "norm",      "q",       "k",        "v",         "kv",          "qkv",     "rotary",
    "kv_cache",   "attention", "o",       "residual", "gate",      "up",          "gate_up", "activation",
    "down",       "router",    "experts", "lm_head",  "sampling",  "convolution", "pooling", "linear",
    "collective", "copy",      "loss",    "backward", "optimizer", "other"};

}  // namespace

std::string_view PartName(Part part) { return kPartNames[static_cast<size_t>(part)]; }

std::optional<Part> ParsePart(std::string_view name) {
  for (int i = 0; i < kPartCount; ++i) {
    if (kPartNames[static_cast<size_t>(i)] == name) return static_cast<Part>(i);
  }
  return std::nullopt;
}

bool IsAttentionProjection(Part part) {
  return part == Part::kQ || part == Part::kK || part == Part::kV || part == Part::kKv || part == Part::kQkv ||
         part == Part::kO;
}

bool IsFeedForward(Part part) {
  return part == Part::kGate || part == Part::kUp || part == Part::kGateUp || part == Part::kDown;
}

std::string_view PhaseName(Phase phase) {
  constexpr std::array<std::string_view, kPhaseCount> kPhases = {"forward", "backward", "optimizer"};
  return kPhases[static_cast<size_t>(phase)];
}

}  // namespace warpsight
