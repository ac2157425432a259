// KernelNameGrammar: one family of kernel names that is written by one rule. Each stands in its own file, describes itself,
// and has one line in the list of grammars.cc.
//
// Place in the flow: DecodeKernelName asks the grammars in order; the first that takes the name decides.
// Threads: immutable.
#pragma once

#include <span>
#include <string_view>

#include "analysis/kernel_name/decoded_kernel_name.h"
#include "analysis/kernel_name/kernel_name_text.h"

namespace warpsight {

struct KernelNameGrammar {
  std::string_view id;
  std::string_view form;    // what such a name looks like
  std::string_view source;  // where the rule is public
  // False when the name is not of this grammar; `decoded` may then be half filled and is thrown away.
  bool (*decode)(const KernelNameText& name, DecodedKernelName& decoded);
};

std::span<const KernelNameGrammar* const> KernelNameGrammars();

}  // namespace warpsight
