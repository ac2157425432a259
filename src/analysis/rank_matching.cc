#include "analysis/rank_matching.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "analysis/rank_clocks.h"
#include "analysis/thresholds.h"
#include "document/units.h"

namespace warpsight {
namespace {

// Effort of the search for a shift: shifts tried, and calls looked at for each.
constexpr int64_t kMostShifts = 20'000;
constexpr int64_t kMostKeyCompares = 20'000'000;  // above it, keys are compared at kKeySamples places only
constexpr int64_t kKeySamples = 64;
constexpr int64_t kEndSamples = 101;

// The calls of one rank in one group, in order.
struct Sequence {
  uint32_t member = 0;
  std::vector<uint32_t> calls;  // index into CollectivesResult::calls
  std::vector<uint64_t> keys;   // equal on all ranks for the same collective
  std::vector<Ns> ends;
  std::vector<int64_t> steps;  // step number by call; -1 = none
  std::vector<Ns> launches;    // start of the launching call
  bool launched = true;        // every call has its launch

  int64_t size() const { return static_cast<int64_t>(calls.size()); }
};

using GroupKey = std::pair<std::string, std::string>;  // name, ranks
struct Group {
  bool recorded = true;
  std::map<uint32_t, Sequence> sequences;  // by member
};

template <typename T>
std::vector<T> Permuted(const std::vector<T>& values, const std::vector<size_t>& order) {
  std::vector<T> permuted;
  permuted.reserve(values.size());
  for (const size_t from : order) permuted.push_back(values[from]);
  return permuted;
}

// The order in which the host launched them holds even where the device's times do not.
void OrderByLaunch(Sequence& sequence) {
  if (!sequence.launched || std::is_sorted(sequence.launches.begin(), sequence.launches.end())) return;
  std::vector<size_t> order(sequence.calls.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(),
                   [&](size_t a, size_t b) { return sequence.launches[a] < sequence.launches[b]; });
  sequence.calls = Permuted(sequence.calls, order);
  sequence.keys = Permuted(sequence.keys, order);
  sequence.ends = Permuted(sequence.ends, order);
  sequence.steps = Permuted(sequence.steps, order);
  sequence.launches = Permuted(sequence.launches, order);
}

uint64_t HashOf(std::string_view text, uint64_t seed) {
  for (const char c : text) seed = (seed ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return (seed ^ 0xff) * 0x100000001b3;
}

// What must be equal on every rank.
uint64_t KeyOf(const CollectiveRow& row) {
  uint64_t key = HashOf(row.kind != nullptr ? std::string_view(row.kind->kind) : row.name, 0xcbf29ce484222325);
  key = HashOf(row.dtype, key);
  const bool bytes = row.kind != nullptr && row.kind->same_bytes && row.bytes;
  return HashOf(bytes ? std::to_string(*row.bytes) : "", key);
}

bool PointToPoint(const CollectiveRow& row) {
  return row.kind != nullptr && (row.kind->kind == "send" || row.kind->kind == "recv" || row.kind->kind == "send_recv");
}

class Groups {
 public:
  void Add(uint32_t member, const RankCalls& rank) {
    const CollectivesResult& collectives = *rank.collectives;
    const GpuWork& gpu = rank.trace->gpu();
    std::vector<uint64_t> key_of_row;
    for (const CollectiveRow& row : collectives.rows) key_of_row.push_back(KeyOf(row));
    std::map<std::pair<uint32_t, StreamIndex>, Sequence*> sequences;  // by row of the collectives, and stream
    for (uint32_t call = 0; call < collectives.calls.size(); ++call) {
      const CollectiveCall& one = collectives.calls[call];
      const CollectiveRow& row = collectives.rows[one.row];
      if (PointToPoint(row)) {
        ++point_to_point_;
        continue;
      }
      const StreamIndex stream = gpu.stream[one.gpu_row];
      Sequence*& sequence = sequences[{one.row, stream}];
      if (sequence == nullptr) sequence = &SequenceOf(member, row, rank.trace->streams()[stream].label);
      sequence->calls.push_back(call);
      sequence->keys.push_back(key_of_row[one.row]);
      sequence->ends.push_back(gpu.end_ns[one.gpu_row]);
      const bool numbered = one.step >= 0 && static_cast<size_t>(one.step) < rank.step_numbers.size();
      sequence->steps.push_back(numbered ? rank.step_numbers[static_cast<size_t>(one.step)] : -1);
      const uint32_t launch = gpu.launch[one.gpu_row];
      sequence->launched = sequence->launched && launch != kNoRow;
      sequence->launches.push_back(launch == kNoRow ? 0 : rank.trace->host().start_ns[launch]);
    }
    for (auto& [key, group] : groups_) {
      if (const auto found = group.sequences.find(member); found != group.sequences.end()) OrderByLaunch(found->second);
    }
  }
  const std::map<GroupKey, Group>& groups() const { return groups_; }
  int64_t point_to_point() const { return point_to_point_; }

 private:
  Sequence& SequenceOf(uint32_t member, const CollectiveRow& row, const std::string& stream) {
    const bool recorded = !row.group.empty() || !row.group_ranks.empty();
    Group& group = groups_[recorded ? GroupKey(row.group, row.group_ranks) : GroupKey("stream " + stream, "")];
    group.recorded = recorded;
    return group.sequences[member];
  }

  std::map<GroupKey, Group> groups_;
  int64_t point_to_point_ = 0;
};

// other[i] is matched with reference[i + shift], for i in [first, end).
struct Shift {
  int64_t shift = 0;
  int64_t first = 0;
  int64_t end = 0;
  std::string note;  // empty = certain

  int64_t size() const { return end - first; }
};

Shift Overlap(const Sequence& reference, const Sequence& other, int64_t shift) {
  Shift overlap;
  overlap.shift = shift;
  overlap.first = std::max<int64_t>(0, -shift);
  overlap.end = std::max(overlap.first, std::min(other.size(), reference.size() - shift));
  return overlap;
}

// Whether the keys agree, at about `samples` places of the overlap (0 = at all).
bool KeysAgree(const Sequence& reference, const Sequence& other, const Shift& overlap, int64_t samples) {
  const int64_t stride = samples == 0 ? 1 : std::max<int64_t>(1, overlap.size() / samples);
  for (int64_t i = overlap.first; i < overlap.end; i += stride) {
    if (other.keys[static_cast<size_t>(i)] != reference.keys[static_cast<size_t>(i + overlap.shift)]) return false;
  }
  return true;
}

std::vector<Ns> EndDifferences(const Sequence& reference, const Sequence& other, const Shift& overlap, int64_t samples) {
  const int64_t stride = samples == 0 ? 1 : std::max<int64_t>(1, overlap.size() / samples);
  std::vector<Ns> differences;
  for (int64_t i = overlap.first; i < overlap.end; i += stride) {
    differences.push_back(
        SaturatingSubtract(other.ends[static_cast<size_t>(i)], reference.ends[static_cast<size_t>(i + overlap.shift)]));
  }
  return differences;
}

// Place of the first call of the first step that both have a call in.
std::optional<int64_t> ShiftBySteps(const Sequence& reference, const Sequence& other) {
  std::map<int64_t, int64_t> first_of_step;
  for (int64_t i = reference.size() - 1; i >= 0; --i) first_of_step[reference.steps[static_cast<size_t>(i)]] = i;
  for (int64_t i = 0; i < other.size(); ++i) {
    const int64_t step = other.steps[static_cast<size_t>(i)];
    if (step < 0) continue;
    if (const auto found = first_of_step.find(step); found != first_of_step.end()) return found->second - i;
  }
  return std::nullopt;
}

// Shifts at which at least half of the shorter sequence overlaps and the keys agree, nearest to 0 first.
std::vector<int64_t> AgreeingShifts(const Sequence& reference, const Sequence& other) {
  const int64_t least = std::max<int64_t>(1, (std::min(reference.size(), other.size()) + 1) / 2);
  const int64_t lowest = least - other.size();
  const int64_t highest = reference.size() - least;
  std::vector<int64_t> shifts;
  int64_t compares_left = kMostKeyCompares;
  for (int64_t distance = 0; distance <= std::min(kMostShifts / 2, std::max(-lowest, highest)); ++distance) {
    for (const int64_t shift : {distance, -distance}) {
      if (shift < lowest || shift > highest || (distance == 0 && !shifts.empty())) continue;
      const Shift overlap = Overlap(reference, other, shift);
      if (!KeysAgree(reference, other, overlap, kKeySamples)) continue;
      if (compares_left > 0 && !KeysAgree(reference, other, overlap, 0)) continue;
      compares_left -= overlap.size();
      shifts.push_back(shift);
    }
  }
  return shifts;
}

// Of several shifts, the one at which the ends lie closest to a constant distance.
Shift BestByEnds(const Sequence& reference, const Sequence& other, const std::vector<int64_t>& shifts) {
  int64_t best = shifts.front();
  Ns least = kMaxNs;
  for (const int64_t shift : shifts) {
    const Shift overlap = Overlap(reference, other, shift);
    if (overlap.size() < ThresholdCount("rank_clock_least")) continue;
    const Ns spread = MedianAbsoluteDeviation(EndDifferences(reference, other, overlap, kEndSamples));
    if (spread < least) {
      least = spread;
      best = shift;
    }
  }
  Shift overlap = Overlap(reference, other, best);
  overlap.note = "the ranks recorded different parts of the run: matched where the ends of the calls fit best";
  return overlap;
}

Shift CommonPrefix(const Sequence& reference, const Sequence& other) {
  Shift overlap = Overlap(reference, other, 0);
  int64_t end = 0;
  while (end < overlap.end && other.keys[static_cast<size_t>(end)] == reference.keys[static_cast<size_t>(end)]) ++end;
  overlap.end = end;
  overlap.note =
      end == 0 ? "the ranks' calls come in different orders" : "the orders differ from some call on: matched up to it";
  return overlap;
}

bool HasSteps(const Sequence& sequence) {
  return std::any_of(sequence.steps.begin(), sequence.steps.end(), [](int64_t step) { return step >= 0; });
}

Shift FindShift(const Sequence& reference, const Sequence& other) {
  if (const std::optional<int64_t> by_steps = ShiftBySteps(reference, other)) {
    Shift overlap = Overlap(reference, other, *by_steps);
    if (overlap.size() > 0 && KeysAgree(reference, other, overlap, 0)) return overlap;
  } else if (HasSteps(reference) && HasSteps(other)) {
    return {0, 0, 0, "the ranks recorded different steps"};
  }
  if (reference.keys == other.keys) return Overlap(reference, other, 0);
  const std::vector<int64_t> shifts = AgreeingShifts(reference, other);
  if (shifts.empty()) return CommonPrefix(reference, other);
  if (shifts.size() == 1) return Overlap(reference, other, shifts.front());
  return BestByEnds(reference, other, shifts);
}

// The matches of a group; none, with a note, where they are not certain enough.
MatchedGroup MatchGroup(const GroupKey& key, const Group& group) {
  MatchedGroup matched;
  matched.name = key.first;
  matched.ranks = key.second;
  matched.recorded = group.recorded;
  const Sequence* reference = nullptr;
  for (const auto& [member, sequence] : group.sequences) {
    matched.members.push_back(member);
    if (reference == nullptr || sequence.size() > reference->size()) reference = &sequence;
  }
  std::vector<Shift> shifts;
  int64_t first = 0;  // the part of the reference that all have
  int64_t end = reference->size();
  for (const auto& [member, sequence] : group.sequences) {
    Shift& shift = shifts.emplace_back(FindShift(*reference, sequence));
    if (!shift.note.empty()) matched.note = shift.note;
    first = std::max(first, shift.first + shift.shift);
    end = std::min(end, shift.end + shift.shift);
    if (group.recorded || &sequence == reference || shift.size() == 0) continue;
    if (const ClockOffset fit = EstimateOffset(EndDifferences(*reference, sequence, shift, 0)); !fit.usable()) {
      matched.note = fit.problem;
      end = first;
    }
  }
  for (int64_t at = first; at < end; ++at) {
    size_t member = 0;
    for (const auto& [unused, sequence] : group.sequences)
      matched.calls.push_back(sequence.calls[static_cast<size_t>(at - shifts[member++].shift)]);
  }
  return matched;
}

std::string GroupName(const MatchedGroup& group) {
  return group.recorded ? fmt::format("group {} {}", group.name, group.ranks) : group.name;
}

}  // namespace

RankMatching MatchRanks(std::span<const RankCalls> ranks) {
  RankMatching result;
  Groups groups;
  for (uint32_t member = 0; member < ranks.size(); ++member) {
    if (ranks[member].collectives == nullptr) continue;
    groups.Add(member, ranks[member]);
    result.unmatched += static_cast<int64_t>(ranks[member].collectives->calls.size());
  }
  int64_t alone = 0;
  for (const auto& [key, group] : groups.groups()) {
    if (group.sequences.size() < 2) {
      alone += group.sequences.begin()->second.size();
      continue;
    }
    MatchedGroup matched = MatchGroup(key, group);
    if (matched.matches() == 0) {
      result.notes.push_back(
          fmt::format("{}: not matched{}{}", GroupName(matched), matched.note.empty() ? "" : ": ", matched.note));
      continue;
    }
    if (!matched.note.empty()) result.notes.push_back(fmt::format("{}: {}", GroupName(matched), matched.note));
    if (!matched.recorded) {
      result.notes.push_back(
          fmt::format("{}: the recording names no process group: matched by stream and order, which the "
                      "ends of the calls confirm",
                      GroupName(matched)));
    }
    result.matched += static_cast<int64_t>(matched.matches());
    result.unmatched -= static_cast<int64_t>(matched.calls.size());
    result.groups.push_back(std::move(matched));
  }
  if (alone > 0) {
    result.notes.push_back(fmt::format("{} calls of groups that only one of the ranks given has", FormatCount(alone)));
  }
  if (groups.point_to_point() > 0) {
    result.notes.push_back(
        fmt::format("{} point-to-point calls: the recordings do not name the peer", FormatCount(groups.point_to_point())));
  }
  return result;
}

}  // namespace warpsight
