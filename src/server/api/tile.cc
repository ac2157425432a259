#include "server/api/tile.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>

namespace warpsight::server {
namespace {

static_assert(std::endian::native == std::endian::little, "tiles are written as they lie in memory");

constexpr uint32_t kMagic = 0x54535754;  // "TWST"
constexpr uint32_t kVersion = 1;
constexpr uint32_t kSlices = 0;
constexpr uint32_t kCounter = 1;

class TileWriter {
 public:
  TileWriter(uint32_t kind, size_t count, size_t bytes_each) {
    bytes_.reserve(4 * sizeof(uint32_t) + count * bytes_each);
    for (const uint32_t word : {kMagic, kVersion, kind, static_cast<uint32_t>(count)}) Put(word);
  }
  // One column: what `value_of` says of each row.
  template <typename T, typename Rows, typename ValueOf>
  void Column(const Rows& rows, const ValueOf& value_of) {
    for (const auto& row : rows) Put<T>(static_cast<T>(value_of(row)));
  }
  std::string Take() && { return std::move(bytes_); }

 private:
  template <typename T>
  void Put(T value) {
    char bytes[sizeof(T)];
    std::memcpy(bytes, &value, sizeof(T));
    bytes_.append(bytes, sizeof(T));
  }
  std::string bytes_;
};

double Since(Ns start, Ns time) { return static_cast<double>(SaturatingSubtract(time, start)); }

std::string CounterTile(const std::vector<CounterPoint>& points, Ns zero) {
  TileWriter writer(kCounter, points.size(), 4 * sizeof(double));
  writer.Column<double>(points, [zero](const CounterPoint& point) { return Since(zero, point.time); });
  writer.Column<double>(points, [](const CounterPoint& point) { return point.min; });
  writer.Column<double>(points, [](const CounterPoint& point) { return point.max; });
  writer.Column<double>(points, [](const CounterPoint& point) { return point.last; });
  return std::move(writer).Take();
}

std::string SliceTile(const TrackList& tracks, const Track& track, const std::vector<Slice>& slices, Ns zero) {
  constexpr size_t kBytes = 2 * sizeof(double) + 4 * sizeof(uint32_t) + sizeof(uint16_t) + sizeof(uint8_t);
  TileWriter writer(kSlices, slices.size(), kBytes);
  writer.Column<double>(slices, [zero](const Slice& slice) { return Since(zero, slice.start); });
  writer.Column<double>(slices, [](const Slice& slice) { return Since(slice.start, slice.end); });
  // Steps with a range that marks them are shown as that.
  const auto event = [&](const Slice& slice) { return tracks.Shown(track.events_kind, slice.row); };
  writer.Column<uint32_t>(slices, [&](const Slice& slice) { return tracks.NameOf(event(slice).kind, event(slice).row); });
  writer.Column<uint32_t>(slices, [&](const Slice& slice) { return event(slice).row; });
  writer.Column<uint32_t>(slices, [](const Slice& slice) { return slice.events; });
  writer.Column<float>(slices, [](const Slice& slice) { return slice.busy; });
  writer.Column<uint16_t>(slices, [&](const Slice& slice) { return slice.lane - track.first_lane; });
  writer.Column<uint8_t>(slices, [&](const Slice& slice) { return static_cast<uint8_t>(event(slice).kind); });
  return std::move(writer).Take();
}

}  // namespace

Result<std::string> TileAnswer(const Trace& trace, const TrackList& tracks, const Query& query) {
  if (tracks.tracks().empty()) return LacksError("the trace has no tracks: it holds no events");
  const Result<int64_t> number = query.Number("track", 0, static_cast<int64_t>(tracks.tracks().size()) - 1);
  if (!number.ok()) return number.status();
  const Result<int64_t> start = query.Number("start", kMinNs, kMaxNs);
  if (!start.ok()) return start.status();
  const Result<int64_t> end = query.Number("end", kMinNs, kMaxNs);
  if (!end.ok()) return end.status();
  if (*end <= *start) return UsageError(fmt::format("end={}: is not after start={}", *end, *start));
  const Result<int64_t> pixels = query.Number("px", 1, kMostPixels);
  if (!pixels.ok()) return pixels.status();
  const Track& track = tracks.tracks()[static_cast<size_t>(*number)];
  const Result<int64_t> from_depth = query.NumberOr("from_depth", 0, track.lanes, 0);
  if (!from_depth.ok()) return from_depth.status();
  const Result<int64_t> to_depth = query.NumberOr("to_depth", *from_depth, kMostLanes, track.lanes);
  if (!to_depth.ok()) return to_depth.status();
  const Ns zero = trace.capture().start;
  const Viewport view(*start, *end, static_cast<uint32_t>(*pixels));
  if (track.computed != nullptr) return CounterTile(track.computed->Collect(view), zero);
  if (track.counter != nullptr) return CounterTile(tracks.counters().Collect(*track.counter, view), zero);

  std::vector<Slice> slices;
  const auto lanes_end = static_cast<uint32_t>(std::min<int64_t>(*to_depth, track.lanes));
  for (auto lane = static_cast<uint32_t>(*from_depth); lane < lanes_end; ++lane) {
    tracks.lanes(track.events_kind).Collect(track.first_lane + lane, view, kMostSlices, slices);
    if (slices.size() > kMostSlices) {
      return UsageError(
          fmt::format("the range has more than {} slices: give fewer pixels, or from_depth and to_depth", kMostSlices));
    }
  }
  return SliceTile(tracks, track, slices, zero);
}

}  // namespace warpsight::server
