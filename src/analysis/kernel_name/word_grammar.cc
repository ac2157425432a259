#include "analysis/kernel_name/word_grammar.h"

#include <algorithm>

#include "analysis/kernel_name/kernel_name_text.h"
#include "analysis/kernel_name/value_types.h"

namespace warpsight {
namespace {

struct Instruction {
  std::string_view digits;
  KernelExtent shape;
};
// m, n, k written without separators; all are mma or wmma instructions of the PTX manual.
constexpr Instruction kInstructions[] = {
    {"884", {8, 8, 4}},     {"1684", {16, 8, 4}},   {"1688", {16, 8, 8}},     {"16816", {16, 8, 16}},
    {"16832", {16, 8, 32}}, {"16864", {16, 8, 64}}, {"168128", {16, 8, 128}}, {"168256", {16, 8, 256}},
    {"8816", {8, 8, 16}},   {"8832", {8, 8, 32}},   {"88128", {8, 8, 128}},   {"161616", {16, 16, 16}},
    {"32816", {32, 8, 16}}, {"83216", {8, 32, 16}},
};

struct Operation {
  std::string_view word;
  std::string_view kind;
  PassDirection direction;
};
constexpr Operation kOperations[] = {
    {"gemm", "gemm", PassDirection::kNotTold},          {"cudnn", "convolution", PassDirection::kNotTold},
    {"fprop", "convolution", PassDirection::kForward},  {"dgrad", "convolution", PassDirection::kBackward},
    {"wgrad", "convolution", PassDirection::kBackward},
};

constexpr std::string_view kEpilogues[] = {"relu",    "gelu", "bias",  "silu",  "swish",
                                           "sigmoid", "tanh", "dgelu", "drelu", "bgrad"};

}  // namespace

KernelExtent InstructionOfDigits(std::string_view digits) {
  const auto* found = std::ranges::find(kInstructions, digits, &Instruction::digits);
  return found == std::end(kInstructions) ? KernelExtent{} : found->shape;
}

bool ReadCoreWord(std::string_view word, DecodedKernelName& decoded) {
  const auto* operation = std::ranges::find_if(kOperations, [&](const Operation& o) { return word.ends_with(o.word); });
  if (operation == std::end(kOperations)) return false;
  word.remove_suffix(operation->word.size());
  if (word.starts_with('g') && word.size() > 1) word.remove_prefix(1);  // gcgemm: Gauss' complex product
  if (word.empty()) return false;
  const std::string accumulator = ValueTypes::Embedded().OfBlas(word[0]);
  if (accumulator.empty()) return false;
  word.remove_prefix(1);
  const size_t digits_end = std::min(word.find_first_not_of("0123456789"), word.size());
  const std::string_view digits = word.substr(0, digits_end);
  const std::string_view multiplied = word.substr(digits_end);
  const std::string math = ValueTypes::Embedded().OfWord(multiplied);
  const KernelExtent shape = InstructionOfDigits(digits);
  if ((!digits.empty() && !shape.told()) || (!multiplied.empty() && math.empty())) return false;

  decoded.kind = operation->kind;
  decoded.direction = operation->direction;
  if (decoded.direction != PassDirection::kNotTold) decoded.ops.emplace_back(operation->word);
  decoded.math_type = math;
  decoded.instruction_shape = shape;
  decoded.tensor_cores = shape.told() ? TensorCoreUse::kUsed : TensorCoreUse::kNotUsed;
  decoded.accumulate_type = accumulator;
  return true;
}

bool ReadOptionWord(std::string_view word, DecodedKernelName& decoded) {
  const std::string lower = LowerCase(word);
  if (std::ranges::find(kEpilogues, lower) != std::end(kEpilogues)) {
    decoded.epilogue.push_back(lower);
    return true;
  }
  if (lower == "splitk") {
    decoded.split_k = "slices";
    return true;
  }
  if (lower == "fprop" || lower == "dgrad" || lower == "wgrad") {
    decoded.ops.push_back(lower);
    decoded.direction = lower == "fprop" ? PassDirection::kForward : PassDirection::kBackward;
    return true;
  }
  if (const auto align = AfterPrefix(lower, "align"); align) {
    if (const auto width = ParseNumber(*align); width) {
      decoded.vector_width = *width;
      return true;
    }
  }
  return false;
}

}  // namespace warpsight
