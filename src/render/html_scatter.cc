// Points over two logarithmic axes, below roofs. Tick labels stand inside of the plot, so that it needs no margin in pixels.
#include <cmath>
#include <limits>

#include "document/units.h"
#include "render/html_chart.h"
#include "render/html_figure.h"

namespace warpsight {
namespace {

constexpr int kPlotHeight = 360;
constexpr int kScatterAxisHeight = 44;
constexpr std::size_t kLabelledPoints = 6;
constexpr std::size_t kMostPoints = 2000;
constexpr std::size_t kLongestPointLabel = 160;  // bytes

bool CanBeDrawn(const ScatterPoint& point) {
  return std::isfinite(point.x) && std::isfinite(point.y) && point.x > 0 && point.y > 0;
}

// 1.2e13 as "12 T".
std::string WithPrefix(double value) {
  constexpr std::string_view kPrefixes[] = {"", "k", "M", "G", "T", "P", "E"};
  std::size_t prefix = 0;
  while (std::fabs(value) >= 1000 && prefix + 1 < std::size(kPrefixes)) {
    value /= 1000;
    ++prefix;
  }
  return fmt::format("{}{}{}", FormatNumber(value), prefix == 0 ? "" : " ", kPrefixes[prefix]);
}

// A range in powers of ten, whole ones at its ends.
struct Decades {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void Include(double value) {
    if (!std::isfinite(value) || value <= 0) return;
    low = std::min(low, std::log10(value));
    high = std::max(high, std::log10(value));
  }
  void Close() {
    if (low > high) low = high = 0;
    low = std::floor(low - 0.1);
    high = std::ceil(high + 0.1);
  }
  double Place(double value) const { return (std::log10(value) - low) / (high - low); }
  // Decades between ticks, so that at most seven are named.
  int Stride() const { return std::max(1, static_cast<int>(std::ceil((high - low) / 7))); }
};

class ScatterWriter {
 public:
  ScatterWriter(const Scatter& scatter, std::string& out) : scatter_(scatter), out_(out) {
    for (const ScatterPoint& point : scatter.points) {
      if (!CanBeDrawn(point)) continue;
      drawn_.push_back(&point);
      x_.Include(point.x);
      y_.Include(point.y);
    }
    std::stable_sort(drawn_.begin(), drawn_.end(),
                     [](const ScatterPoint* a, const ScatterPoint* b) { return a->weight > b->weight; });
    if (drawn_.size() > kMostPoints) drawn_.resize(kMostPoints);
    for (const Roof& roof : scatter.roofs) {
      x_.Include(roof.ceiling / roof.slope);  // the ridge belongs into the picture
      y_.Include(roof.ceiling);
    }
    x_.Close();
    y_.Close();
  }

  static int height() { return kPlotHeight + kScatterAxisHeight; }
  const std::vector<const ScatterPoint*>& drawn() const { return drawn_; }

  void Write() {
    AppendGrid();
    for (const Roof& roof : scatter_.roofs) AppendRoof(roof);
    if (scatter_.roofs.size() > 1) {
      for (std::size_t i = 0; i < scatter_.roofs.size(); ++i) AppendRoofName(scatter_.roofs[i], i);
    }
    // The largest first, so that small ones stay visible on top of them.
    for (const ScatterPoint* point : drawn_) AppendPoint(*point);
    for (std::size_t i = 0; i < std::min(drawn_.size(), kLabelledPoints); ++i) AppendLabel(*drawn_[i], i + 1);
  }

 private:
  std::string X(double value) const { return Percent(x_.Place(value)); }
  double Y(double value) const { return kPlotHeight * (1 - y_.Place(value)); }

