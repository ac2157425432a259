#include "formats/cubin/source_texts.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <system_error>
#include <unordered_map>

namespace warpsight {
namespace {

constexpr uintmax_t kMostSourceBytes = uintmax_t{64} << 20;

std::vector<std::string> SplitLines(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.emplace_back(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

void TakeFromDisk(const CodeFile& file, SourceText& text) {
  std::error_code error;
  // Never waits for a pipe or reads a device, whatever a report names.
  if (!std::filesystem::is_regular_file(file.path, error)) return;
  const uintmax_t bytes = std::filesystem::file_size(file.path, error);
  if (error || bytes > kMostSourceBytes) return;
  std::ostringstream content;
  if (!(content << std::ifstream(file.path, std::ios::binary).rdbuf())) return;
  text.lines = SplitLines(content.view());
  const bool is_changed = file.size_bytes != 0 && file.size_bytes != bytes;
  text.origin = is_changed ? SourceText::Origin::kChangedOnDisk : SourceText::Origin::kDisk;
}

}  // namespace

std::vector<SourceText> FindSourceTexts(const FunctionCode& code, const CodeModule* module) {
  std::unordered_map<std::string, const CodeModule::SourceFile*> imported;
  if (module != nullptr) {
    for (const CodeModule::SourceFile& source : module->sources) {
      imported.emplace(std::filesystem::path(source.path).lexically_normal().string(), &source);
    }
  }
  std::vector<SourceText> texts;
  for (const CodeFile& file : code.files) {
    SourceText& text = texts.emplace_back();
    text.path = file.path;
    if (const auto found = imported.find(file.path); found != imported.end()) {
      text.origin = SourceText::Origin::kReport;
      text.lines = SplitLines(found->second->text);
    } else {
      TakeFromDisk(file, text);
    }
  }
  return texts;
}

}  // namespace warpsight
