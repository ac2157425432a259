#include "analysis/lane_reducer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "document/kernel_name.h"

namespace warpsight {
namespace {

constexpr Ns kOwnColumns = 2;
constexpr double kHeights = 28;             // heights that a reader can tell apart
constexpr std::size_t kLongestLabel = 200;  // bytes

std::string LabelOf(std::string_view label, bool is_kernel) {
  if (is_kernel) return ShortKernelName(label);
  if (label.size() <= kLongestLabel) return std::string(label);
  std::size_t end = kLongestLabel;
  // Not inside of a UTF-8 character.
  while (end > kLongestLabel - 4 && (static_cast<unsigned char>(label[end]) & 0xC0U) == 0x80U) --end;
  return std::string(label.substr(0, end));
}

class Reducer {
 public:
  Reducer(Interval window, std::size_t columns)
      : window_(window),
        column_ns_(std::max<Ns>(1, window.duration() / static_cast<Ns>(std::max<std::size_t>(columns, 1)))) {}

  void Add(const LaneEvent& event) {
    const Interval whole = Intersect(event.time, window_);
    if (whole.empty()) return;
    const Interval piece{std::max(whole.start, covered_until_), whole.end};
    if (piece.empty()) return;  // another event ran all that time
    covered_until_ = piece.end;
    if (piece.duration() >= kOwnColumns * column_ns_) {
      Flush(piece.start);
      spans_.push_back({piece.start, piece.end, piece.duration(), 1, event.category, LabelOf(event.label, event.is_kernel)});
      last_is_column_ = false;
      drawn_until_ = piece.end;
    } else {
      AddToColumns(piece, event);
    }
  }

  std::vector<Span> Take() {
    Flush(window_.end);
    return std::move(spans_);
  }

 private:
  // What short events left in the current column.
  struct Column {
    Ns start = 0;
    Ns end = 0;
    Ns busy_ns = 0;
    std::int64_t events = 0;
    std::array<Ns, kMostCategories> by_category = {};
    Ns longest_ns = 0;
    std::string_view label;
    bool is_kernel = false;
  };

  Ns ColumnStart(Ns t) const { return t - (t - window_.start) % column_ns_; }

  void AddToColumns(Interval piece, const LaneEvent& event) {
    for (Ns at = piece.start; at < piece.end;) {
      const Ns start = ColumnStart(at);
      const Ns end = std::min(SaturatingAdd(start, column_ns_), window_.end);
      if (column_.busy_ns == 0 || column_.start != start) {
        Flush(start);
        column_ = {start, end, 0, 0, {}, 0, {}, false};
      }
      const Ns part = std::min(end, piece.end) - at;
      column_.busy_ns += part;
      column_.events += at == piece.start ? 1 : 0;
      column_.by_category[std::min(event.category, kMostCategories - 1)] += part;
      if (piece.duration() > column_.longest_ns) {
        column_.longest_ns = piece.duration();
        column_.label = event.label;
        column_.is_kernel = event.is_kernel;
      }
      at += part;
    }
  }

  // Turns the current column into a span that ends at `border` at the latest.
  void Flush(Ns border) {
    if (column_.busy_ns == 0) return;
    Span span;
    span.start_ns = std::max(column_.start, drawn_until_);
    span.end_ns = std::min(column_.end, border);
    span.busy_ns = column_.busy_ns;
    span.events = std::max<std::int64_t>(column_.events, 1);  // 0: the rest of one that began before
    span.category = static_cast<std::size_t>(std::max_element(column_.by_category.begin(), column_.by_category.end()) -
                                             column_.by_category.begin());
    if (!JoinLast(span)) {
      span.label = LabelOf(column_.label, column_.is_kernel);
      spans_.push_back(std::move(span));
      longest_of_last_ns_ = column_.longest_ns;
      last_is_column_ = true;
    }
    drawn_until_ = spans_.back().end_ns;
    column_.busy_ns = 0;
  }

  bool JoinLast(const Span& span) {
    if (!last_is_column_ || spans_.empty()) return false;
    Span& last = spans_.back();
    const auto height = [](const Span& one) { return std::lround(one.fill() * kHeights); };
    if (last.end_ns != span.start_ns || last.category != span.category || height(last) != height(span)) return false;
    last.end_ns = span.end_ns;
    last.busy_ns += span.busy_ns;
    last.events += span.events;
    if (column_.longest_ns > longest_of_last_ns_) {
      longest_of_last_ns_ = column_.longest_ns;
      last.label = LabelOf(column_.label, column_.is_kernel);
    }
    return true;
  }

  Interval window_;
  Ns column_ns_;
  Ns covered_until_ = kMinNs;
  Ns drawn_until_ = kMinNs;
  Column column_;
  bool last_is_column_ = false;
  Ns longest_of_last_ns_ = 0;
  std::vector<Span> spans_;
};

}  // namespace

std::vector<Span> ReduceLane(std::span<const LaneEvent> events, Interval window, std::size_t columns) {
  if (window.empty()) return {};
  Reducer reducer(window, columns);
  for (const LaneEvent& event : events) reducer.Add(event);
  return reducer.Take();
}

}  // namespace warpsight
