// FileRoom: how many rows and how much text the tables of a file can give, by the bytes that the file has.
//
// Every row and every text of a sound database lies somewhere in its file, once. A hostile one has many tables, or many
// rows, on the same pages: each cursor stays within the file and all together give more than any memory holds. So all
// cursors of a file take from one room. Threads: thread-safe.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

namespace warpsight::nsys_sqlite {

class FileRoom {
 public:
  // A row takes at least this much of the file: its cell pointer, its length, its rowid and a header.
  static constexpr int64_t kSmallestRow = 5;
  // Small tables are read by more than one reader, and a text is asked for more than once.
  static constexpr int64_t kTimesRead = 4;
  static constexpr int64_t kFree = int64_t{1} << 20;

  explicit FileRoom(int64_t file_bytes)
      : rows_(file_bytes / kSmallestRow * kTimesRead + kFree), text_bytes_(file_bytes * kTimesRead + kFree) {}

  // False when the file has no room for them.
  bool Take(int64_t rows, int64_t text_bytes) const {
    return rows_.fetch_sub(rows, std::memory_order_relaxed) >= rows &&
           text_bytes_.fetch_sub(text_bytes, std::memory_order_relaxed) >= text_bytes;
  }

 private:
  mutable std::atomic<int64_t> rows_;
  mutable std::atomic<int64_t> text_bytes_;
};

}  // namespace warpsight::nsys_sqlite
