#include "analysis/diff/kernel_pairs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace warpsight {
namespace {

enum class PairLevel : uint8_t { kShapes, kOp, kFamily };

// More kernels than this under one key say nothing about which is which.
constexpr size_t kMostUnderOneKey = 64;
constexpr double kNearlyAll = 0.9;

std::string_view OpOf(const WorkOrigin& origin) { return std::get<0>(origin); }
std::string_view ShapesOf(const WorkOrigin& origin) { return std::get<1>(origin); }
std::string_view PartOf(const WorkOrigin& origin) { return std::get<2>(origin); }

using CallsByOrigin = std::map<WorkOrigin, int64_t>;

// The calls of a kernel by what `level` looks at; what lacks it is left out.
CallsByOrigin CallsAt(PairLevel level, const OneSidedKernel& kernel) {
  CallsByOrigin calls;
  for (const auto& [origin, count] : *kernel.origins) {
    if (level == PairLevel::kFamily) {
      calls[{kernel.family, "", PartOf(origin)}] += count;
      continue;
    }
    if (OpOf(origin).empty() || (level == PairLevel::kShapes && ShapesOf(origin).empty())) continue;
    calls[{OpOf(origin), level == PairLevel::kShapes ? ShapesOf(origin) : std::string_view(), PartOf(origin)}] += count;
  }
  return calls;
}

struct PairCandidate {
  size_t vanished = 0;
  size_t appeared = 0;
  double overlap = 0;  // of the calls of both, the smaller of the shares
  WorkOrigin origin;   // that most of them share
};

int64_t AllCalls(const OneSidedKernel& kernel) {
  int64_t all = 0;
  for (const auto& [origin, count] : *kernel.origins) all += count;
  return all;
}

// The share of either kernel's calls whose origin the other has too, and the commonest such origin.
PairCandidate CompareOrigins(const CallsByOrigin& a, int64_t all_a, const CallsByOrigin& b, int64_t all_b) {
  PairCandidate candidate;
  int64_t common_a = 0;
  int64_t common_b = 0;
  int64_t most = 0;
  for (const auto& [origin, count] : a) {
    const auto other = b.find(origin);
    if (other == b.end()) continue;
    common_a += count;
    common_b += other->second;
    if (count > most) {
      most = count;
      candidate.origin = origin;
    }
  }
  if (all_a > 0 && all_b > 0) {
    candidate.overlap = std::min(static_cast<double>(common_a) / static_cast<double>(all_a),
                                 static_cast<double>(common_b) / static_cast<double>(all_b));
  }
  return candidate;
}

class Pairing {
 public:
  Pairing(const std::vector<OneSidedKernel>& vanished, const std::vector<OneSidedKernel>& appeared)
      : vanished_(vanished), appeared_(appeared), used_a_(vanished.size()), used_b_(appeared.size()) {}

  std::vector<PairedKernels> Run() {
    for (const PairLevel level : {PairLevel::kShapes, PairLevel::kOp, PairLevel::kFamily}) PairAt(level);
    return std::move(pairs_);
  }

 private:
  using ByKey = std::map<WorkOrigin, std::vector<size_t>>;

  static std::vector<CallsByOrigin> AllAt(PairLevel level, const std::vector<OneSidedKernel>& kernels,
                                          const std::vector<bool>& used, ByKey& by_key) {
    std::vector<CallsByOrigin> calls(kernels.size());
    for (size_t i = 0; i < kernels.size(); ++i) {
      if (used[i]) continue;
      calls[i] = CallsAt(level, kernels[i]);
      for (const auto& [origin, count] : calls[i]) by_key[origin].push_back(i);
    }
    return calls;
  }

  void PairAt(PairLevel level) {
    ByKey keys_a;
    ByKey keys_b;
    const std::vector<CallsByOrigin> calls_a = AllAt(level, vanished_, used_a_, keys_a);
    const std::vector<CallsByOrigin> calls_b = AllAt(level, appeared_, used_b_, keys_b);
    const size_t most = level == PairLevel::kFamily ? 1 : kMostUnderOneKey;
    std::map<std::pair<size_t, size_t>, PairCandidate> candidates;
    for (const auto& [origin, of_a] : keys_a) {
      const auto of_b = keys_b.find(origin);
      if (of_b == keys_b.end() || of_a.size() > most || of_b->second.size() > most) continue;
      for (const size_t a : of_a) {
        for (const size_t b : of_b->second) {
          if (candidates.contains({a, b})) continue;
          PairCandidate& candidate = candidates[{a, b}];
          candidate = CompareOrigins(calls_a[a], AllCalls(vanished_[a]), calls_b[b], AllCalls(appeared_[b]));
          candidate.vanished = a;
          candidate.appeared = b;
        }
      }
    }
    TakeBest(level, candidates);
  }

  void TakeBest(PairLevel level, const std::map<std::pair<size_t, size_t>, PairCandidate>& candidates) {
    std::vector<const PairCandidate*> order;
    order.reserve(candidates.size());
    for (const auto& [at, candidate] : candidates) order.push_back(&candidate);
    std::stable_sort(order.begin(), order.end(),
                     [](const PairCandidate* x, const PairCandidate* y) { return x->overlap > y->overlap; });
    for (const PairCandidate* candidate : order) {
      if (used_a_[candidate->vanished] || used_b_[candidate->appeared]) continue;
      used_a_[candidate->vanished] = used_b_[candidate->appeared] = true;
      pairs_.push_back({vanished_[candidate->vanished].row, appeared_[candidate->appeared].row, PairOf(level, *candidate)});
    }
  }

  static KernelPair PairOf(PairLevel level, const PairCandidate& candidate) {
    const bool nearly_all = candidate.overlap >= kNearlyAll;
    const std::string_view part = PartOf(candidate.origin);
    const std::string of_part = part.empty() ? "" : fmt::format(", part {}", part);
    switch (level) {
      case PairLevel::kShapes:
        return {nearly_all ? PairConfidence::kHigh : PairConfidence::kMedium,
                fmt::format("the same op and shapes: {} {}{}", OpOf(candidate.origin), ShapesOf(candidate.origin), of_part)};
      case PairLevel::kOp:
        return {nearly_all ? PairConfidence::kMedium : PairConfidence::kLow,
                fmt::format("the same op: {}{}", OpOf(candidate.origin), of_part)};
      case PairLevel::kFamily:
        break;
    }
    return {PairConfidence::kLow,
            fmt::format("the only {} kernel of either side that the other lacks{}", OpOf(candidate.origin), of_part)};
  }

  const std::vector<OneSidedKernel>& vanished_;
  const std::vector<OneSidedKernel>& appeared_;
  std::vector<bool> used_a_;
  std::vector<bool> used_b_;
  std::vector<PairedKernels> pairs_;
};

}  // namespace

std::vector<PairedKernels> PairKernels(const std::vector<OneSidedKernel>& vanished,
                                       const std::vector<OneSidedKernel>& appeared) {
  return Pairing(vanished, appeared).Run();
}

}  // namespace warpsight
