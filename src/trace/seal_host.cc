// Host side of sealing: begin/end pairs, damaged times, sort, gather, nesting.
#include <algorithm>
#include <tuple>
#include <utility>

#include "base/parallel.h"
#include "trace/run_sort.h"
#include "trace/sealer.h"

namespace warpsight {
namespace {

constexpr Ns kSecond = 1'000'000'000;

// Rows of one shard go to buckets by (thread, layer): two a thread.
uint32_t BucketOf(ThreadIndex thread, HostKind kind) { return thread * 2 + (IsFrame(kind) ? 1 : 0); }

// Whether rows start at 0, and the earliest other start. A negative one is earliest of all: 0 is an ordinary time in such a
// file.
struct StartTimes {
  Ns earliest = kMaxNs;
  bool zeros = false;

  void Add(const TraceShard& shard) {
    const auto look = [this](const auto& rows) {
      for (const auto& row : rows) {
        zeros = zeros || row.start_ns == 0;
        earliest = row.start_ns == 0 ? earliest : std::min(earliest, row.start_ns);
      }
    };
    look(shard.host);
    look(shard.gpu);
    look(shard.gpu_spans);
  }
};

}  // namespace

void Sealer::JoinDurationEnds() {
  struct End {
    ThreadIndex thread;
    Ns time;
    size_t shard;
    size_t index;
  };
  std::vector<End> ends;
  for (size_t s = 0; s < shards_.size(); ++s) {
    for (size_t i = 0; i < shards_[s].duration_ends.size(); ++i) {
      const HostEventRow& event = shards_[s].duration_ends[i].event;
      ends.push_back({maps(shards_[s]).threads[event.thread], event.start_ns, s, i});
    }
  }
  std::stable_sort(ends.begin(), ends.end(),
                   [](const End& a, const End& b) { return std::tie(a.thread, a.time) < std::tie(b.thread, b.time); });
  std::vector<const End*> open;
  std::vector<JoinedPair> joined;
  const auto row_of = [this](const End& end) -> const DurationEndRow& {
    return shards_[end.shard].duration_ends[end.index];
  };
  const auto close_unmatched = [&](Ns until) {
    for (const End* begin : open) {
      joined.push_back({begin->shard, begin->index, until});
      HostEventRow& event = shards_[begin->shard].duration_ends[begin->index].event;
      const Effect effect = event.mended != 0 ? Effect::kNote : Effect::kRepaired;
      const auto note = [&](ImportLog& log) {
        return log.Add("begin_without_end", ImportSeverity::kWarning, effect,
                       "a B event has no E event: it is drawn to the last B or E of its thread",
                       static_cast<int64_t>(event.source));
      };
      note(trace_.log_);
      // The shard's log is joined already; the cause gets its number there.
      const size_t number = note(shards_[begin->shard].log);
      if (event.mended == 0) event.mended = static_cast<uint8_t>(number + 1);
    }
    open.clear();
  };
  for (size_t at = 0; at < ends.size(); ++at) {
    const End& end = ends[at];
    if (at > 0 && ends[at - 1].thread != end.thread) close_unmatched(ends[at - 1].time);
    const DurationEndRow& row = row_of(end);
    if (row.begin) {
      open.push_back(&end);
    } else if (open.empty()) {
      trace_.log_.Add("end_without_begin", ImportSeverity::kWarning, Effect::kExcluded,
                      "an E event has no B event before it", static_cast<int64_t>(row.event.source));
      TakeBackRepair(shards_[end.shard], row.event.mended);
    } else {
      joined.push_back({open.back()->shard, open.back()->index, end.time});
      open.pop_back();
    }
  }
  if (!ends.empty()) close_unmatched(ends.back().time);
  AddJoined(std::move(joined));
}

// Pairs stand among the other rows where they begin in the file: of events with equal times the first one is the parent.
void Sealer::AddJoined(std::vector<JoinedPair> joined) {
  std::sort(joined.begin(), joined.end(), [](const JoinedPair& a, const JoinedPair& b) {
    return std::tie(a.shard, a.index) < std::tie(b.shard, b.index);
  });
  for (const JoinedPair& pair : joined) {
    HostEventRow event = shards_[pair.shard].duration_ends[pair.index].event;
    event.duration_ns = SaturatingSubtract(pair.end, event.start_ns);
    shards_[pair.shard].host.push_back(event);
  }
  for (TraceShard& shard : shards_) {
    if (shard.duration_ends.empty()) continue;
    RunSort(shard.host, [](const HostEventRow& a, const HostEventRow& b) { return a.source < b.source; });
  }
}

// Recorders have written GPU records with time 0 into captures that lie hours (or an epoch) away from 0. Such a record says
// nothing about when it ran; kept, it would stretch the capture to the epoch. Certain only when all else is far from 0.
void Sealer::ExcludeZeroTimes() {
  const auto threads = static_cast<size_t>(std::max(1, options_.threads));
  std::vector<StartTimes> parts(threads);
  RunOnThreads(static_cast<int>(threads), [&](int worker) {
    for (auto shard = static_cast<size_t>(worker); shard < shards_.size(); shard += threads) {
      parts[static_cast<size_t>(worker)].Add(shards_[shard]);
    }
  });
  StartTimes all;
  for (const StartTimes& part : parts) {
    all.earliest = std::min(all.earliest, part.earliest);
    all.zeros = all.zeros || part.zeros;
  }
  if (!all.zeros || all.earliest == kMaxNs || all.earliest < 3600 * kSecond) return;
  const auto drop = [&](const TraceShard& shard, auto& rows) {
    const auto kept = std::remove_if(rows.begin(), rows.end(), [&](const auto& row) {
      if (row.start_ns != 0) return false;
      trace_.log_.Add(
          "zero_timestamp", ImportSeverity::kError, Effect::kExcluded,
          "an event starts at time 0 while every other event lies more than an hour later: its time was not recorded",
          static_cast<int64_t>(row.source));
      TakeBackRepair(shard, row.mended);
      return true;
    });
    rows.erase(kept, rows.end());
  };
  for (TraceShard& shard : shards_) {
    drop(shard, shard.host);
    drop(shard, shard.gpu);
    drop(shard, shard.gpu_spans);
  }
}

// An event counts once in the ledger: when a mended one is left out after all, its repair is no longer one.
void Sealer::TakeBackRepair(const TraceShard& shard, uint8_t mended) {
  if (mended != 0) trace_.log_.TurnRepairToNote(shard.log.cause_at(mended - 1));
}

void Sealer::SealHost() {
  std::vector<uint32_t> bucket_first(trace_.threads_.size() * 2 + 1, 0);
  for (const TraceShard& shard : shards_) {
    const std::vector<ThreadIndex>& threads = maps(shard).threads;
    for (const HostEventRow& row : shard.host) ++bucket_first[BucketOf(threads[row.thread], row.kind) + 1];
  }
  for (size_t bucket = 1; bucket < bucket_first.size(); ++bucket) bucket_first[bucket] += bucket_first[bucket - 1];

  LargeVector<RowKey> order(bucket_first.back());
  std::vector<uint32_t> next(bucket_first.begin(), bucket_first.end() - 1);
  for (uint32_t s = 0; s < shards_.size(); ++s) {
    const std::vector<ThreadIndex>& threads = maps(shards_[s]).threads;
    const std::vector<HostEventRow>& rows = shards_[s].host;
    for (uint32_t i = 0; i < rows.size(); ++i) {
      const HostEventRow& row = rows[i];
      order[next[BucketOf(threads[row.thread], row.kind)]++] = {row.start_ns, SaturatingAdd(row.start_ns, row.duration_ns),
                                                                s, i};
    }
  }
  LargeVector<RowKey> bucket;
  for (size_t b = 0; b + 1 < bucket_first.size(); ++b) {
    const auto first = order.begin() + bucket_first[b];
    const auto last = order.begin() + bucket_first[b + 1];
    const auto less = [](const RowKey& x, const RowKey& y) {
      return x.start != y.start ? x.start < y.start : x.end > y.end;
    };
    if (std::is_sorted(first, last, less)) continue;
    bucket.assign(first, last);
    RunSort(bucket, less);
    std::copy(bucket.begin(), bucket.end(), first);
  }
  bucket = {};
  GatherHost(order);

  int64_t partial = 0;
  for (ThreadIndex thread = 0; thread < trace_.threads_.size(); ++thread) {
    Thread& entry = trace_.threads_[thread];
    entry.first_call = bucket_first[thread * 2];
    entry.first_frame = bucket_first[thread * 2 + 1];
    entry.end = bucket_first[thread * 2 + 2];
    partial += NestLayer(entry.first_call, entry.first_frame) + NestLayer(entry.first_frame, entry.end);
  }
  trace_.log_.Add("host_partial_overlap", ImportSeverity::kInfo, Effect::kNote,
                  "an event starts inside another one of its thread and ends after it: both are kept, side by side", -1,
                  partial);
}

void Sealer::GatherHost(const LargeVector<RowKey>& order) {
  HostEvents& host = trace_.host_;
  const size_t count = order.size();
  const auto resize = [count](auto&... columns) { (columns.resize(count), ...); };
  resize(host.start_ns, host.end_ns, host.name, host.kind, host.thread, host.parent, host.correlation, host.external_id,
         host.shapes, host.types, host.sequence_plus_one, host.forward_thread, host.source);
  // Rows are written by place, so that every thread has a stretch of its own.
  const auto threads = static_cast<size_t>(std::max(1, options_.threads));
  std::vector<Interval> captures(threads, {kMaxNs, kMinNs});
  const std::vector<const NameMaps*> maps_of = MapsByShard();
  RunOnThreads(static_cast<int>(threads), [&](int worker) {
    const auto part = static_cast<size_t>(worker);
    captures[part] = GatherHostRows(order, maps_of, count * part / threads, count * (part + 1) / threads);
  });
  for (const Interval& capture : captures) {
    host_capture_.start = std::min(host_capture_.start, capture.start);
    host_capture_.end = std::max(host_capture_.end, capture.end);
  }
}

// Rows [first, end) of the sorted table; returns the time they span.
Interval Sealer::GatherHostRows(const LargeVector<RowKey>& order, const std::vector<const NameMaps*>& maps_of, size_t first,
                                size_t end) {
  HostEvents& host = trace_.host_;
  Interval capture{kMaxNs, kMinNs};
  for (size_t at = first; at < end; ++at) {
    const RowKey& key = order[at];
    const TraceShard& shard = shards_[key.shard];
    const NameMaps& map = *maps_of[key.shard];
    const HostEventRow& row = shard.host[key.index];
    host.start_ns[at] = key.start;
    host.end_ns[at] = key.end;
    host.name[at] = map.strings[static_cast<uint32_t>(row.name)];
    host.kind[at] = row.kind;
    host.thread[at] = map.threads[row.thread];
    host.correlation[at] = row.correlation;
    host.external_id[at] = row.external_id;
    host.shapes[at] = map.strings[static_cast<uint32_t>(row.shapes)];
    host.types[at] = map.strings[static_cast<uint32_t>(row.types)];
    host.sequence_plus_one[at] = row.sequence_plus_one;
    host.forward_thread[at] = row.forward_thread;
    host.source[at] = row.source;
    if (row.kind != HostKind::kRecording) {
      capture.start = std::min(capture.start, key.start);
      capture.end = std::max(capture.end, key.end);
    }
  }
  return capture;
}

// The stack walk of domain definitions: an event is a child of the nearest open event that contains it wholly; one that does
// not contain it is closed. Returns the number of partial overlaps met.
int64_t Sealer::NestLayer(uint32_t first, uint32_t end) {
  HostEvents& host = trace_.host_;
  std::vector<uint32_t> open;
  int64_t partial = 0;
  for (uint32_t row = first; row < end; ++row) {
    if (host.kind[row] == HostKind::kRecording) {
      host.parent[row] = kNoRow;
      continue;
    }
    while (!open.empty()) {
      const uint32_t top = open.back();
      const bool over = host.start_ns[row] >= host.end_ns[top];
      if (!over && host.end_ns[row] <= host.end_ns[top]) break;
      partial += over ? 0 : 1;
      open.pop_back();
    }
    host.parent[row] = open.empty() ? kNoRow : open.back();
    open.push_back(row);
  }
  return partial;
}

// The recorder writes its own overhead on no thread (pid -1): such a record belongs to the innermost call or op, of whatever
// thread, that contains it in time; the one that starts last when several threads offer one.
void Sealer::NestOverhead() {
  HostEvents& host = trace_.host_;
  for (const Thread& thread : trace_.threads_) {
    if (thread.pid != -1) continue;
    for (uint32_t row = thread.first_call; row < thread.first_frame; ++row) {
      if (host.kind[row] != HostKind::kOverhead) continue;
      uint32_t best = kNoRow;
      for (const Thread& other : trace_.threads_) {
        if (other.pid == -1) continue;
        const uint32_t found = InnermostAt(other, {host.start_ns[row], host.end_ns[row]});
        if (found == kNoRow) continue;
        if (best == kNoRow || host.start_ns[found] > host.start_ns[best]) best = found;
      }
      if (best != kNoRow) host.parent[row] = best;
    }
  }
}

uint32_t Sealer::InnermostAt(const Thread& thread, Interval interval) const {
  const HostEvents& host = trace_.host_;
  const auto first = host.start_ns.begin() + thread.first_call;
  const auto last = host.start_ns.begin() + thread.first_frame;
  const auto after = std::upper_bound(first, last, interval.start);
  if (after == first) return kNoRow;
  uint32_t row = static_cast<uint32_t>(after - host.start_ns.begin()) - 1;
  while (row != kNoRow && host.end_ns[row] < interval.end) row = host.parent[row];
  return row != kNoRow && host.kind[row] == HostKind::kRecording ? kNoRow : row;
}

}  // namespace warpsight
