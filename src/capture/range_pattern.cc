#include "capture/range_pattern.h"

namespace warpsight::capture {

std::optional<RangePattern> ParseRangePattern(std::string_view written) {
  RangePattern pattern;
  std::string before_at;
  bool has_at = false;
  std::string part;
  for (size_t i = 0; i < written.size(); ++i) {
    const bool escaped = written[i] == '\\' && i + 1 < written.size() && (written[i + 1] == '@' || written[i + 1] == '\\');
    if (escaped) {
      part += written[++i];
    } else if (written[i] == '@') {
      // The last one parts the two; those before it belong to the range.
      before_at += (has_at ? "@" : "") + part;
      has_at = true;
      part.clear();
    } else {
      part += written[i];
    }
  }
  pattern.text = has_at ? before_at : part;
  if (has_at) pattern.domain = part;
  pattern.any_domain = has_at && pattern.domain == "*";
  if (pattern.text.empty()) return std::nullopt;
  return pattern;
}

std::string_view WithoutNumber(std::string_view text) {
  constexpr std::string_view kDigits = "0123456789";
  const size_t last = text.find_last_not_of(kDigits);
  if (last == std::string_view::npos || last + 1 == text.size()) return text;
  const size_t end = text.find_last_not_of(" _#:-/=.", last);
  return end == std::string_view::npos ? text : text.substr(0, end + 1);
}

}  // namespace warpsight::capture
