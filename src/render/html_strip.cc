// The strip: lanes below one another, time to the right. A span that stands for many events is drawn as high as it was busy.
#include <array>
#include <cmath>

#include "document/units.h"
#include "render/html_chart.h"
#include "render/html_figure.h"

namespace warpsight {
namespace {

// Pixels down the figure.
constexpr int kLabelHeight = 20;
constexpr int kLaneHeight = 28;
constexpr int kLanePitch = kLabelHeight + kLaneHeight + 12;
constexpr int kStripAxisHeight = 24;
constexpr std::size_t kLongestSpanLabel = 160;  // bytes
constexpr double kWideEnough = 0.08;            // of the figure, for a label inside

class StripWriter {
 public:
  StripWriter(const TimelineStrip& strip, std::string& out)
      : strip_(strip), out_(out), length_(static_cast<double>(std::max<Ns>(strip.window.duration(), 1))) {}

  int height() const { return static_cast<int>(strip_.lanes.size()) * kLanePitch + kStripAxisHeight; }

  void AppendTicks() {
    const Ns step = TickStep();
    const int bottom = height() - kStripAxisHeight;
    for (Ns at = 0; at <= strip_.window.duration(); at += step) {
      const std::string x = Percent(static_cast<double>(at) / length_);
      // The first label starts at the edge and the last ends there; a tick near the right edge keeps its line only.
      const double place = static_cast<double>(at) / length_;
      const char* const anchor = at == 0 ? "start" : place > 0.96 ? "end" : "middle";
      out_ += fmt::format("<line class=\"grid\" x1=\"{}%\" x2=\"{}%\" y1=\"0\" y2=\"{}\"/>", x, x, bottom + 4);
      out_ += fmt::format("<text class=\"dim\" x=\"{}%\" y=\"{}\" text-anchor=\"{}\">{}</text>\n", x, bottom + 18, anchor,
                          at == 0 ? "0" : FormatTick(at));
      if (at > kMaxNs - step) break;
    }
  }

  void AppendLane(const Lane& lane, int index) {
    const int top = index * kLanePitch;
    out_ += fmt::format("<text class=\"halo\" x=\"0\" y=\"{}\">{}", top + 13, EscapedAndCut(lane.label, kLongestSpanLabel));
    if (!lane.detail.empty()) out_ += fmt::format("<tspan class=\"dim\" dx=\"8\">{}</tspan>", Escaped(lane.detail));
    const int bar = top + kLabelHeight;
    out_ += fmt::format("</text><rect class=\"track\" x=\"0\" y=\"{}\" width=\"100%\" height=\"{}\"/>\n", bar, kLaneHeight);
    out_ += "<g shape-rendering=\"crispEdges\">";
    for (const Span& span : lane.spans) AppendSpan(span, bar);
    out_ += "</g>\n";
  }

 private:
  // The smallest of 1, 2, 5, 10, ... that gives at most so many ticks.
  Ns TickStep() const {
    constexpr Ns kMostTicks = 8;
    const Ns least = std::max<Ns>(strip_.window.duration() / kMostTicks, 1);
    for (Ns power = 1; power <= kMaxNs / 10; power *= 10) {
      for (const Ns factor : {1, 2, 5}) {
        if (power * factor >= least) return power * factor;
      }
    }
    return kMaxNs;
  }

  // "10 ms": ticks are round, so their zeros behind the point say nothing.
  static std::string FormatTick(Ns at) {
    const std::string text = FormatDuration(at);
    const std::size_t space = text.find(' ');
    std::string digits = text.substr(0, space);
    if (digits.find('.') != std::string::npos) {
      digits.erase(digits.find_last_not_of('0') + 1);
      if (digits.back() == '.') digits.pop_back();
    }
    return digits + text.substr(space);
  }

  void AppendSpan(const Span& span, int bar) {
    const Interval time = Intersect({span.start_ns, span.end_ns}, strip_.window);
    if (time.empty()) return;
    const double from = static_cast<double>(time.start - strip_.window.start) / length_;
    const double width = static_cast<double>(time.duration()) / length_;
    const double tall = std::clamp(span.fill(), 0.0, 1.0) * kLaneHeight;
    const double drawn = std::max(tall, 1.0);  // what ran is never drawn as nothing
    out_ += fmt::format(
        "<rect class=\"k{}\" x=\"{}%\" y=\"{:.1f}\" width=\"{}%\" height=\"{:.1f}\"><title>{}</title></rect>",
        ColourOf(span.category), Percent(from), bar + kLaneHeight - drawn, Percent(width), drawn, Describe(span));
    if (span.is_whole_event() && width >= kWideEnough) AppendLabel(span, from, width, bar);
  }

