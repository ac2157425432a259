#include "formats/cubin/disassembler.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <fstream>
#include <optional>
#include <sstream>
#include <vector>

#include "base/child_program.h"
#include "base/temporary_folder.h"

namespace warpsight {
namespace {

constexpr int kLimitSeconds = 20;
constexpr std::streamoff kMostPrintedBytes = std::streamoff{1} << 28;

std::string_view WithoutSpaces(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t\r");
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\r") + 1 - first);
}

struct SassLine {
  uint64_t offset = 0;
  std::string_view text;
};

// "        /*0010*/              @P0 IADD3 R1, R1, 0x1, RZ ;   /* 0x... */"; lines of encodings have no number first.
std::optional<SassLine> ReadSassLine(std::string_view line) {
  line = WithoutSpaces(line);
  // cuobjdump marks instructions that belong together with braces.
  if (line.starts_with('{')) line = WithoutSpaces(line.substr(1));
  if (!line.starts_with("/*")) return std::nullopt;
  const size_t close = line.find("*/");
  if (close == std::string_view::npos) return std::nullopt;
  SassLine sass;
  const std::string_view digits = line.substr(2, close - 2);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), sass.offset, 16);
  if (error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  const std::string_view rest = line.substr(close + 2);
  const size_t stop = rest.find(';');
  if (stop == std::string_view::npos) return std::nullopt;
  sass.text = WithoutSpaces(rest.substr(0, stop));
  return sass;
}

// The function that the lines from here on belong to; nothing when the line names none.
std::optional<std::string_view> FunctionOfLine(std::string_view line) {
  line = WithoutSpaces(line);
  constexpr std::string_view kFunction = "Function : ";
  if (line.starts_with(kFunction)) return WithoutSpaces(line.substr(kFunction.size()));
  constexpr std::string_view kText = ".text.";
  if (line.starts_with(kText) && line.ends_with(':')) return line.substr(kText.size(), line.size() - kText.size() - 1);
  return std::nullopt;
}

std::string ReadPrinted(const std::string& path) {
  std::ifstream in(path, std::ios::binary | std::ios::ate);
  if (!in || in.tellg() > kMostPrintedBytes) return {};
  in.seekg(0);
  std::ostringstream text;
  text << in.rdbuf();
  return std::move(text).str();
}

}  // namespace

size_t TakeSassTexts(std::string_view printed, FunctionCode& code) {
  size_t taken = 0;
  bool is_inside = false;
  while (!printed.empty()) {
    const size_t end = std::min(printed.find('\n'), printed.size());
    const std::string_view line = printed.substr(0, end);
    printed.remove_prefix(std::min(end + 1, printed.size()));
    if (const std::optional<std::string_view> function = FunctionOfLine(line)) is_inside = *function == code.name;
    if (!is_inside) continue;
    const std::optional<SassLine> sass = ReadSassLine(line);
    if (!sass) continue;
    const auto instruction = std::ranges::lower_bound(code.instructions, sass->offset, {}, &CodeInstruction::offset);
    if (instruction == code.instructions.end() || instruction->offset != sass->offset) continue;
    instruction->text = std::string(sass->text);
    ++taken;
  }
  return taken;
}

std::string AddSassTexts(std::string_view cubin, FunctionCode& code) {
  const TemporaryFolder folder;
  if (!folder.made()) return {};
  const std::string program = folder.File("program.cubin");
  const std::string output = folder.File("sass");
  std::ofstream out(program, std::ios::binary);
  if (!out.write(cubin.data(), static_cast<std::streamsize>(cubin.size())).flush()) return {};
  const std::vector<std::vector<std::string>> commands = {
      {"nvdisasm", "-c", "-fun", fmt::format("{}", code.symbol), program},
      {"nvdisasm", "-c", program},
      {"cuobjdump", "-sass", "-fun", std::string(code.name), program}};
  for (const std::vector<std::string>& command : commands) {
    const ChildProgramEnd end = RunChildProgram(command, output, ChildErrors::kDropped, kLimitSeconds);
    if (end.succeeded() && TakeSassTexts(ReadPrinted(output), code) > 0) return command.front();
  }
  return {};
}

}  // namespace warpsight
