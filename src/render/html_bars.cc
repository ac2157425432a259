// Bar charts: a table whose last column is a bar, or one bar of pieces with that table as its legend.
#include <algorithm>

#include "document/units.h"
#include "render/html_chart.h"
#include "render/html_figure.h"

namespace warpsight {
namespace {

double LengthOf(Ns time_ns, Ns whole_ns) {
  return whole_ns <= 0 ? 0 : static_cast<double>(std::max<Ns>(time_ns, 0)) / static_cast<double>(whole_ns);
}

void AppendStack(const BarChart& chart, Ns whole_ns, std::string& out) {
  out += "<div class=\"stack\" aria-hidden=\"true\">";
  for (const Bar& bar : chart.bars) {
    if (bar.time_ns <= 0) continue;
    out += fmt::format("<i class=\"k{}\" style=\"width:{}%\" title=\"{}: {}\"></i>", ColourOf(bar.category),
                       Percent(LengthOf(bar.time_ns, whole_ns)), Escaped(bar.label), FormatDuration(bar.time_ns));
  }
  out += "</div>\n";
}

}  // namespace

void AppendHtmlChart(const BarChart& chart, std::string_view id, std::string& out) {
  Ns largest_ns = 0;
  Ns sum_ns = 0;
  bool has_shares = false;
  bool has_notes = false;
  for (const Bar& bar : chart.bars) {
    largest_ns = std::max(largest_ns, bar.time_ns);
    sum_ns = SaturatingAdd(sum_ns, std::max<Ns>(bar.time_ns, 0));
    has_shares = has_shares || bar.share.has_value();
    has_notes = has_notes || !bar.note.empty();
  }
  AppendFigureTitle(chart.title, id, out);
  if (chart.stacked) AppendStack(chart, sum_ns, out);
  out += fmt::format("<div class=\"scroll\"><table class=\"bars{}\" aria-labelledby=\"{}-name\"><tbody>",
                     chart.stacked ? "" : " plain", id);
  for (const Bar& bar : chart.bars) {
    const std::string key =
        chart.stacked ? fmt::format("<span class=\"key k{}\"></span>", ColourOf(bar.category)) : std::string();
    out += fmt::format("<tr><th scope=\"row\">{}{}</th><td class=\"n\">{}</td>", key, EscapedAndCut(bar.label, 200),
                       WithUnit(FormatDuration(bar.time_ns)));
    if (has_shares) out += fmt::format("<td class=\"n\">{}</td>", bar.share ? Escaped(FormatShare(*bar.share)) : "-");
    if (has_notes) out += fmt::format("<td class=\"remark\">{}</td>", Escaped(bar.note));
    if (!chart.stacked) {
      out += fmt::format("<td class=\"bar\" aria-hidden=\"true\"><i class=\"k{}\" style=\"width:{}%\"></i></td>",
                         ColourOf(bar.category), Percent(LengthOf(bar.time_ns, largest_ns)));
    }
    out += "</tr>\n";
  }
  out += "</tbody></table></div>\n";
  AppendFigureEnd(chart.caption, out);
}

}  // namespace warpsight
