#include "analysis/forward_join.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <tuple>

#include "trace/run_sort.h"

namespace warpsight {
namespace {

// Backward ops of one framework thread that are looked at to find the host thread.
constexpr int kSamples = 200;

}  // namespace

ForwardJoin::ForwardJoin(const Trace& trace) : host_(trace.host()) {
  std::vector<uint32_t> backward;
  uint32_t least = ~uint32_t{0};
  for (uint32_t row = 0; row < host_.size(); ++row) {
    if (host_.forward_thread[row] == 0 || host_.sequence_plus_one[row] == 0) continue;
    backward.push_back(row);
    least = std::min(least, host_.sequence_plus_one[row]);
  }
  if (backward.empty()) return;  // inference: nothing is joined, and most ops carry one and the same number
  std::map<std::string_view, uint32_t> processes;
  for (const Thread& thread : trace.threads())
    process_of_.push_back(processes.try_emplace(thread.process_label, processes.size()).first->second);
  std::set<ThreadIndex> threads;
  for (uint32_t row = 0; row < host_.size(); ++row) {
    if (host_.sequence_plus_one[row] < least || host_.forward_thread[row] != 0) continue;
    forward_.push_back({host_.thread[row], host_.sequence_plus_one[row], row});
    threads.insert(host_.thread[row]);
  }
  // Numbers grow with time, so that rows are nearly in order already.
  RunSort(forward_, [](const Numbered& a, const Numbered& b) {
    return std::tie(a.thread, a.number, a.row) < std::tie(b.thread, b.number, b.row);
  });
  IndexNumbers();
  std::map<FrameworkThread, int> samples;
  std::map<std::pair<FrameworkThread, ThreadIndex>, int> fits;
  for (const uint32_t row : backward) {
    const FrameworkThread forward = ForwardThreadOf(row);
    if (++samples[forward] > kSamples) continue;
    for (const ThreadIndex thread : threads) {
      const bool of_process = process_of_[thread] == process_of_[host_.thread[row]];
      if (of_process && !Find(thread, host_.sequence_plus_one[row]).empty()) ++fits[{forward, thread}];
    }
  }
  std::map<FrameworkThread, int> best;
  for (const auto& [key, count] : fits) {
    if (count <= best[key.first]) continue;
    best[key.first] = count;
    thread_of_id_[key.first] = key.second;
  }
}

void ForwardJoin::IndexNumbers() {
  for (uint32_t begin = 0; begin < forward_.size();) {
    const ThreadIndex thread = forward_[begin].thread;
    Numbers numbers{.begin = begin, .end = begin, .least = forward_[begin].number, .first = {}};
    while (numbers.end < forward_.size() && forward_[numbers.end].thread == thread) ++numbers.end;
    const uint64_t span = uint64_t{forward_[numbers.end - 1].number} - numbers.least + 1;
    if (span <= 4 * uint64_t{numbers.end - numbers.begin}) {
      numbers.first.reserve(span + 1);
      for (uint32_t i = numbers.begin; i < numbers.end; ++i) {
        while (numbers.first.size() <= forward_[i].number - numbers.least) numbers.first.push_back(i);
      }
      numbers.first.push_back(numbers.end);
    }
    begin = numbers.end;
    numbers_.emplace(thread, std::move(numbers));
  }
}

std::span<const ForwardJoin::Numbered> ForwardJoin::Find(ThreadIndex thread, uint32_t number) const {
  const auto known = numbers_.find(thread);
  if (known == numbers_.end()) return {};
  const Numbers& numbers = known->second;
  if (!numbers.first.empty()) {
    if (number < numbers.least || number - numbers.least >= numbers.first.size() - 1) return {};
    const uint32_t first = numbers.first[number - numbers.least];
    return std::span(forward_).subspan(first, numbers.first[number - numbers.least + 1] - first);
  }
  const auto begin = forward_.begin() + numbers.begin;
  const auto [first, last] = std::equal_range(begin, forward_.begin() + numbers.end, Numbered{thread, number, 0},
                                              [](const Numbered& a, const Numbered& b) { return a.number < b.number; });
  return {first, last};
}

uint32_t ForwardJoin::ForwardOf(uint32_t backward_row) const {
  if (host_.forward_thread[backward_row] == 0 || thread_of_id_.empty()) return kNoRow;
  const auto thread = thread_of_id_.find(ForwardThreadOf(backward_row));
  if (thread == thread_of_id_.end()) return kNoRow;
  const std::span<const Numbered> ops = Find(thread->second, host_.sequence_plus_one[backward_row]);
  const auto after = std::upper_bound(ops.begin(), ops.end(), host_.start_ns[backward_row],
                                      [this](Ns start, const Numbered& op) { return start < host_.start_ns[op.row]; });
  return after == ops.begin() ? kNoRow : std::prev(after)->row;
}

}  // namespace warpsight
