#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <vector>

#include "server/api/event_ref.h"
#include "server/api/name_answers.h"
#include "server/api/name_pattern.h"

namespace warpsight::server {
namespace {

// Of all names together: a second or two.
constexpr uint64_t kMostSteps = 400'000'000;
constexpr size_t kMostTextBytes = 1024;
constexpr int64_t kUsualHits = 100;
// Steps are ranges of the host, or have no names of their own: they are not searched.
constexpr EventKind kSearched[] = {EventKind::kHost, EventKind::kGpu, EventKind::kSpan};

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool HoldsWithoutCase(std::string_view text, std::string_view lower_part) {
  return std::search(text.begin(), text.end(), lower_part.begin(), lower_part.end(),
                     [](char a, char b) { return Lower(a) == b; }) != text.end();
}

// Which names match, by number; only those that events bear are looked at.
class MatchingNames {
 public:
  explicit MatchingNames(const TrackList& tracks) : tracks_(tracks), matches_(tracks.name_count(), 0) {}

  Status Match(const Query& query) {
    const Result<std::string_view> text = query.Text("q");
    if (!text.ok()) return text.status();
    if (text->empty() || text->size() > kMostTextBytes)
      return UsageError(fmt::format("q: give 1 to {} characters of a name", kMostTextBytes));
    const Result<int64_t> regex = query.NumberOr("regex", 0, 1, 0);
    if (!regex.ok()) return regex.status();
    if (*regex == 1) return MatchPattern(*text);
    std::string lower(*text);
    std::ranges::transform(lower, lower.begin(), Lower);
    ForEach([&](std::string_view name) { return HoldsWithoutCase(name, lower); });
    return OkStatus();
  }

  bool Has(uint32_t name) const { return matches_[name] != 0; }
  int64_t count() const { return std::ranges::count(matches_, 1); }

 private:
  template <typename Matches>
  void ForEach(const Matches& matches) {
    for (uint32_t name = 0; name < matches_.size(); ++name) {
      if (tracks_.IsNameOfEvent(name) && matches(tracks_.NameText(name))) matches_[name] = 1;
    }
  }

  Status MatchPattern(std::string_view text) {
    Result<NamePattern> pattern = NamePattern::Parse(text);
    if (!pattern.ok()) return UsageError("q: " + pattern.status().message());
    ForEach([&](std::string_view name) { return pattern->steps() < kMostSteps && pattern->IsIn(name); });
    if (pattern->steps() >= kMostSteps) return UsageError("q: the pattern takes too long on this trace: give a simpler one");
    return OkStatus();
  }

  const TrackList& tracks_;
  std::vector<uint8_t> matches_;
};

struct Hit {
  Ns start = 0;
  EventId event;
  auto order() const { return std::tuple(start, event.kind, event.row); }
  bool operator<(const Hit& other) const { return order() < other.order(); }
};

// The first hits in order, or the last.
class BestHits {
 public:
  BestHits(size_t most, bool last) : most_(most), last_(last) {}
  void Offer(const Hit& hit) {
    // The front of the heap is the worst that is kept.
    const auto is_better = [this](const Hit& a, const Hit& b) { return last_ ? b < a : a < b; };
    if (hits_.size() < most_) {
      hits_.push_back(hit);
      std::push_heap(hits_.begin(), hits_.end(), is_better);
    } else if (most_ > 0 && is_better(hit, hits_.front())) {
      std::pop_heap(hits_.begin(), hits_.end(), is_better);
      hits_.back() = hit;
      std::push_heap(hits_.begin(), hits_.end(), is_better);
    }
  }
  std::vector<Hit> Sorted() && {
    std::ranges::sort(hits_, [](const Hit& a, const Hit& b) { return a < b; });
    return std::move(hits_);
  }

 private:
  size_t most_;
  bool last_;
  std::vector<Hit> hits_;
};

}  // namespace

Result<Json> SearchAnswer(const TrackList& tracks, const Query& query) {
  MatchingNames names(tracks);
  WARPSIGHT_RETURN_IF_ERROR(names.Match(query));
  const Result<int64_t> after = query.NumberOr("after", kMinNs, kMaxNs, kMinNs);
  if (!after.ok()) return after.status();
  const Result<int64_t> until = query.NumberOr("until", kMinNs, kMaxNs, kMaxNs);
  if (!until.ok()) return until.status();
  const Result<int64_t> limit = query.NumberOr("limit", 0, kMostHits, kUsualHits);
  if (!limit.ok()) return limit.status();
  const bool from_the_end = query.Find("until").has_value() && !query.Find("after").has_value();
  BestHits best(static_cast<size_t>(*limit), from_the_end);
  int64_t count = 0;
  int64_t before = 0;
  int64_t between = 0;
  for (const EventKind kind : kSearched) {
    const std::span<const Ns> starts = tracks.starts(kind);
    for (uint32_t row = 0; row < starts.size(); ++row) {
      if (!names.Has(tracks.NameOf(kind, row))) continue;
      ++count;
      if (starts[row] < *after) {
        ++before;
      } else if (starts[row] < *until || *until == kMaxNs) {
        ++between;
        best.Offer({starts[row], {kind, row}});
      }
    }
  }
  const std::vector<Hit> sorted = std::move(best).Sorted();
  Json hits = Json::array();
  for (const Hit& hit : sorted) hits.push_back(EventRef(tracks, hit.event));
  const int64_t skipped = before + (from_the_end ? between - static_cast<int64_t>(sorted.size()) : 0);
  return Json{{"count", count}, {"names", names.count()}, {"skipped", skipped}, {"hits", std::move(hits)}};
}

}  // namespace warpsight::server
