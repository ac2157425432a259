#include "formats/cubin/line_relocations.h"

#include "formats/cubin/byte_cursor.h"

namespace warpsight {
namespace {

constexpr uint32_t kWithAddends = 4;
constexpr uint32_t kWithoutAddends = 9;
constexpr uint32_t kProgramBits = 1;

}  // namespace

LineRelocations::LineRelocations(const ElfFile& elf, uint32_t line_section) : elf_(elf) {
  for (const ElfSection& section : elf.sections()) {
    const bool has_addends = section.type == kWithAddends;
    if ((!has_addends && section.type != kWithoutAddends) || section.info != line_section) continue;
    const size_t entry_bytes = has_addends ? 24 : 16;
    for (ByteCursor cursor(section.bytes); cursor.left() >= entry_bytes;) {
      const uint64_t place = cursor.U64();
      const auto symbol = static_cast<uint32_t>(cursor.U64() >> 32);
      const int64_t addend = has_addends ? static_cast<int64_t>(cursor.U64()) : 0;
      entries_.insert_or_assign(place, Entry{symbol, addend, has_addends});
    }
  }
}

std::optional<CodeAddress> LineRelocations::Resolve(uint64_t place, uint64_t value) const {
  if (const auto found = entries_.find(place); found != entries_.end()) {
    const Entry& entry = found->second;
    if (entry.symbol >= elf_.symbols().size()) return std::nullopt;
    const ElfSymbol& symbol = elf_.symbols()[entry.symbol];
    return CodeAddress{symbol.section, symbol.offset + (entry.has_addend ? static_cast<uint64_t>(entry.addend) : value)};
  }
  // Linked programs may have final addresses.
  for (uint32_t i = 0; i < elf_.sections().size(); ++i) {
    const ElfSection& section = elf_.sections()[i];
    if (section.type != kProgramBits || section.address == 0 || value < section.address) continue;
    if (value - section.address < section.bytes.size()) return CodeAddress{i, value - section.address};
  }
  return std::nullopt;
}

}  // namespace warpsight
