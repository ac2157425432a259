// StringIds: numbers are dense and in order in what nsys writes; any others are found by search.
#include <algorithm>
#include <array>

#include "formats/nsys_sqlite/file_facts.h"

namespace warpsight::nsys_sqlite {

const ColumnsOfTable* FindTable(const TableList& tables, std::string_view name) {
  const auto found = std::find_if(tables.begin(), tables.end(), [&](const auto& table) { return table.name == name; });
  return found == tables.end() ? nullptr : &*found;
}

void NoteDamage(const ColumnsOfTable& table, std::string_view damage, int64_t rowid, ImportLog& log) {
  log.Add("damaged_table", ImportSeverity::kError, Effect::kNote,
          "table " + table.name + " is damaged (" + std::string(damage) + ", seen at row " + std::to_string(rowid) +
              "): rows of it are missing or may be",
          -1);
}

void NoteDamage(const TableCursor& cursor, ImportLog& log) {
  if (!cursor.damage().empty()) NoteDamage(cursor.table(), cursor.damage(), cursor.rowid(), log);
}

void StringTable::Read(Database& database, const TableList& tables, ImportLog& log) {
  const ColumnsOfTable* table = FindTable(tables, "StringIds");
  if (table == nullptr) return;
  static constexpr std::array<std::string_view, 2> kColumns = {"id", "value"};
  TableCursor rows(database, *table, kColumns);
  while (rows.Next()) {
    const std::optional<int64_t> id = rows.Integer(0);
    if (!id) continue;
    const std::string_view text = rows.Text(1);
    places_.push_back({*id, text_.size(), text.size()});
    text_ += text;
  }
  NoteDamage(rows, log);
  const auto by_id = [](const Place& a, const Place& b) { return a.id < b.id; };
  if (!std::is_sorted(places_.begin(), places_.end(), by_id)) std::stable_sort(places_.begin(), places_.end(), by_id);
}

std::optional<uint32_t> StringTable::IndexOf(int64_t id) const {
  if (id >= 0 && static_cast<size_t>(id) < places_.size() && places_[static_cast<size_t>(id)].id == id)
    return static_cast<uint32_t>(id);
  const auto found = std::lower_bound(places_.begin(), places_.end(), id,
                                      [](const Place& place, int64_t wanted) { return place.id < wanted; });
  if (found == places_.end() || found->id != id) return std::nullopt;
  return static_cast<uint32_t>(found - places_.begin());
}

std::optional<std::string_view> StringTable::Find(int64_t id) const {
  const std::optional<uint32_t> index = IndexOf(id);
  return index ? std::optional(View(*index)) : std::nullopt;
}

}  // namespace warpsight::nsys_sqlite
