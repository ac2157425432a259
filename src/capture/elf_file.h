// ElfFile: a library or program as it lies on disk: 64-bit, of the machine's own byte order.
//
// Read from the file and not from memory, which may go away while it is read: another thread may unload the library. The
// file may be anything: all of it is bounds-checked. Errors: false, or an empty list. Threads: immutable once opened.
#pragma once

#include <elf.h>

#include <cstdint>
#include <string>
#include <vector>

namespace warpsight::capture {

class ElfFile {
 public:
  explicit ElfFile(const std::string& path);
  ~ElfFile();
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;

  // Whether it is what this reads.
  bool ok() const { return ok_; }
  const std::vector<Elf64_Phdr>& segments() const { return segments_; }
  std::vector<Elf64_Shdr> Sections() const;

  bool Has(uint64_t offset, uint64_t bytes) const { return offset <= bytes_ && bytes <= bytes_ - offset; }
  bool Read(uint64_t offset, void* to, uint64_t bytes) const;
  // At most `most` bytes of a text that ends with a zero.
  std::string Text(uint64_t offset, uint64_t most) const;
  // Where in the file stands what is loaded at an address, as the file says it. False where nothing does.
  bool OffsetOf(uint64_t address, uint64_t& offset) const;

 private:
  bool ReadHeaders();

  int file_;
  uint64_t bytes_ = 0;
  Elf64_Ehdr header_ = {};
  std::vector<Elf64_Phdr> segments_;
  bool ok_ = false;
};

}  // namespace warpsight::capture
