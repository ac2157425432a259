#include "formats/ncu_csv/csv_reader.h"

#include <algorithm>
#include <utility>

namespace warpsight {
namespace {

// Rules that ncu prints have some dozens of lines.
constexpr int kMostCellLines = 64;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

}  // namespace

bool CsvReader::EndsCell(size_t at) const {
  return at >= text_.size() || text_[at] == ',' || text_[at] == '\n' || text_[at] == '\r';
}

std::string_view CsvReader::Unquoted(std::string_view cell) {
  if (cell.find("\"\"") == std::string_view::npos) return cell;
  std::string text;
  for (size_t i = 0; i < cell.size(); ++i) {
    text += cell[i];
    if (cell[i] == '"' && i + 1 < cell.size() && cell[i + 1] == '"') ++i;
  }
  return texts_.emplace_back(std::move(text));
}

std::string_view CsvReader::Plain() {
  const size_t begin = at_;
  at_ = std::min(text_.find_first_of(",\n", at_), text_.size());
  std::string_view cell = text_.substr(begin, at_ - begin);
  if (cell.ends_with('\r')) cell.remove_suffix(1);
  return cell;
}

std::string_view CsvReader::Quoted() {
  const size_t begin = at_ + 1;
  int lines = 0;
  int64_t loose_quotes = 0;
  for (size_t i = begin; i <= text_.size() && i - begin <= kMostCellBytes && lines <= kMostCellLines; ++i) {
    if (i == text_.size()) {
      is_cut_ = true;
      at_ = i;
      return {};
    }
    if (text_[i] == '\n') {
      ++lines;
      // A new record: the quote was never closed.
      if (i + 1 < text_.size() && text_[i + 1] == '"') break;
    }
    if (text_[i] != '"') continue;
    if (i + 1 < text_.size() && text_[i + 1] == '"') {
      ++i;
    } else if (EndsCell(i + 1)) {
      damage_.loose_quotes += loose_quotes;
      at_ = i + 1;
      return Unquoted(text_.substr(begin, i - begin));
    } else {
      ++loose_quotes;
    }
  }
  // Too long, or open: the rest of the line is the cell.
  at_ = std::min(text_.find('\n', begin), text_.size());
  if (at_ - begin > kMostCellBytes) {
    ++damage_.long_cells;
    return {};
  }
  ++damage_.open_quotes;
  return text_.substr(begin, at_ - begin);
}

bool CsvReader::Next() {
  if (at_ == 0 && text_.starts_with(kByteOrderMark)) at_ = kByteOrderMark.size();
  while (at_ < text_.size() && (text_[at_] == '\n' || text_[at_] == '\r')) ++at_;
  cells_.clear();
  is_cut_ = false;
  begin_ = at_;
  if (at_ >= text_.size()) return false;
  while (true) {
    const std::string_view cell = at_ < text_.size() && text_[at_] == '"' ? Quoted() : Plain();
    if (!is_cut_) cells_.push_back(cell);
    if (at_ < text_.size() && text_[at_] == '\r') ++at_;
    if (at_ >= text_.size() || text_[at_] != ',') break;
    if (cells_.size() == kMostCells) {
      ++damage_.long_records;
      break;
    }
    ++at_;
  }
  if (at_ < text_.size()) {
    // What may follow a closed quote up to the end of the line was looked at by EndsCell.
    at_ = std::min(text_.find('\n', at_), text_.size());
  }
  return true;
}

}  // namespace warpsight
