#include "formats/kernel_name_text.h"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <optional>

#include "base/mangled_name.h"

namespace warpsight {
namespace {

// Each may double what came before it.
constexpr ptrdiff_t kFewReferences = 8;
constexpr size_t kMostBoundedText = size_t{4} << 20;

// Substitutions (S_, S1_) and template parameters (T_, T0_), and whatever else ends like them.
ptrdiff_t BackReferences(std::string_view name) { return std::count(name.begin(), name.end(), '_'); }

bool StaysSmall(std::string_view recorded) {
  if (BackReferences(recorded) <= kFewReferences) return true;
  const std::optional<std::string> text = DemangleWithParameters(recorded);
  // A template parameter stands in the text as "T", and for no more than the text itself.
  return text && text->size() * (1 + static_cast<size_t>(std::count(text->begin(), text->end(), 'T'))) <= kMostBoundedText;
}

}  // namespace

std::string ReadableKernelName(std::string_view recorded) {
  std::string name(recorded);
  if (!recorded.starts_with("_Z")) return name;
  if (!StaysSmall(recorded)) {
    const std::string bounded = Demangle(recorded);
    return bounded.empty() ? name : bounded;
  }
  int status = 0;
  char* const demangled = abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status);
  if (demangled != nullptr && status == 0) name = demangled;
  std::free(demangled);
  return name;
}

}  // namespace warpsight
