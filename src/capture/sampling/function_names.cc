#include "capture/sampling/function_names.h"

#include <link.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <utility>

#include "capture/sampling/unwind_table.h"

namespace warpsight::capture::sampling {
namespace {

// Of all libraries together: 16 bytes each and their names.
constexpr size_t kMostSymbolsOfAll = size_t{8} << 20;
// Addresses that are remembered; beyond, all are asked again.
constexpr size_t kMostKnown = size_t{1} << 20;
// A stack of the most frames with the longest names must fit into a chunk.
constexpr size_t kMostNameBytes = 4096;
constexpr std::string_view kInterpreterLoop = "_PyEval_EvalFrameDefault";

struct LoadCounts {
  unsigned long long loads = 0;
  unsigned long long unloads = 0;
};

std::string HexOffset(const std::string& module, uint64_t offset) {
  char text[32];
  std::snprintf(text, sizeof(text), "+0x%llx", static_cast<unsigned long long>(offset));
  return module + text;
}

std::string BaseNameOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

}  // namespace

bool FunctionNames::FollowLibraries() {
  LoadCounts now;
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* out) {
        *static_cast<LoadCounts*>(out) = {info->dlpi_adds, info->dlpi_subs};
        return 1;
      },
      &now);
  if (now.loads == loads_ && now.unloads == unloads_) return false;
  const bool unloaded = now.unloads != unloads_;
  if (unloaded) symbols_.clear();
  // What was unknown may be known now, and what was known may be another's.
  known_.clear();
  loads_ = now.loads;
  unloads_ = now.unloads;
  ReadParts();
  return unloaded;
}

void FunctionNames::ReadParts() {
  parts_.clear();
  dl_iterate_phdr(
      [](dl_phdr_info* info, size_t, void* out) {
        auto& parts = *static_cast<std::vector<Part>*>(out);
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          const ElfW(Phdr)& header = info->dlpi_phdr[i];
          if (header.p_type != PT_LOAD || (header.p_flags & PF_X) == 0) continue;
          Part& part = parts.emplace_back();
          part.begin = info->dlpi_addr + header.p_vaddr;
          part.end = part.begin + header.p_memsz;
          part.load_offset = info->dlpi_addr;
          // The program itself has no name here.
          part.path = info->dlpi_name == nullptr || *info->dlpi_name == '\0' ? "/proc/self/exe" : info->dlpi_name;
        }
        return 0;
      },
      &parts_);
  char program[4096];
  const ssize_t size = readlink("/proc/self/exe", program, sizeof(program));
  for (Part& part : parts_) {
    if (part.path == "/proc/self/exe" && size > 0) part.path.assign(program, static_cast<size_t>(size));
  }
  std::sort(parts_.begin(), parts_.end(), [](const Part& a, const Part& b) { return a.begin < b.begin; });
}

const FunctionNames::Part* FunctionNames::PartAt(uintptr_t address) const {
  const auto after = std::upper_bound(parts_.begin(), parts_.end(), address,
                                      [](uintptr_t wanted, const Part& part) { return wanted < part.begin; });
  if (after == parts_.begin() || address >= std::prev(after)->end) return nullptr;
  return &*std::prev(after);
}

const ElfSymbols& FunctionNames::SymbolsOf(const std::string& path) {
  const auto found = symbols_.find(path);
  if (found != symbols_.end()) return found->second;
  ElfSymbols& symbols = symbols_[path];
  if (symbols_read_ < kMostSymbolsOfAll) symbols = ElfSymbols::Read(path);
  symbols_read_ += symbols.size();
  return symbols;
}

FunctionNumber FunctionNames::Intern(FunctionName name) {
  for (std::string* const text : {&name.function, &name.module}) {
    if (text->size() > kMostNameBytes) text->resize(kMostNameBytes);
  }
  std::string key = name.function + '\n' + name.module + (name.kind == wire::FrameKind::kPython ? 'p' : 'n');
  const auto [found, added] = numbers_.try_emplace(std::move(key), static_cast<FunctionNumber>(names_.size()));
  if (added) {
    name.is_interpreter = name.kind == wire::FrameKind::kNative && name.function.starts_with(kInterpreterLoop);
    names_.push_back(std::move(name));
  }
  return found->second;
}

FunctionNumber FunctionNames::At(uintptr_t address) {
  if (known_.size() >= kMostKnown) known_.clear();
  const auto [found, added] = known_.try_emplace(address, 0);
  if (!added) return found->second;
  FunctionName name;
  if (const Part* const part = PartAt(address); part != nullptr) {
    const uint64_t in_file = address - part->load_offset;
    name.module = BaseNameOf(part->path);
    name.function = SymbolsOf(part->path).NameAt(in_file);
    if (name.function.empty()) {
      CodeObject object;
      uintptr_t begin = address;
      uintptr_t end = 0;
      if (!FindCodeObject(address, object) || !FindBounds(object, address, begin, end)) begin = address;
      name.function = HexOffset(name.module, begin - part->load_offset);
    }
  } else {
    name.function = "[unknown]";
  }
  return known_[address] = Intern(std::move(name));
}

}  // namespace warpsight::capture::sampling
