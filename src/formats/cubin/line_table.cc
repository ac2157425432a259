#include "formats/cubin/line_table.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "formats/cubin/byte_cursor.h"
#include "formats/cubin/line_relocations.h"

namespace warpsight {
namespace {

enum LineOpcode : uint8_t {
  kExtended = 0,
  kCopy = 1,
  kAdvanceAddress = 2,
  kAdvanceLine = 3,
  kSetFile = 4,
  kConstantAddress = 8,
  kFixedAdvance = 9,
};
enum ExtendedOpcode : uint8_t { kEndSequence = 1, kSetAddress = 2, kInlinedCall = 0x90 };

constexpr size_t kMostRows = size_t{4} << 20;

// The state machine of one unit. Rows of other sections than the wanted one are not kept.
class LineProgram {
 public:
  LineProgram(const LineHeader& header, const LineRelocations& relocations, uint32_t section, LineTable& table)
      : header_(header), relocations_(relocations), section_(section), first_file_(table.files.size()), table_(table) {
    StartSequence();
  }

  // What was wrong; empty when the whole program was run.
  std::string Run(std::string_view line_section) {
    ByteCursor cursor(line_section.substr(0, header_.program_end), header_.program_begin);
    while (cursor.left() > 0) {
      const uint8_t opcode = cursor.U8();
      if (opcode >= header_.opcode_base) {
        Special(opcode);
      } else if (opcode == kExtended) {
        Extended(cursor);
      } else {
        Standard(opcode, cursor);
      }
      if (cursor.failed()) return "the line table ends inside of an operation";
      if (table_.rows.size() > kMostRows) return "the line table has more rows than any function needs";
    }
    return {};
  }

 private:
  void StartSequence() {
    address_.reset();
    file_ = 1;
    line_ = 1;
    context_ = 0;
    function_name_ = 0;
    first_row_ = table_.rows.size();
  }

  bool is_wanted() const { return address_ && address_->section == section_; }

  void Advance(uint64_t steps) {
    if (address_) address_->offset += steps * header_.address_step;
  }

  void Special(uint8_t opcode) {
    const unsigned adjusted = opcode - header_.opcode_base;
    Advance(adjusted / header_.line_range);
    line_ += static_cast<uint64_t>(int64_t{header_.line_base} + adjusted % header_.line_range);
    AddRow();
  }

  void Standard(uint8_t opcode, ByteCursor& cursor) {
    switch (opcode) {
      case kCopy:
        AddRow();
        break;
      case kAdvanceAddress:
        Advance(cursor.Unsigned());
        break;
      case kAdvanceLine:
        line_ += static_cast<uint64_t>(cursor.Signed());
        break;
      case kSetFile:
        file_ = cursor.Unsigned();
        break;
      case kConstantAddress:
        Advance((255U - header_.opcode_base) / header_.line_range);
        break;
      case kFixedAdvance:
        if (const uint16_t bytes = cursor.U16(); address_) address_->offset += bytes;
        break;
      default:
        for (uint8_t i = 0; i < header_.opcode_operands[opcode - 1]; ++i) cursor.Unsigned();
    }
  }

  void Extended(ByteCursor& cursor) {
    const uint64_t bytes = cursor.Unsigned();
    const size_t begin = cursor.at();
    const std::string_view operation = cursor.Bytes(bytes);
    if (operation.empty()) return;
    ByteCursor operands(operation);
    switch (operands.U8()) {
      case kEndSequence:
        line_ = 0;
        AddRow();
        StartSequence();
        break;
      case kSetAddress: {
        const uint64_t value = operands.left() >= sizeof(uint64_t) ? operands.U64() : operands.U32();
        address_ = relocations_.Resolve(begin + 1, value);
        break;
      }
      case kInlinedCall:  // NVIDIA's: the row of the call, counted from the start of the sequence, and the function's name
        context_ = operands.Unsigned();
        function_name_ = operands.Unsigned();
        break;
      default:
        break;
    }
  }

  void AddRow() {
    if (!is_wanted()) return;
    LineRow row;
    row.offset = address_->offset;
    const uint64_t file = file_ - header_.first_file;
    if (file < header_.files.size() && line_ <= std::numeric_limits<uint32_t>::max()) {
      row.place.file = static_cast<uint32_t>(first_file_ + file);
      row.place.line = static_cast<uint32_t>(line_);
    }
    // A caller stands before its callee, so chains end.
    if (context_ != 0 && context_ <= table_.rows.size() - first_row_) {
      row.place.caller = static_cast<uint32_t>(first_row_ + context_);
      row.place.function_name = function_name_;
    }
    table_.rows.push_back(row);
  }

  const LineHeader& header_;
  const LineRelocations& relocations_;
  const uint32_t section_;
  const size_t first_file_;
  LineTable& table_;
  std::optional<CodeAddress> address_;
  uint64_t file_ = 1;
  uint64_t line_ = 1;  // wraps like the numbers it is made of; too large ones are no line
  uint64_t context_ = 0;
  uint64_t function_name_ = 0;
  size_t first_row_ = 0;
};

std::string_view SectionBytes(const ElfFile& elf, std::string_view name) {
  const ElfSection* section = elf.FindSection(name);
  return section == nullptr ? std::string_view() : section->bytes;
}

}  // namespace

LineTable ReadLineTable(const ElfFile& elf, uint32_t text_section) {
  LineTable table;
  const ElfSection* lines = elf.FindSection(".debug_line");
  if (lines == nullptr) return table;
  const LineTexts texts = {SectionBytes(elf, ".debug_line_str"), SectionBytes(elf, ".debug_str")};
  const LineRelocations relocations(elf, static_cast<uint32_t>(lines - elf.sections().data()));
  for (size_t at = 0; at < lines->bytes.size();) {
    const LineHeader header = ReadLineHeader(lines->bytes, at, texts);
    if (!header.problem.empty()) {
      if (table.problem.empty()) table.problem = header.problem;
    } else {
      const size_t rows = table.rows.size();
      std::string problem = LineProgram(header, relocations, text_section, table).Run(lines->bytes);
      if (table.problem.empty()) table.problem = std::move(problem);
      if (table.rows.size() > rows) table.files.insert(table.files.end(), header.files.begin(), header.files.end());
    }
    at = std::max(header.program_end, at + 4);
  }
  return table;
}

}  // namespace warpsight
