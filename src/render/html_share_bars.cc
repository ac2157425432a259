// Bars of shares: a table whose last column is drawn, on a track that stands for all.
#include <algorithm>

#include "document/units.h"
#include "render/html_chart.h"
#include "render/html_figure.h"

namespace warpsight {

void AppendHtmlChart(const ShareChart& chart, std::string_view id, std::string& out) {
  double whole = 1;
  if (chart.of_largest) {
    whole = 0;
    for (const ShareBar& bar : chart.bars) whole = std::max(whole, bar.share);
  }
  const bool has_notes =
      std::any_of(chart.bars.begin(), chart.bars.end(), [](const ShareBar& bar) { return !bar.note.empty(); });
  AppendFigureTitle(chart.title, id, out);
  out += fmt::format("<div class=\"scroll\"><table class=\"bars plain shares\" aria-labelledby=\"{}-name\"><tbody>", id);
  for (const ShareBar& bar : chart.bars) {
    out += fmt::format("<tr><th scope=\"row\">{}</th><td class=\"n\">{}</td>", EscapedAndCut(bar.label, 200),
                       Escaped(bar.value));
    if (has_notes) out += fmt::format("<td class=\"remark\">{}</td>", Escaped(bar.note));
    out += fmt::format("<td class=\"bar\" aria-hidden=\"true\"><i class=\"k{}\" style=\"width:{}%\"></i></td></tr>\n",
                       ColourOf(bar.category), Percent(whole > 0 ? bar.share / whole : 0));
  }
  out += "</tbody></table></div>\n";
  AppendFigureEnd(chart.caption, out);
}

}  // namespace warpsight
