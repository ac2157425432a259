// What the figures of a page share: colours by number, captions, the opening of an SVG. Internal to the chart writers.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "render/html_text.h"

namespace warpsight {

inline constexpr std::size_t kColours = 8;  // .k0 to .k7 of the style sheet

inline std::size_t ColourOf(std::size_t category) { return std::min(category, kColours - 1); }

inline void AppendFigureTitle(std::string_view title, std::string_view id, std::string& out) {
  out += fmt::format("<figure aria-labelledby=\"{}-name\"><div class=\"title\" id=\"{}-name\">{}</div>\n", id, id,
                     Escaped(title));
}

inline void AppendFigureEnd(std::string_view caption, std::string& out) {
  if (!caption.empty()) out += fmt::format("<figcaption>{}</figcaption>\n", Escaped(caption));
  out += "</figure>\n";
}

inline void AppendSvgStart(std::string_view id, int height, std::string_view title, std::string_view description,
                           std::string& out) {
  out += fmt::format(
      "<svg role=\"img\" height=\"{}\" aria-labelledby=\"{}-t {}-d\"><title id=\"{}-t\">{}</title><desc "
      "id=\"{}-d\">{}</desc>\n",
      height, id, id, id, Escaped(title), id, Escaped(description));
}

// Names whose colour is used in the figure.
inline void AppendLegend(const std::vector<std::string>& names, const std::vector<bool>& used, std::string& out) {
  if (names.empty()) return;
  out += "<ul class=\"legend\">";
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!used[i]) continue;
    out += fmt::format("<li><span class=\"key k{}\"></span>{}</li>", ColourOf(i), Escaped(names[i]));
  }
  out += "</ul>\n";
}

}  // namespace warpsight
