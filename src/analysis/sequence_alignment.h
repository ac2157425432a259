// AlignSequences: which symbols of one sequence stand for which of another, as a shortest edit script (Myers, 1986).
//
// Cost: O((n + m) D) time and O(D^2) memory, D = symbols that have no counterpart. Common ends are cut off first. When D
// grows beyond `max_edits` the sequences are not alike and nothing more is aligned. Errors: none. Threads: pure function.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace warpsight {

inline constexpr size_t kNotAligned = ~size_t{0};

// For every symbol of `sequence` the index of its counterpart in `reference`, kNotAligned when it has none.
std::vector<size_t> AlignSequences(std::span<const uint64_t> sequence, std::span<const uint64_t> reference,
                                   size_t max_edits);

}  // namespace warpsight
