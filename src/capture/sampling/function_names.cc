#include "capture/sampling/function_names.h"

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

std::string HexOffset(const std::string& module, uint64_t offset) {
  char text[32];
  std::snprintf(text, sizeof(text), "+0x%llx", static_cast<unsigned long long>(offset));
  return module + text;
}

// The address itself where no table tells.
uintptr_t BeginOfFunction(uintptr_t address) {
  uintptr_t begin = address;
  WhileNothingIsUnloaded(
      [](void* in_out) {
        auto& at = *static_cast<uintptr_t*>(in_out);
        CodeObject object;
        uintptr_t first = 0;
        uintptr_t end = 0;
        if (FindCodeObject(at, object) && FindBounds(object, at, first, end)) at = first;
      },
      &begin);
  return begin;
}

std::string BaseNameOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? path : path.substr(slash + 1);
}

}  // namespace

bool FunctionNames::FollowLibraries() {
  const LoadCounts now = CountLoads();
  if (now == loads_) return false;
  const bool unloaded = now.unloads != loads_.unloads;
  if (unloaded) symbols_.clear();
  // What was unknown may be known now, and what was known may be another's.
  known_.clear();
  loads_ = now;
  parts_ = LoadedLibraries(parts_);
  return unloaded;
}

const LoadedCode* FunctionNames::PartAt(uintptr_t address) const {
  const auto after = std::upper_bound(parts_.begin(), parts_.end(), address,
                                      [](uintptr_t wanted, const LoadedCode& part) { return wanted < part.begin; });
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
  if (const LoadedCode* const part = PartAt(address); part != nullptr && !part->path.empty()) {
    const uint64_t in_file = address - part->load_offset;
    name.module = BaseNameOf(part->path);
    name.function = SymbolsOf(part->path).NameAt(in_file);
    if (name.function.empty()) {
      name.function = HexOffset(name.module, BeginOfFunction(address) - part->load_offset);
    }
  } else {
    name.function = "[unknown]";
  }
  return known_[address] = Intern(std::move(name));
}

}  // namespace warpsight::capture::sampling