  // The inner svg cuts the text off at the end of its span.
  void AppendLabel(const Span& span, double from, double width, int bar) {
    out_ += fmt::format(
        "<svg x=\"{}%\" y=\"{}\" width=\"{}%\" height=\"{}\"><text class=\"on\" x=\"6\" y=\"18\">{}</text></svg>",
        Percent(from), bar, Percent(width), kLaneHeight, EscapedAndCut(span.label, kLongestSpanLabel));
  }

  std::string Describe(const Span& span) const {
    const std::string at = FormatDuration(span.start_ns - strip_.window.start);
    const std::string label = EscapedAndCut(span.label, kLongestSpanLabel);
    if (span.is_whole_event()) return fmt::format("{}, {} at {}", label, FormatDuration(span.busy_ns), at);
    return fmt::format("{} event{}, busy {} of {} at {}; longest {}", FormatCount(span.events), span.events == 1 ? "" : "s",
                       FormatDuration(span.busy_ns), FormatDuration(span.end_ns - span.start_ns), at, label);
  }

  const TimelineStrip& strip_;
  std::string& out_;
  double length_;
};

// What the longest events of each lane are: the picture, for those who can't see it or want the numbers.
void AppendLongest(const TimelineStrip& strip, std::string& out) {
  constexpr std::size_t kLongestSpans = 8;
  out +=
      "<details><summary>The longest single events of each lane as a table</summary><div class=\"scroll\"><table><thead><tr>"
      "<th scope=\"col\">Lane</th><th scope=\"col\">Event</th><th scope=\"col\">Kind</th><th scope=\"col\" "
      "class=\"n\">At</th>"
      "<th scope=\"col\" class=\"n\">Duration</th></tr></thead><tbody>";
  for (const Lane& lane : strip.lanes) {
    std::vector<const Span*> spans;
    for (const Span& span : lane.spans) {
      if (span.is_whole_event()) spans.push_back(&span);
    }
    const auto end = spans.begin() + static_cast<std::ptrdiff_t>(std::min(spans.size(), kLongestSpans));
    std::partial_sort(spans.begin(), end, spans.end(), [](const Span* a, const Span* b) {
      return a->busy_ns != b->busy_ns ? a->busy_ns > b->busy_ns : a->start_ns < b->start_ns;
    });
    for (auto span = spans.begin(); span != end; ++span) {
      const bool known = (*span)->category < strip.categories.size();
      out += fmt::format(
          "<tr><td>{}</td><th scope=\"row\" class=\"name\">{}</th><td>{}</td><td class=\"n\">{}</td><td "
          "class=\"n\">{}</td></tr>\n",
          EscapedAndCut(lane.label, kLongestSpanLabel), EscapedAndCut((*span)->label, kLongestSpanLabel),
          known ? Escaped(strip.categories[(*span)->category]) : "",
          WithUnit(FormatDuration((*span)->start_ns - strip.window.start)), WithUnit(FormatDuration((*span)->busy_ns)));
    }
  }
  out += "</tbody></table></div></details>\n";
}

std::vector<bool> Used(const TimelineStrip& strip) {
  std::vector<bool> used(strip.categories.size());
  for (const Lane& lane : strip.lanes) {
    for (const Span& span : lane.spans) {
      if (span.category < used.size()) used[span.category] = true;
    }
  }
  return used;
}

std::string Description(const TimelineStrip& strip) {
  std::string text;
  for (const Lane& lane : strip.lanes) text += fmt::format("{}: {}. ", lane.label, lane.detail);
  return text;
}

}  // namespace

void AppendHtmlChart(const TimelineStrip& strip, std::string_view id, std::string& out) {
  AppendFigureTitle(strip.title, id, out);
  StripWriter writer(strip, out);
  AppendSvgStart(id, writer.height(), strip.title, Description(strip), out);
  writer.AppendTicks();
  int index = 0;
  for (const Lane& lane : strip.lanes) writer.AppendLane(lane, index++);
  out += "</svg>\n";
  AppendLegend(strip.categories, Used(strip), out);
  AppendLongest(strip, out);
  AppendFigureEnd(strip.caption, out);
}

}  // namespace warpsight