  void AppendGrid() {
    for (double power = x_.low; power <= x_.high; power += x_.Stride()) {
      const std::string x = X(std::pow(10, power));
      out_ += fmt::format("<line class=\"grid\" x1=\"{}%\" x2=\"{}%\" y1=\"0\" y2=\"{}\"/>", x, x, kPlotHeight);
      const char* const anchor = power == x_.low ? "start" : power + x_.Stride() > x_.high ? "end" : "middle";
      out_ += fmt::format("<text class=\"dim\" x=\"{}%\" y=\"{}\" text-anchor=\"{}\">{}</text>\n", x, kPlotHeight + 16,
                          anchor, WithPrefix(std::pow(10, power)));
    }
    for (double power = y_.low; power <= y_.high; power += y_.Stride()) {
      const double y = Y(std::pow(10, power));
      out_ += fmt::format("<line class=\"grid\" x1=\"0\" x2=\"100%\" y1=\"{:.1f}\" y2=\"{:.1f}\"/>", y, y);
      if (y > 14)
        out_ +=
            fmt::format("<text class=\"dim halo\" x=\"4\" y=\"{:.1f}\">{}</text>\n", y - 4, WithPrefix(std::pow(10, power)));
    }
    out_ += fmt::format("<line class=\"axis\" x1=\"0\" x2=\"100%\" y1=\"{}\" y2=\"{}\"/>", kPlotHeight, kPlotHeight);
    out_ += fmt::format("<text class=\"dim\" x=\"50%\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", kPlotHeight + 36,
                        Escaped(scatter_.x_label));
    out_ += fmt::format("<text class=\"halo\" x=\"4\" y=\"12\">{}</text>\n", Escaped(scatter_.y_label));
  }

  void AppendLine(double x1, double y1, double x2, double y2) {
    out_ += fmt::format("<line class=\"roof\" x1=\"{}%\" y1=\"{:.1f}\" x2=\"{}%\" y2=\"{:.1f}\"/>\n", X(x1), Y(y1), X(x2),
                        Y(y2));
  }

  void AppendRoof(const Roof& roof) {
    const double left = std::pow(10, x_.low);
    const double right = std::pow(10, x_.high);
    const double bottom = std::pow(10, y_.low);
    const bool slopes = std::isfinite(roof.slope) && roof.slope > 0;
    const bool ends = std::isfinite(roof.ceiling) && roof.ceiling > 0;
    const double ridge = std::clamp(slopes && ends ? roof.ceiling / roof.slope : slopes ? right : left, left, right);
    if (slopes) {
      const double from = std::max(left, bottom / roof.slope);
      if (from < ridge) AppendLine(from, roof.slope * from, ridge, roof.slope * ridge);
    }
    if (ends && ridge < right) AppendLine(ridge, roof.ceiling, right, roof.ceiling);
  }

  // Beside a slope, at the right end of a ceiling: up to the colon, the rest stands below the plot. Slopes are parallel:
  // each has its name at a height of its own.
  void AppendRoofName(const Roof& roof, std::size_t index) {
    const std::string name = EscapedAndCut(std::string_view(roof.label).substr(0, roof.label.find(':')), 40);
    const bool slopes = std::isfinite(roof.slope) && roof.slope > 0;
    const bool ends = std::isfinite(roof.ceiling) && roof.ceiling > 0;
    if (!slopes && ends) {
      out_ += fmt::format("<text class=\"halo\" x=\"100%\" dx=\"-4\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n",
                          Y(roof.ceiling) - 5, name);
    } else if (slopes && ends) {
      const double from = std::max(std::pow(10, x_.low), std::pow(10, y_.low) / roof.slope);
      const double part = 0.3 + 0.2 * static_cast<double>(index % 4);
      const double middle = from * std::pow(std::max(roof.ceiling / (roof.slope * from), 1.0), part);
      out_ += fmt::format("<text class=\"halo\" x=\"{}%\" dx=\"-6\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", X(middle),
                          Y(roof.slope * middle), name);
    }
  }

  static double Radius(const ScatterPoint& point) { return 4 + 10 * std::sqrt(std::clamp(point.weight, 0.0, 1.0)); }

