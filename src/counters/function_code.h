// FunctionCode: the machine code of one GPU function, instruction by instruction, with the source line of each.
//
// Place in the flow: formats/cubin makes it from the program that a counter report holds, when someone asks; the source view
// (analysis/counters/source_view.h) joins it with the counters of a kernel. Offsets and sizes are bytes from the function's
// first instruction. Errors: none. Threads: plain values, thread-compatible. Texts of the struct are its own, except for
// views into the program, which must outlive it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warpsight {

// A source file as the line table names it.
struct CodeFile {
  std::string path;
  uint64_t size_bytes = 0;  // when it was compiled; 0 = not said
};

// A place in the source. Code that was inlined also has the place that called it.
struct CodePlace {
  uint32_t file = 0;           // FunctionCode::files
  uint32_t line = 0;           // from 1; 0 = no line
  uint32_t caller = 0;         // 1 + the place of the call in FunctionCode::places, which stands before it; 0 = not inlined
  uint64_t function_name = 0;  // of inlined code: where its name stands in FunctionCode::inlined_names
};

struct CodeInstruction {
  uint64_t offset = 0;
  uint32_t place = 0;       // 1 + FunctionCode::places; 0 = the program does not say
  std::string_view opcode;  // "FFMA"; empty when it can't be told
  std::string text;         // the whole instruction, where a disassembler was at hand
};

struct FunctionCode {
  std::string_view name;  // mangled
  uint64_t symbol = 0;    // its number in the symbol table of the program
  uint64_t size_bytes = 0;
  std::vector<CodeFile> files;
  std::vector<CodePlace> places;
  std::string_view inlined_names;             // texts that end with NUL
  std::vector<CodeInstruction> instructions;  // in order

  bool has_lines() const { return !places.empty(); }
  // Mangled name of the function that this code was inlined from; empty when it was not.
  std::string_view InlinedFunction(const CodePlace& place) const {
    constexpr size_t kLongestName = size_t{64} << 10;
    if (place.caller == 0 || place.function_name >= inlined_names.size()) return {};
    const std::string_view text = inlined_names.substr(place.function_name, kLongestName);
    return text.substr(0, text.find('\0'));
  }
};

// The text of one source file, and where it came from.
struct SourceText {
  enum class Origin : uint8_t { kMissing, kReport, kDisk, kChangedOnDisk };
  Origin origin = Origin::kMissing;
  std::string path;
  std::vector<std::string> lines;

  // Of a line counted from 1; empty when there is none.
  std::string_view line(uint32_t number) const {
    return number == 0 || number > lines.size() ? std::string_view() : std::string_view(lines[number - 1]);
  }
};

// All code of one kernel that counters may point into.
struct KernelCode {
  struct Function {
    uint64_t base_address = 0;  // of the first instruction, as the keys of per-instruction metrics count
    FunctionCode code;
    std::vector<SourceText> texts;  // one a file of the code
  };
  std::vector<Function> functions;    // the kernel's own first
  std::vector<std::string> problems;  // sentences: what could not be read
  std::string disassembler;           // what gave the texts of instructions; empty = nothing did
};

}  // namespace warpsight
