#include "capture/sampling/elf_symbols.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace warpsight::capture::sampling {

void ElfSymbols::Add(const ElfFile& file, uint64_t symbols_offset, uint64_t symbols_bytes, uint64_t texts_offset,
                     uint64_t texts_bytes) {
  const uint64_t count = symbols_bytes / sizeof(Elf64_Sym);
  if (count > kMostSymbols - functions_.size() || texts_bytes > kMostTextBytes - texts_.size()) return;
  if (!file.Has(symbols_offset, symbols_bytes) || !file.Has(texts_offset, texts_bytes)) return;
  const size_t texts_begin = texts_.size();
  texts_.resize(texts_begin + texts_bytes + 1);  // ends with a zero, whatever the file says
  if (!file.Read(texts_offset, texts_.data() + texts_begin, texts_bytes)) return;
  constexpr uint64_t kAtOnce = 4096;
  std::vector<Elf64_Sym> symbols(std::min(count, kAtOnce));
  for (uint64_t first = 0; first < count; first += kAtOnce) {
    const uint64_t some = std::min(kAtOnce, count - first);
    if (!file.Read(symbols_offset + first * sizeof(Elf64_Sym), symbols.data(), some * sizeof(Elf64_Sym))) return;
    for (uint64_t i = 0; i < some; ++i) {
      const Elf64_Sym& symbol = symbols[i];
      const auto type = ELF64_ST_TYPE(symbol.st_info);
      const bool is_function = type == STT_FUNC || type == STT_GNU_IFUNC || (type == STT_NOTYPE && symbol.st_size > 0);
      if (!is_function || symbol.st_shndx == SHN_UNDEF || symbol.st_value == 0 || symbol.st_name >= texts_bytes) continue;
      const auto bytes = static_cast<uint32_t>(std::min<uint64_t>(symbol.st_size, std::numeric_limits<uint32_t>::max()));
      functions_.push_back({symbol.st_value, bytes, static_cast<uint32_t>(texts_begin + symbol.st_name)});
    }
  }
}

ElfSymbols ElfSymbols::Read(const std::string& path) {
  ElfSymbols symbols;
  const ElfFile file(path);
  const std::vector<Elf64_Shdr> sections = file.Sections();
  // The larger table first: of several names for one place its is taken.
  for (const uint32_t type : {uint32_t{SHT_SYMTAB}, uint32_t{SHT_DYNSYM}}) {
    for (const Elf64_Shdr& section : sections) {
      if (section.sh_type != type || section.sh_entsize != sizeof(Elf64_Sym) || section.sh_link >= sections.size()) continue;
      const Elf64_Shdr& texts = sections[section.sh_link];
      if (texts.sh_type != SHT_STRTAB) continue;
      symbols.Add(file, section.sh_offset, section.sh_size, texts.sh_offset, texts.sh_size);
    }
  }
  std::stable_sort(symbols.functions_.begin(), symbols.functions_.end(),
                   [](const Function& a, const Function& b) { return a.begin < b.begin; });
  const auto repeated = std::unique(symbols.functions_.begin(), symbols.functions_.end(),
                                    [](const Function& a, const Function& b) { return a.begin == b.begin; });
  symbols.functions_.erase(repeated, symbols.functions_.end());
  symbols.functions_.shrink_to_fit();
  return symbols;
}

std::string_view ElfSymbols::NameAt(uint64_t address) const {
  const auto after = std::upper_bound(functions_.begin(), functions_.end(), address,
                                      [](uint64_t wanted, const Function& function) { return wanted < function.begin; });
  if (after == functions_.begin()) return {};
  const Function& function = *std::prev(after);
  // Hand-written code tells no size: up to the next function.
  if (function.bytes != 0 && address - function.begin >= function.bytes) return {};
  if (function.bytes == 0 && after == functions_.end()) return {};
  const char* const name = texts_.data() + function.name;
  return {name, strnlen(name, texts_.size() - function.name)};
}

}  // namespace warpsight::capture::sampling
