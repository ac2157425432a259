#include "formats/cubin/elf_file.h"

#include <fmt/format.h>

#include <algorithm>

#include "formats/cubin/byte_cursor.h"

namespace warpsight {
namespace {

constexpr std::string_view kElf64LittleEndian(
    "\x7F"
    "ELF\x02\x01",
    6);
constexpr size_t kSectionHeaderBytes = 64;
constexpr size_t kSymbolBytes = 24;
constexpr uint32_t kSymbolTable = 2;
constexpr uint32_t kNoBits = 8;
constexpr uint32_t kLargeSectionNumbers = 18;
constexpr uint16_t kLargeSectionNumber = 0xFFFF;

struct SectionHeader {
  uint64_t offset = 0;
  uint64_t size = 0;
  ElfSection section;
};

SectionHeader ReadSectionHeader(std::string_view bytes, size_t at) {
  ByteCursor cursor(bytes, at);
  SectionHeader header;
  header.section.name_offset = cursor.U32();
  header.section.type = cursor.U32();
  cursor.U64();  // flags
  header.section.address = cursor.U64();
  header.offset = cursor.U64();
  header.size = cursor.U64();
  header.section.link = cursor.U32();
  header.section.info = cursor.U32();
  return header;
}

// Whether the text at `offset` of a table is `name`.
bool HasName(std::string_view table, uint64_t offset, std::string_view name) {
  if (offset >= table.size() || table.size() - offset <= name.size()) return false;
  return table.compare(offset, name.size(), name) == 0 && table[offset + name.size()] == '\0';
}

}  // namespace

Result<ElfFile> ElfFile::Parse(std::string_view bytes) {
  if (!bytes.starts_with(kElf64LittleEndian)) return UnreadableError("is no 64-bit ELF file");
  ElfFile file;
  WARPSIGHT_RETURN_IF_ERROR(file.ReadSections(bytes));
  file.ReadSymbols();
  return file;
}

Status ElfFile::ReadSections(std::string_view bytes) {
  ByteCursor table_place(bytes, 40);
  const uint64_t table = table_place.U64();
  ByteCursor numbers(bytes, 58);
  const uint16_t header_bytes = numbers.U16();
  uint64_t count = numbers.U16();
  uint64_t names_at = numbers.U16();
  if (numbers.failed()) return UnreadableError("ends inside of its ELF header");
  if (table == 0 || header_bytes != kSectionHeaderBytes || table > bytes.size() ||
      bytes.size() - table < kSectionHeaderBytes)
    return UnreadableError(fmt::format("has its section table at byte {}, outside of its {} bytes", table, bytes.size()));
  // Files with very many sections have the counts in the first one.
  const SectionHeader first = ReadSectionHeader(bytes, table);
  if (count == 0) count = first.size;
  if (names_at == kLargeSectionNumber) names_at = first.section.link;
  if (count > (bytes.size() - table) / kSectionHeaderBytes)
    return UnreadableError(fmt::format("ends inside of its table of {} sections", count));

  for (uint64_t i = 0; i < count; ++i) {
    SectionHeader header = ReadSectionHeader(bytes, table + i * kSectionHeaderBytes);
    const bool in_file = header.offset <= bytes.size() && header.size <= bytes.size() - header.offset;
    if (header.section.type != kNoBits && in_file) header.section.bytes = bytes.substr(header.offset, header.size);
    sections_.push_back(header.section);
  }
  if (names_at >= sections_.size()) return UnreadableError("has no names of its sections");
  section_names_ = sections_[names_at].bytes;
  return OkStatus();
}

void ElfFile::ReadSymbols() {
  const auto table = std::ranges::find(sections_, kSymbolTable, &ElfSection::type);
  if (table == sections_.end()) return;
  if (table->link < sections_.size()) symbol_names_ = sections_[table->link].bytes;
  const auto large = std::ranges::find(sections_, kLargeSectionNumbers, &ElfSection::type);
  ByteCursor large_numbers(large == sections_.end() ? std::string_view() : large->bytes);
  symbols_.reserve(table->bytes.size() / kSymbolBytes);
  for (ByteCursor cursor(table->bytes); cursor.left() >= kSymbolBytes;) {
    ElfSymbol symbol;
    symbol.name_offset = cursor.U32();
    symbol.type = cursor.U8() & 0xF;
    cursor.U8();  // visibility
    symbol.section = cursor.U16();
    const uint64_t value = cursor.U64();
    symbol.size = cursor.U64();
    const uint32_t large_number = large_numbers.U32();
    if (symbol.section == kLargeSectionNumber && large != sections_.end()) symbol.section = large_number;
    // Early recorders kept programs as they were loaded: with the address in place of the offset.
    const bool is_offset = symbol.section < sections_.size() && value < sections_[symbol.section].bytes.size();
    symbol.offset = is_offset ? value : 0;
    symbols_.push_back(symbol);
  }
}

const ElfSection* ElfFile::FindSection(std::string_view name) const {
  const auto found = std::ranges::find_if(
      sections_, [&](const ElfSection& section) { return HasName(section_names_, section.name_offset, name); });
  return found == sections_.end() ? nullptr : &*found;
}

const ElfSymbol* ElfFile::FindFunction(std::string_view name) const {
  const auto found = std::ranges::find_if(symbols_, [&](const ElfSymbol& symbol) {
    return symbol.type == kFunctionSymbol && HasName(symbol_names_, symbol.name_offset, name);
  });
  return found == symbols_.end() ? nullptr : &*found;
}

}  // namespace warpsight
