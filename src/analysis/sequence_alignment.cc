#include "analysis/sequence_alignment.h"

#include <algorithm>

namespace warpsight {
namespace {

// Furthest-reaching paths by diagonal, after each number of edits; kept to walk back along the best one.
class Script {
 public:
  Script(std::span<const uint64_t> a, std::span<const uint64_t> b) : a_(a), b_(b) {}

  bool Find(size_t max_edits) {
    const auto n = static_cast<std::ptrdiff_t>(a_.size());
    const auto m = static_cast<std::ptrdiff_t>(b_.size());
    const auto limit = static_cast<std::ptrdiff_t>(std::min(max_edits, a_.size() + b_.size()));
    std::vector<std::ptrdiff_t> reach(static_cast<size_t>(2 * limit + 3), 0);
    const auto at = [&](std::ptrdiff_t diagonal) -> std::ptrdiff_t& {
      return reach[static_cast<size_t>(diagonal + limit + 1)];
    };
    for (std::ptrdiff_t edits = 0; edits <= limit; ++edits) {
      std::vector<int32_t> row;
      row.reserve(static_cast<size_t>(edits + 1));
      for (std::ptrdiff_t k = -edits; k <= edits; k += 2) {
        const bool down = k == -edits || (k != edits && at(k - 1) < at(k + 1));
        std::ptrdiff_t x = down ? at(k + 1) : at(k - 1) + 1;
        std::ptrdiff_t y = x - k;
        while (x < n && y < m && a_[static_cast<size_t>(x)] == b_[static_cast<size_t>(y)]) ++x, ++y;
        at(k) = x;
        row.push_back(static_cast<int32_t>(x));
        if (x >= n && y >= m) {
          rows_.push_back(std::move(row));
          end_ = k;
          return true;
        }
      }
      rows_.push_back(std::move(row));
    }
    return false;
  }

  // Calls match(index in a, index in b) for every pair on the path.
  template <typename Match>
  void WalkBack(const Match& match) const {
    auto x = static_cast<std::ptrdiff_t>(a_.size());
    auto y = static_cast<std::ptrdiff_t>(b_.size());
    std::ptrdiff_t k = end_;
    for (auto edits = static_cast<std::ptrdiff_t>(rows_.size()) - 1; edits >= 0; --edits) {
      std::ptrdiff_t from = 0;
      std::ptrdiff_t start = 0;  // x behind the edit, where the run of matches begins
      if (edits > 0) {
        const bool down = k == -edits || (k != edits && Reach(edits - 1, k - 1) < Reach(edits - 1, k + 1));
        from = down ? k + 1 : k - 1;
        start = Reach(edits - 1, from) + (down ? 0 : 1);
      }
      while (x > start && y > 0 && x > 0) match(static_cast<size_t>(--x), static_cast<size_t>(--y));
      if (edits == 0) break;
      x = Reach(edits - 1, from);
      y = x - from;
      k = from;
    }
  }

 private:
  std::ptrdiff_t Reach(std::ptrdiff_t edits, std::ptrdiff_t diagonal) const {
    const std::ptrdiff_t index = (diagonal + edits) / 2;
    if (diagonal < -edits || diagonal > edits) return -1;
    return rows_[static_cast<size_t>(edits)][static_cast<size_t>(index)];
  }

  std::span<const uint64_t> a_;
  std::span<const uint64_t> b_;
  std::vector<std::vector<int32_t>> rows_;
  std::ptrdiff_t end_ = 0;
};

}  // namespace

std::vector<size_t> AlignSequences(std::span<const uint64_t> sequence, std::span<const uint64_t> reference,
                                   size_t max_edits) {
  std::vector<size_t> counterparts(sequence.size(), kNotAligned);
  size_t head = 0;
  const size_t shorter = std::min(sequence.size(), reference.size());
  while (head < shorter && sequence[head] == reference[head]) {
    counterparts[head] = head;
    ++head;
  }
  size_t tail = 0;
  while (tail < shorter - head && sequence[sequence.size() - 1 - tail] == reference[reference.size() - 1 - tail]) {
    counterparts[sequence.size() - 1 - tail] = reference.size() - 1 - tail;
    ++tail;
  }
  Script script(sequence.subspan(head, sequence.size() - head - tail),
                reference.subspan(head, reference.size() - head - tail));
  if (script.Find(max_edits)) {
    script.WalkBack([&](size_t a, size_t b) { counterparts[head + a] = head + b; });
  }
  return counterparts;
}

}  // namespace warpsight
