// CsvReader: the records of a CSV text, one after the other, as ncu writes it and as people damage it.
//
// A cell in quotes may hold line breaks and doubled quotes. What is not so is repaired where it is certain and counted: a
// quote inside of a cell that was not doubled; a quote that is never closed ends with its line; cells beyond a limit are
// emptied, records with more cells than any page has are cut. Time is linear. Errors: none; see damage(). Threads: one
// thread a reader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace warpsight {

class CsvReader {
 public:
  static constexpr size_t kMostCellBytes = size_t{1} << 20;
  static constexpr size_t kMostCells = 100'000;

  // `texts` takes cells that do not stand in the text as they are; both must outlive the cells.
  CsvReader(std::string_view text, std::deque<std::string>& texts) : text_(text), texts_(texts) {}

  // The next record; false at the end. Empty lines are skipped.
  bool Next();
  const std::vector<std::string_view>& cells() const { return cells_; }
  // Where the record starts.
  size_t begin() const { return begin_; }
  size_t end() const { return at_; }
  // The text ended inside of the record, so that its last cell is not whole and was left out.
  bool is_cut() const { return is_cut_; }

  struct Damage {
    int64_t loose_quotes = 0;
    int64_t open_quotes = 0;
    int64_t long_cells = 0;
    int64_t long_records = 0;  // cut after kMostCells
  };
  const Damage& damage() const { return damage_; }

 private:
  std::string_view Quoted();
  std::string_view Plain();
  std::string_view Unquoted(std::string_view cell);
  bool EndsCell(size_t at) const;

  std::string_view text_;
  std::deque<std::string>& texts_;
  std::vector<std::string_view> cells_;
  size_t begin_ = 0;
  size_t at_ = 0;
  bool is_cut_ = false;
  Damage damage_;
};

}  // namespace warpsight
