#include "capture/elf_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>

namespace warpsight::capture {

ElfFile::ElfFile(const std::string& path) : file_(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
  struct stat info = {};
  if (file_ >= 0 && fstat(file_, &info) == 0 && S_ISREG(info.st_mode)) bytes_ = static_cast<uint64_t>(info.st_size);
  ok_ = ReadHeaders();
}

ElfFile::~ElfFile() {
  if (file_ >= 0) close(file_);
}

bool ElfFile::ReadHeaders() {
  if (!Read(0, &header_, sizeof(header_)) || std::memcmp(header_.e_ident, ELFMAG, SELFMAG) != 0) return false;
  if (header_.e_ident[EI_CLASS] != ELFCLASS64 || header_.e_ident[EI_DATA] != ELFDATA2LSB) return false;
  if (header_.e_phentsize != sizeof(Elf64_Phdr)) return header_.e_phnum == 0;
  segments_.resize(header_.e_phnum);
  if (Read(header_.e_phoff, segments_.data(), segments_.size() * sizeof(Elf64_Phdr))) return true;
  segments_.clear();
  return false;
}

std::vector<Elf64_Shdr> ElfFile::Sections() const {
  if (!ok_ || header_.e_shentsize != sizeof(Elf64_Shdr)) return {};
  std::vector<Elf64_Shdr> sections(header_.e_shnum);
  if (!Read(header_.e_shoff, sections.data(), sections.size() * sizeof(Elf64_Shdr))) return {};
  return sections;
}

bool ElfFile::Read(uint64_t offset, void* to, uint64_t bytes) const {
  if (!Has(offset, bytes)) return false;
  auto* at = static_cast<uint8_t*>(to);
  while (bytes > 0) {
    const ssize_t got = pread(file_, at, bytes, static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    at += got;
    offset += static_cast<uint64_t>(got);
    bytes -= static_cast<uint64_t>(got);
  }
  return true;
}

std::string ElfFile::Text(uint64_t offset, uint64_t most) const {
  if (offset >= bytes_) return {};
  std::string text(std::min(most, bytes_ - offset), '\0');
  if (!Read(offset, text.data(), text.size())) return {};
  text.resize(strnlen(text.data(), text.size()));
  return text;
}

bool ElfFile::OffsetOf(uint64_t address, uint64_t& offset) const {
  for (const Elf64_Phdr& segment : segments_) {
    if (segment.p_type != PT_LOAD || address < segment.p_vaddr || address - segment.p_vaddr >= segment.p_filesz) continue;
    offset = segment.p_offset + (address - segment.p_vaddr);
    return true;
  }
  return false;
}

}  // namespace warpsight::capture
