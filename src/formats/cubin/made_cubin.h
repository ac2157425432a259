// Small cubins made by hand, for tests: one function `k` in .text.k, and a line table for it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warpsight::testing {

inline std::string LittleEndian(uint64_t value, size_t bytes) {
  std::string text;
  for (size_t i = 0; i < bytes; ++i) text += static_cast<char>(i < sizeof(value) ? value >> (8 * i) & 0xFF : 0);
  return text;
}

inline std::string Leb(uint64_t value) {
  std::string text;
  do {
    text += static_cast<char>((value & 0x7F) | (value > 0x7F ? 0x80 : 0));
    value >>= 7;
  } while (value != 0);
  return text;
}

// Operations of a line program.
inline std::string SetAddress() { return std::string("\0\x09\x02", 3) + LittleEndian(0, 8); }
inline std::string EndSequence() { return std::string("\0\x01\x01", 3); }
inline std::string AdvanceAddress(uint64_t bytes) { return '\x02' + Leb(bytes); }
inline std::string AdvanceLine(uint8_t lines) { return '\x03' + std::string(1, static_cast<char>(lines & 0x3F)); }
inline std::string SetFile(uint64_t file) { return '\x04' + Leb(file); }
inline std::string CopyRow() { return "\x01"; }
inline std::string InlinedCall(uint64_t row, uint64_t name) {
  const std::string operands = Leb(row) + Leb(name);
  return '\0' + Leb(operands.size() + 1) + '\x90' + operands;
}

struct MadeSection {
  std::string name;
  uint32_t type = 1;
  uint32_t link = 0;
  uint32_t info = 0;
  std::string bytes;
};

// A unit of DWARF 2 with the files /src/a.cu (100 bytes) and /inc/b.h.
inline std::string MadeLineUnit(const std::string& program, uint8_t line_range = 14, uint8_t opcode_base = 10) {
  std::string header = std::string("\x01\x01\xFB", 3) + static_cast<char>(line_range) + static_cast<char>(opcode_base) +
                       std::string("\0\x01\x01\x01\x01\0\0\0\x01", 9);
  header += std::string("/src\0/inc\0\0", 11);
  header += std::string("a.cu\0\x01\0\x64", 8) + std::string("b.h\0\x02\0\0", 7) + '\0';
  const std::string unit = LittleEndian(2, 2) + LittleEndian(header.size(), 4) + header + program;
  return LittleEndian(unit.size(), 4) + unit;
}

inline std::string MadeElf(std::vector<MadeSection> sections) {
  std::string names(1, '\0');
  sections.insert(sections.begin(), MadeSection{"", 0, 0, 0, ""});
  sections.push_back({".shstrtab", 3, 0, 0, ""});
  std::vector<uint64_t> name_offsets;
  for (const MadeSection& section : sections) {
    name_offsets.push_back(names.size());
    names += section.name + '\0';
  }
  sections.back().bytes = names;
  std::string body;
  std::string headers;
  for (size_t i = 0; i < sections.size(); ++i) {
    const MadeSection& section = sections[i];
    headers += LittleEndian(name_offsets[i], 4) + LittleEndian(section.type, 4) + LittleEndian(0, 16) +
               LittleEndian(64 + body.size(), 8) + LittleEndian(section.bytes.size(), 8) + LittleEndian(section.link, 4) +
               LittleEndian(section.info, 4) + LittleEndian(0, 16);
    body += section.bytes;
  }
  std::string elf = std::string(
                        "\x7F"
                        "ELF\x02\x01\x01",
                        7) +
                    std::string(9, '\0');
  elf += LittleEndian(2, 2) + LittleEndian(190, 2) + LittleEndian(1, 4) + LittleEndian(0, 16);
  elf += LittleEndian(64 + body.size(), 8) + LittleEndian(0, 4) + LittleEndian(64, 2) + LittleEndian(0, 4);
  elf += LittleEndian(64, 2) + LittleEndian(sections.size(), 2) + LittleEndian(sections.size() - 1, 2);
  return elf + body + headers;
}

// `code` as .text.k, the unit as .debug_line whose address operation at `address_at` of the unit belongs to it.
inline std::string MadeCubin(const std::string& code, const std::string& lines, uint64_t address_at) {
  // Sections 1 .text.k, 2 .symtab, 3 .strtab, 4 .debug_line, 5 .rel.debug_line, 6 .debug_str.
  std::string symbols(24, '\0');
  symbols +=
      LittleEndian(1, 4) + std::string("\x12\0", 2) + LittleEndian(1, 2) + LittleEndian(0, 8) + LittleEndian(code.size(), 8);
  const std::string relocations = LittleEndian(address_at, 8) + LittleEndian((uint64_t{1} << 32) | 2, 8);
  return MadeElf({{".text.k", 1, 0, 0, code},
                  {".symtab", 2, 3, 0, symbols},
                  {".strtab", 3, 0, 0, std::string("\0k\0", 3)},
                  {".debug_line", 1, 0, 0, lines},
                  {".rel.debug_line", 9, 2, 4, relocations},
                  {".debug_str", 1, 0, 0, std::string("inner\0", 6)}});
}

// A program whose first operation is SetAddress().
inline std::string MadeCubinOf(const std::string& code, const std::string& program) {
  const std::string unit = MadeLineUnit(program);
  return MadeCubin(code, unit, unit.size() - program.size() + 3);
}

// `count` times FFMA.
inline std::string MadeCode(size_t count) {
  std::string code;
  for (size_t i = 0; i < count; ++i) code += LittleEndian(0x223, 8) + LittleEndian(0, 8);
  return code;
}

}  // namespace warpsight::testing
