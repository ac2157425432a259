// KernelNameText: a kernel name taken apart once for all grammars: the function, its template arguments, the words of it.
// Beside it the small readers that grammars share: numbers, extents, template arguments.
//
// Mangled names (_Z...) are demangled first; both demangler styles are read (GNU "4ul", "true"; EDG "(int)4", "(bool)1"),
// and Nsight Compute's, which drops inner namespaces and writes bools as 0 and 1. Errors: none; brackets need not match. All
// are linear in the length. Views point into the KernelNameText. Threads: thread-compatible.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/kernel_name/decoded_kernel_name.h"

namespace warpsight {

class KernelNameText {
 public:
  explicit KernelNameText(std::string_view name);
  KernelNameText(const KernelNameText&) = delete;
  KernelNameText& operator=(const KernelNameText&) = delete;

  // The whole name, without a leading "void " and " [clone .kd]".
  std::string_view text() const { return text_; }
  // Qualified, without template arguments and parameters: "at::native::reduce_kernel".
  std::string_view function() const { return function_; }
  // Its last component: "reduce_kernel".
  std::string_view base() const { return base_; }
  // Template arguments of the function itself.
  const std::vector<std::string_view>& arguments() const { return arguments_; }

  bool Has(std::string_view piece) const { return text_.find(piece) != std::string_view::npos; }

 private:
  std::string text_;
  std::string_view function_;
  std::string_view base_;
  std::vector<std::string_view> arguments_;
};

// Arguments between the brackets of the first "NAME<" in `text` (NAME not being the end of a longer name); empty when
// there is none.
std::vector<std::string_view> TemplateArguments(std::string_view text, std::string_view name);
// "a, b<c, d>" -> "a", "b<c, d>"; stops at a bracket that closes more than was opened.
std::vector<std::string_view> SplitArguments(std::string_view text);
std::vector<std::string_view> SplitWords(std::string_view text, char separator = '_');

// "8", "8u", "4ul", "(int)8", "cute::C<8>", "std::integral_constant<int, 8>"; absent for anything else.
std::optional<int32_t> IntegerArgument(std::string_view text);
// "true", "(bool)1", "1"; absent for anything else.
std::optional<bool> BoolArgument(std::string_view text);

// Digits only, at most seven.
std::optional<int32_t> ParseNumber(std::string_view digits);
// "128x256" or "128x256x64", nothing else.
std::optional<KernelExtent> ParseExtent(std::string_view text);
// "cute::tuple<cute::C<128>, cute::C<64>, cute::C<64> >" or "sequence<1, 2>".
std::optional<KernelExtent> TupleArgument(std::string_view text);

// "add_kernel" -> "add"; takes one suffix.
std::string_view WithoutSuffix(std::string_view text, std::string_view suffix);
// The text after `prefix`, absent when it does not start so.
std::optional<std::string_view> AfterPrefix(std::string_view text, std::string_view prefix);
bool Contains(std::string_view text, std::string_view piece);
bool AllOf(std::string_view text, std::string_view letters);
std::string LowerCase(std::string_view text);

// "nn", "tn", "tnt": fills layout and the transposed operands; false when `text` is not such a layout.
bool ReadLayout(std::string_view text, DecodedKernelName& decoded);

}  // namespace warpsight
