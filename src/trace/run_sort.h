// RunSort: stable merge sort that uses the order already there.
//
// Recorders write events in a few long ascending runs (ops, then runtime calls, ...). The sort finds the runs and merges
// neighbours until one is left: O(n log runs), and nothing at all is moved where one run ends before the next begins. Input
// without long runs goes to std::stable_sort.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace warpsight {

// Merges `left` (moved out of the way) with [right, last), which stays where it is, to `out`. The output never overtakes
// `right`: at any time as many places are free before it as elements of `left` are left.
template <typename Values, typename Iterator, typename Less>
void MergeInto(const Values& left, Iterator right, Iterator last, Iterator out, Less less) {
  auto next = left.begin();
  while (next != left.end()) {
    if (right != last && less(*right, *next)) {
      *out++ = *right++;
    } else {
      *out++ = *next++;
    }
  }
}

template <typename Values, typename Less>
void RunSort(Values& values, Less less) {
  std::vector<size_t> borders = {0};
  for (size_t at = 1; at < values.size(); ++at) {
    if (less(values[at], values[at - 1])) borders.push_back(at);
  }
  borders.push_back(values.size());
  if (borders.size() <= 2) return;
  if (borders.size() > values.size() / 8 + 2) {
    std::stable_sort(values.begin(), values.end(), less);
    return;
  }
  Values buffer;
  while (borders.size() > 2) {
    std::vector<size_t> merged = {0};
    for (size_t run = 0; run + 1 < borders.size(); run += 2) {
      if (run + 2 >= borders.size()) {
        merged.push_back(borders[run + 1]);
        break;
      }
      const auto first = values.begin() + static_cast<std::ptrdiff_t>(borders[run]);
      const auto middle = values.begin() + static_cast<std::ptrdiff_t>(borders[run + 1]);
      const auto last = values.begin() + static_cast<std::ptrdiff_t>(borders[run + 2]);
      // What is already in place at the left stays; only the overlapping part is merged.
      const auto from = std::upper_bound(first, middle, *middle, less);
      if (from != middle) {
        buffer.assign(from, middle);
        MergeInto(buffer, middle, last, from, less);
      }
      merged.push_back(borders[run + 2]);
    }
    borders = std::move(merged);
  }
}

}  // namespace warpsight
