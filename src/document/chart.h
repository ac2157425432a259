// Charts: the blocks of a Document that are pictures. They show what tables beside them say in numbers, so the text form
// leaves them out, and JSON and CSV never see them; the page (render/html_renderer.h) draws them.
//
// Place in the flow: analysis and diagnosis reduce a result to a bounded number of marks; renderers only draw. Colours are
// the renderer's: a mark names a category by its index into the chart's own list.
// Units: durations int64 ns; a lane's times are on the trace's clock, as is the strip's window; shares 0..1; scatter axes
// are in the base units that their labels name. Texts may come from a hostile file; renderers neutralise them. Errors: none;
// a category index outside of its list is drawn as the last colour. Threads: plain values, thread-compatible.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/time.h"

namespace warpsight {

struct Bar {
  std::string label;
  Ns time_ns = 0;
  std::optional<double> share;  // of the whole that the chart's caption names
  std::size_t category = 0;
  std::string note;  // a few words, may be empty
};

// Horizontal bars, in the order given. Stacked: the bars are pieces of one whole and stand behind one another in one bar.
struct BarChart {
  std::string title;
  std::vector<Bar> bars;
  bool stacked = false;
  std::string caption;  // may be empty
};

// Time of one lane, from start to end. Many short events may be one span: `busy_ns` is then how much of it was occupied, so
// that what is drawn never claims more than what ran.
struct Span {
  Ns start_ns = 0;
  Ns end_ns = 0;
  Ns busy_ns = 0;
  std::int64_t events = 1;
  std::size_t category = 0;  // of TimelineStrip::categories
  std::string label;         // the event; of several, the longest

  // Stands for one event, from its start to its end.
  bool is_whole_event() const { return events == 1 && busy_ns == SaturatingSubtract(end_ns, start_ns); }
  double fill() const {
    return end_ns <= start_ns ? 0 : static_cast<double>(busy_ns) / static_cast<double>(SaturatingSubtract(end_ns, start_ns));
  }
};

struct Lane {
  std::string label;   // "GPU 0, stream 7"
  std::string detail;  // "busy 4.4 %"; may be empty
  std::vector<Span> spans;
};

// What ran when, in one window. The number of spans is bounded by whoever made it.
struct TimelineStrip {
  std::string title;
  Interval window;
  std::vector<std::string> categories;
  std::vector<Lane> lanes;
  std::string caption;
};

struct ScatterPoint {
  double x = 0;
  double y = 0;
  double weight = 0;  // 0..1 of the largest mark; the renderer makes areas of it
  std::string label;
  std::size_t series = 0;  // of Scatter::series
};

// min(slope * x, ceiling): one roof of a roofline. Infinite slope or ceiling: only the other limits.
struct Roof {
  std::string label;
  double slope = 0;
  double ceiling = 0;
};

// Points over two logarithmic axes, below roofs. Points that are not finite and positive can't be drawn; renderers count
// them.
struct Scatter {
  std::string title;
  std::string x_label;  // with its unit: "FLOP/B"
  std::string y_label;
  std::vector<std::string> series;
  std::vector<ScatterPoint> points;
  std::vector<Roof> roofs;
  std::string caption;
};

// A share of a whole, or of a peak.
struct ShareBar {
  std::string label;
  double share = 0;   // 0..1; beyond 1 is drawn as 1
  std::string value;  // formatted, beside the bar
  std::size_t category = 0;
  std::string note;  // a few words, may be empty
};

// Horizontal bars of shares, in the order given: as long as their share of all, or of the largest when those are small.
struct ShareChart {
  std::string title;
  std::vector<ShareBar> bars;
  bool of_largest = false;
  std::string caption;  // may be empty
};

// A unit of a machine, and what it exchanges with one unit of the row above.
struct FlowUnit {
  std::string name;
  std::vector<std::string> lines;    // short facts
  std::optional<double> busy_share;  // 0..1, drawn behind the name
  std::size_t from = 0;              // index in the row above; of no meaning in the first row
  std::vector<std::string> down;     // what comes from there, a few words a line; empty = nothing is drawn
  std::vector<std::string> up;       // what goes there
};

// Units in rows below one another, data flowing between.
struct FlowChart {
  std::string title;
  std::vector<std::vector<FlowUnit>> rows;
  std::string caption;
};

}  // namespace warpsight
