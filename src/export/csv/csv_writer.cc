#include "export/csv/csv_writer.h"

#include <charconv>

#include "base/utf8.h"
#include "export/decimal_text.h"

namespace warpsight::csv {

void CsvWriter::Integer(int64_t value) {
  Separate();
  out_.Took(WriteInteger(out_.Room(kMostDecimal), value));
}

void CsvWriter::Unsigned(uint64_t value) {
  Separate();
  out_.Took(WriteUnsigned(out_.Room(kMostDecimal), value));
}

void CsvWriter::Double(double value) {
  Separate();
  constexpr size_t kMost = 40;
  char* const at = out_.Room(kMost);
  out_.Took(std::to_chars(at, at + kMost, value).ptr);
}

void CsvWriter::Text(std::string_view text) {
  Separate();
  if (text.find('\0') == std::string_view::npos && IsWholeUtf8(text)) {
    // Outer spaces are quoted too: many readers strip them from bare fields.
    const bool has_outer_space = !text.empty() && (text.front() == ' ' || text.back() == ' ');
    if (!has_outer_space && text.find_first_of(",\"\n\r") == std::string_view::npos) return out_.Append(text);
    out_.Append("\"");
    for (size_t at = 0; at < text.size();) {
      const size_t quote = text.find('"', at);
      out_.Append(text.substr(at, quote == std::string_view::npos ? quote : quote + 1 - at));
      if (quote == std::string_view::npos) break;
      out_.Append("\"");
      at = quote + 1;
    }
    return out_.Append("\"");
  }
  std::string mended;
  for (const char c : MendedUtf8(text)) {
    if (c == '\0') {
      mended += kReplacementCharacter;
    } else {
      mended += c;
    }
  }
  first_ = true;  // separated already
  Text(mended);
}

}  // namespace warpsight::csv
