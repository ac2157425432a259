// SourceVfs: lets SQLite read a ByteSource, whatever it lies in, and nothing else.
//
// Place in the flow: ByteSource with random access -> SourceVfs -> Database. Read only and immutable by construction: there
// is no file system behind it, so that no journal, lock or second file can be looked for or made. A file that ends before
// its last page reads as zeros there, which SQLite takes for damaged pages one by one: the tables before them stay readable.
// Errors: none of its own; SQLite gets its codes. Threads: any number of connections may share one.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <string>

#include "base/byte_source.h"
#include "formats/nsys_sqlite/file_room.h"

namespace warpsight::nsys_sqlite {

class SourceVfs {
 public:
  // `source` must have random access and outlive this.
  explicit SourceVfs(const ByteSource& source);
  ~SourceVfs();
  SourceVfs(const SourceVfs&) = delete;
  SourceVfs& operator=(const SourceVfs&) = delete;

  // For sqlite3_open_v2.
  const char* name() const { return name_.c_str(); }
  // Bytes that the database should have by its own header and does not; 0 when it is whole.
  int64_t missing_bytes() const;

  const ByteSource& source() const { return source_; }
  int64_t whole_size() const { return whole_size_; }
  // Of all connections together.
  const FileRoom& room() const { return room_; }

 private:
  const ByteSource& source_;
  FileRoom room_;
  int64_t whole_size_ = 0;
  std::string name_;
  sqlite3_vfs vfs_ = {};
};

}  // namespace warpsight::nsys_sqlite
