// Units and flows: rows of boxes below one another, so that the picture fits a phone, with two arrows in the gap above each.
// Lengths across are percents; an inner svg gives each arrow a place of its own, in which pixels count from the left.
#include <algorithm>

#include "document/units.h"
#include "render/html_chart.h"
#include "render/html_figure.h"

namespace warpsight {
namespace {

// Pixels down the figure.
constexpr int kUnitHeight = 80;
constexpr int kGapHeight = 58;
constexpr int kTextLine = 16;
constexpr std::size_t kLongestFlowText = 60;  // bytes
constexpr std::size_t kMostUnitLines = 3;
constexpr double kBetweenUnits = 0.02;  // of the figure

// From left to right, 0..1 of the figure.
struct Place {
  double left = 0;
  double right = 1;
  double width() const { return right - left; }
};

Place PlaceOf(std::size_t index, std::size_t count) {
  const double each = (1 - kBetweenUnits * static_cast<double>(count - 1)) / static_cast<double>(count);
  const double left = static_cast<double>(index) * (each + kBetweenUnits);
  return {left, left + each};
}

void AppendUnit(const FlowUnit& unit, Place place, int top, std::string& out) {
  out += fmt::format("<svg x=\"{}%\" y=\"{}\" width=\"{}%\" height=\"{}\">", Percent(place.left), top,
                     Percent(place.width()), kUnitHeight);
  out += "<rect class=\"unit\" x=\"0\" y=\"0\" width=\"100%\" height=\"100%\" rx=\"5\"/>";
  if (unit.busy_share) {
    out += fmt::format("<rect class=\"busy\" x=\"0\" y=\"{}\" width=\"{}%\" height=\"6\"/>", kUnitHeight - 6,
                       Percent(*unit.busy_share));
  }
  out += fmt::format("<text class=\"strong\" x=\"8\" y=\"18\">{}</text>", EscapedAndCut(unit.name, kLongestFlowText));
  for (std::size_t i = 0; i < std::min(unit.lines.size(), kMostUnitLines); ++i) {
    out += fmt::format("<text class=\"dim\" x=\"8\" y=\"{}\">{}</text>", 18 + kTextLine * static_cast<int>(i + 1),
                       EscapedAndCut(unit.lines[i], kLongestFlowText));
  }
  out += "</svg>\n";
}

// A quarter of a phone is narrow: the last word of a longer text stands below it.
std::vector<std::string> InShortLines(const std::vector<std::string>& texts) {
  constexpr std::size_t kShort = 11;
  std::vector<std::string> lines;
  for (const std::string& text : texts) {
    const std::size_t space = text.size() > kShort ? text.rfind(' ') : std::string::npos;
    lines.push_back(text.substr(0, space));
    if (space != std::string::npos) lines.push_back(text.substr(space + 1));
  }
  return lines;
}

void AppendArrow(const std::vector<std::string>& texts, bool is_down, Place place, int top, std::string& out) {
  if (texts.empty()) return;
  const int height = kGapHeight;
  const int tip = is_down ? height - 3 : 3;
  const int wing = is_down ? tip - 7 : tip + 7;
  out += fmt::format("<svg x=\"{}%\" y=\"{}\" width=\"{}%\" height=\"{}\">", Percent(place.left), top,
                     Percent(place.width()), height);
  out += fmt::format(
      "<line class=\"flow\" x1=\"10\" x2=\"10\" y1=\"3\" y2=\"{}\"/><line class=\"flow\" x1=\"4\" x2=\"10\" y1=\"{}\" "
      "y2=\"{}\"/><line class=\"flow\" x1=\"16\" x2=\"10\" y1=\"{}\" y2=\"{}\"/>",
      height - 3, wing, tip, wing, tip);
  const std::vector<std::string> lines = InShortLines(texts);
  int baseline = height / 2 + 4 - static_cast<int>(lines.size() - 1) * kTextLine / 2;
  for (const std::string& text : lines) {
    out += fmt::format("<text x=\"20\" y=\"{}\">{}</text>", baseline, EscapedAndCut(text, kLongestFlowText));
    baseline += kTextLine;
  }
  out += "</svg>\n";
}

std::string Joined(const std::vector<std::string>& texts) {
  std::string joined;
  for (const std::string& text : texts) joined += (joined.empty() ? "" : ", ") + text;
  return joined;
}

// What the picture says, for those who can't see it.
void AppendFlowTable(const FlowChart& chart, std::string& out) {
  out +=
      "<details><summary>The picture as a table</summary><div class=\"scroll\"><table><thead><tr><th scope=\"col\">Unit</th>"
      "<th scope=\"col\">State</th><th scope=\"col\">From above</th><th scope=\"col\">To above</th></tr></thead><tbody>";
  for (const std::vector<FlowUnit>& row : chart.rows) {
    for (const FlowUnit& unit : row) {
      out += fmt::format("<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td></tr>\n", Escaped(unit.name),
                         Escaped(Joined(unit.lines)), Escaped(Joined(unit.down)), Escaped(Joined(unit.up)));
    }
  }
  out += "</tbody></table></div></details>\n";
}

}  // namespace

void AppendHtmlChart(const FlowChart& chart, std::string_view id, std::string& out) {
  AppendFigureTitle(chart.title, id, out);
  const int pitch = kUnitHeight + kGapHeight;
  std::string description;
  for (const std::vector<FlowUnit>& row : chart.rows) {
    for (const FlowUnit& unit : row) description += fmt::format("{}: {}. ", unit.name, Joined(unit.lines));
  }
  out += "<div class=\"flows\">";
  AppendSvgStart(id, static_cast<int>(chart.rows.size()) * pitch - kGapHeight, chart.title, description, out);
  for (std::size_t r = 0; r < chart.rows.size(); ++r) {
    const std::vector<FlowUnit>& row = chart.rows[r];
    const int top = static_cast<int>(r) * pitch;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const Place place = PlaceOf(i, row.size());
      AppendUnit(row[i], place, top, out);
      if (r == 0) continue;
      const Place above = PlaceOf(row[i].from, chart.rows[r - 1].size());
      const Place shared{std::max(place.left, above.left), std::min(place.right, above.right)};
      const double middle = (shared.left + shared.right) / 2;
      AppendArrow(row[i].down, true, {shared.left, middle}, top - kGapHeight, out);
      AppendArrow(row[i].up, false, {middle, shared.right}, top - kGapHeight, out);
    }
  }
  out += "</svg></div>\n";
  AppendFlowTable(chart, out);
  AppendFigureEnd(chart.caption, out);
}

}  // namespace warpsight
