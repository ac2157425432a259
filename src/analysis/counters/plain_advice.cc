#include "analysis/counters/plain_advice.h"

namespace warpsight {
namespace {

// The label of "section:Id:label" or "url:label:address"; empty when the text between two @ is no link.
std::string_view LinkLabel(std::string_view link) {
  for (const std::string_view kind : {"section:", "source:"}) {
    if (!link.starts_with(kind)) continue;
    const size_t colon = link.find(':', kind.size());
    return colon == std::string_view::npos ? std::string_view() : link.substr(colon + 1);
  }
  constexpr std::string_view kUrl = "url:";
  if (!link.starts_with(kUrl)) return {};
  const size_t colon = link.find(':', kUrl.size());
  return link.substr(kUrl.size(), colon == std::string_view::npos ? colon : colon - kUrl.size());
}

}  // namespace

std::string PlainAdvice(std::string_view text) {
  std::string plain;
  while (!text.empty()) {
    const size_t open = text.find('@');
    const size_t close = open == std::string_view::npos ? open : text.find('@', open + 1);
    if (close == std::string_view::npos) return plain.append(text);
    const std::string_view label = LinkLabel(text.substr(open + 1, close - open - 1));
    plain.append(text.substr(0, open));
    if (label.empty()) {
      plain += '@';
      text.remove_prefix(open + 1);
    } else {
      plain.append(label);
      text.remove_prefix(close + 1);
    }
  }
  return plain;
}

}  // namespace warpsight
