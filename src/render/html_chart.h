// The charts of a Document as HTML and SVG: bars, a strip of a timeline, points over two logarithmic axes, units with flows.
//
// Place in the flow: called by the page renderer. Lengths along x are percents of the figure's width, so that a figure fits
// a phone and paper without a script, and its text stays text. Bars are a table whose last column is drawn. Every SVG has a
// title and a description; what is drawn in it stands as a table below it, folded, for those who can't see it. Errors: none;
// what can't be drawn is left out and counted. Threads: pure, thread-safe.
#pragma once

#include <string>
#include <string_view>

#include "document/chart.h"

namespace warpsight {

// `id` is unique on the page.
void AppendHtmlChart(const BarChart& chart, std::string_view id, std::string& out);
void AppendHtmlChart(const TimelineStrip& strip, std::string_view id, std::string& out);
void AppendHtmlChart(const Scatter& scatter, std::string_view id, std::string& out);
void AppendHtmlChart(const ShareChart& chart, std::string_view id, std::string& out);
void AppendHtmlChart(const FlowChart& chart, std::string_view id, std::string& out);

}  // namespace warpsight