  void AppendPoint(const ScatterPoint& point) {
    out_ += fmt::format(
        "<circle class=\"k{}\" cx=\"{}%\" cy=\"{:.1f}\" r=\"{:.1f}\"><title>{}: {} {}, {} {}</title></circle>\n",
        ColourOf(point.series), X(point.x), Y(point.y), Radius(point), EscapedAndCut(point.label, kLongestPointLabel),
        WithPrefix(point.x), Escaped(scatter_.x_label), WithPrefix(point.y), Escaped(scatter_.y_label));
  }

  // A number stands for the name, which has its place below the plot: names would lie over one another.
  void AppendLabel(const ScatterPoint& point, std::size_t number) {
    const double away = Radius(point) + 4;
    const bool leftward = x_.Place(point.x) > 0.9;
    out_ += fmt::format("<text class=\"halo\" x=\"{}%\" dx=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>\n",
                        X(point.x), leftward ? -away : away, Y(point.y) + 4, leftward ? "end" : "start", number);
  }

  const Scatter& scatter_;
  std::string& out_;
  std::vector<const ScatterPoint*> drawn_;
  Decades x_;
  Decades y_;
};

void AppendNumbered(const std::vector<const ScatterPoint*>& points, std::string& out) {
  if (points.empty()) return;
  out += "<ol class=\"numbered\">";
  for (std::size_t i = 0; i < std::min(points.size(), kLabelledPoints); ++i) {
    out += fmt::format("<li>{}</li>", EscapedAndCut(points[i]->label, kLongestPointLabel));
  }
  out += "</ol>\n";
}

void AppendPoints(const Scatter& scatter, const std::vector<const ScatterPoint*>& points, std::string& out) {
  constexpr std::size_t kMostListed = 100;
  out += fmt::format(
      "<details><summary>The points as a table</summary><div class=\"scroll\"><table><thead><tr><th scope=\"col\">Point</th>"
      "<th scope=\"col\" class=\"n\">{}</th><th scope=\"col\" class=\"n\">{}</th></tr></thead><tbody>",
      Escaped(scatter.x_label), Escaped(scatter.y_label));
  for (std::size_t i = 0; i < std::min(points.size(), kMostListed); ++i) {
    out +=
        fmt::format("<tr><th scope=\"row\" class=\"name\">{}</th><td class=\"n\">{}</td><td class=\"n\">{}</td></tr>\n",
                    EscapedAndCut(points[i]->label, kLongestPointLabel), WithPrefix(points[i]->x), WithPrefix(points[i]->y));
  }
  out += "</tbody></table></div></details>\n";
}

}  // namespace

void AppendHtmlChart(const Scatter& scatter, std::string_view id, std::string& out) {
  AppendFigureTitle(scatter.title, id, out);
  ScatterWriter writer(scatter, out);
  std::string roofs;
  for (const Roof& roof : scatter.roofs) roofs += (roofs.empty() ? "Lines: " : "; ") + roof.label;
  AppendSvgStart(
      id, ScatterWriter::height(), scatter.title,
      fmt::format("{} points. Across: {}. Up: {}. {}", writer.drawn().size(), scatter.x_label, scatter.y_label, roofs), out);
  writer.Write();
  out += "</svg>\n";
  AppendLegend(scatter.series, std::vector<bool>(scatter.series.size(), true), out);
  AppendNumbered(writer.drawn(), out);
  if (!roofs.empty()) out += fmt::format("<p class=\"remark\">{}</p>\n", Escaped(roofs));
  if (const std::size_t left_out = scatter.points.size() - writer.drawn().size(); left_out > 0) {
    out += fmt::format(
        "<p class=\"remark\">{} more points are not drawn: one of their values is not known, or they are the smallest "
        "of very many.</p>\n",
        FormatCount(static_cast<std::int64_t>(left_out)));
  }
  AppendPoints(scatter, writer.drawn(), out);
  AppendFigureEnd(scatter.caption, out);
}

}  // namespace warpsight
