// ValueTypes: the spellings of number types in kernel names, from data/kernel_name_types.toml.
//
// Every look-up gives the canonical name ("f16", "bf16", "e4m3") or an empty text. Errors: a damaged table is our bug
// (CHECK). Threads: immutable after construction.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace warpsight {

class ValueTypes {
 public:
  explicit ValueTypes(std::string_view toml_text);
  static const ValueTypes& Embedded();

  // "c10::Half", "__nv_bfloat16 const*", "const float &".
  std::string OfCpp(std::string_view type) const;
  // "bf16", "E4m3"; case is ignored.
  std::string OfWord(std::string_view word) const;
  std::string OfNvjet(char letter) const;
  std::string OfBlas(char letter) const;
  // Types of "BBS" or "F8BS" one after another; empty when a letter is no type.
  std::vector<std::string> OfTensile(std::string_view letters) const;
  // A run of words without separators, "bf16bf16" or "bf16f32"; empty when a piece is no type.
  std::vector<std::string> OfWordRun(std::string_view text) const;

 private:
  using Names = std::unordered_map<std::string, std::string>;
  Names cpp_;
  Names words_;
  Names nvjet_;
  Names blas_;
  Names tensile_;
};

bool IsFloatingType(std::string_view canonical);
// The first floating-point type among template arguments; integer types there are mostly those of indices.
std::string FirstFloatingType(std::span<const std::string_view> arguments);

}  // namespace warpsight
