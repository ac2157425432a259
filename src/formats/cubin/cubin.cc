#include "formats/cubin/cubin.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formats/cubin/byte_cursor.h"
#include "formats/cubin/line_table.h"
#include "formats/cubin/sass_opcodes.h"

namespace warpsight {
namespace {

constexpr int kFirstWithLongInstructions = 70;
constexpr uint64_t kLongInstruction = 16;
constexpr uint64_t kShortInstruction = 8;
// Up to Pascal each group of four words starts with one that says how the other three are scheduled.
constexpr uint64_t kGroupBytes = 32;
constexpr size_t kMostFiles = size_t{1} << 16;

std::vector<CodeInstruction> ReadInstructions(std::string_view code, int capability) {
  const bool is_long = capability >= kFirstWithLongInstructions;
  const uint64_t step = is_long ? kLongInstruction : kShortInstruction;
  std::vector<CodeInstruction> instructions;
  instructions.reserve(code.size() / step);
  for (uint64_t offset = 0; offset + step <= code.size(); offset += step) {
    if (!is_long && offset % kGroupBytes == 0) continue;
    CodeInstruction& instruction = instructions.emplace_back();
    instruction.offset = offset;
    if (is_long) instruction.opcode = SassOpcode(ByteCursor(code, offset).U64());
  }
  return instructions;
}

// Files that places name, each once, under new numbers.
class UsedFiles {
 public:
  UsedFiles(const std::vector<LineFile>& all, std::vector<CodeFile>& used) : all_(all), used_(used) {}

  // False when there are too many.
  bool Use(uint32_t& file) {
    const auto [known, is_new] = numbers_.try_emplace(file, static_cast<uint32_t>(used_.size()));
    if (is_new) {
      if (used_.size() >= kMostFiles) return false;
      used_.push_back({all_[file].Path(), all_[file].size_bytes});
    }
    file = known->second;
    return true;
  }

 private:
  const std::vector<LineFile>& all_;
  std::vector<CodeFile>& used_;
  std::unordered_map<uint32_t, uint32_t> numbers_;
};

void AddPlaces(const LineTable& table, uint64_t function_offset, FunctionCode& code) {
  UsedFiles files(table.files, code.files);
  code.places.reserve(table.rows.size());
  for (const LineRow& row : table.rows) {
    code.places.push_back(row.place);
    CodePlace& place = code.places.back();
    if (place.line != 0 && !files.Use(place.file)) place.line = 0;
  }
  std::vector<uint32_t> by_offset(table.rows.size());
  std::iota(by_offset.begin(), by_offset.end(), 0);
  std::ranges::stable_sort(by_offset, {}, [&](uint32_t row) { return table.rows[row].offset; });
  size_t next = 0;
  for (CodeInstruction& instruction : code.instructions) {
    const uint64_t offset = function_offset + instruction.offset;
    // Of rows with one offset the last is the innermost; those before are the calls that it was inlined through.
    while (next < by_offset.size() && table.rows[by_offset[next]].offset <= offset) ++next;
    if (next > 0 && code.places[by_offset[next - 1]].line != 0) instruction.place = by_offset[next - 1] + 1;
  }
}

}  // namespace

Result<Cubin> Cubin::Open(std::string_view bytes, int capability) {
  Result<ElfFile> elf = ElfFile::Parse(bytes);
  if (!elf.ok()) return UnreadableError("the program in the report " + elf.status().message());
  return Cubin(std::move(elf).value(), capability);
}

Result<Cubin::Reading> Cubin::ReadFunction(std::string_view mangled_name) const {
  const ElfSymbol* symbol = elf_.FindFunction(mangled_name);
  if (symbol == nullptr || symbol->section >= elf_.sections().size())
    return UnreadableError(fmt::format("the program in the report has no function {}", mangled_name));
  const std::string_view section = elf_.sections()[symbol->section].bytes;
  if (symbol->offset > section.size() || symbol->size > section.size() - symbol->offset)
    return UnreadableError(fmt::format("the code of {} reaches beyond its section", mangled_name));
  Reading reading;
  FunctionCode& code = reading.code;
  code.name = mangled_name;
  code.symbol = static_cast<uint64_t>(symbol - elf_.symbols().data());
  code.size_bytes = symbol->size;
  code.instructions = ReadInstructions(section.substr(symbol->offset, symbol->size), capability_);
  const LineTable table = ReadLineTable(elf_, symbol->section);
  if (const ElfSection* names = elf_.FindSection(".debug_str"); names != nullptr) code.inlined_names = names->bytes;
  AddPlaces(table, symbol->offset, code);
  reading.problem = table.problem;
  return reading;
}

}  // namespace warpsight
