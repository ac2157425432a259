#include "analysis/kernel_name/aten_functor.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "analysis/kernel_name/kernel_name_text.h"
#include "analysis/kernel_name/value_types.h"

namespace warpsight {
namespace {

constexpr int kMostWrappers = 8;
constexpr size_t kNotFound = std::string_view::npos;

// Functors that run another one, which is their last argument, and launchers, of which it is the first.
constexpr std::string_view kWrappers[] = {"AUnaryFunctor", "BUnaryFunctor", "BinaryFunctor", "func_wrapper_t"};
constexpr std::string_view kLaunchers[] = {"gpu_kernel_impl", "gpu_kernel_impl_nocast", "gpu_index_kernel"};
constexpr std::string_view kNotFunctors[] = {"array", "Array", "TrivialOffsetCalculator", "OffsetCalculator", "OpaqueType"};

constexpr std::string_view kSuffixes[] = {"_kernel",  "_impl", "_functor",  "_ops",          "_cuda",
                                          "_wrapper", "_out",  "_internal", "_and_transform"};
constexpr std::string_view kPrefixes[] = {"cuda_functor_on_self_", "cuda_functor_on_other_", "cuda_functor_", "launch_",
                                          "_cuda_"};

// Function objects of the standard library, by the names of the ATen ops.
constexpr std::pair<std::string_view, std::string_view> kStandardOperations[] = {
    {"multiplies", "mul"}, {"plus", "add"}, {"minus", "sub"}, {"divides", "div"}};

constexpr bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
constexpr bool IsLower(char c) { return c >= 'a' && c <= 'z'; }

// "CUDAFunctor_add" -> "cuda_functor_add", "GeluBackwardCUDAKernelImpl" -> "gelu_backward_cuda_kernel_impl".
std::string SnakeCase(std::string_view name) {
  std::string snake;
  for (size_t at = 0; at < name.size(); ++at) {
    const char c = name[at];
    const bool after_lower = at > 0 && IsLower(name[at - 1]);
    const bool ends_capitals = at > 0 && IsUpper(name[at - 1]) && at + 1 < name.size() && IsLower(name[at + 1]);
    if (IsUpper(c) && (after_lower || ends_capitals)) snake.push_back('_');
    snake.push_back(c);
  }
  return LowerCase(snake);
}

// A qualified name up to its "(" or "<", without namespaces: where it ends in `text` goes to `end`.
std::string_view HeadName(std::string_view text, size_t& end) {
  size_t begin = 0;
  size_t at = 0;
  while (at < text.size()) {
    const std::string_view rest = text.substr(at);
    size_t skip = 0;
    for (const std::string_view anonymous : {"(anonymous namespace)::", "<unnamed>::", "{anonymous}::", "::"}) {
      if (rest.starts_with(anonymous)) skip = std::string_view(anonymous).size();
    }
    if (skip > 0) {
      at += skip;
      begin = at;
      continue;
    }
    if (text[at] == ' ') begin = at + 1;  // a return type
    if (text[at] == '(' || text[at] == '<') break;
    ++at;
  }
  end = at;
  return text.substr(begin, at - begin);
}

// Parameter types of the last lambda: "{lambda(float, float)#1}" or "[lambda(float) (instance 1)]".
std::string LambdaType(std::string_view text) {
  for (const std::string_view open : {"{lambda(", "[lambda(", "'lambda"}) {
    const size_t at = text.rfind(open);
    if (at == kNotFound) continue;
    const std::vector<std::string_view> parameters = SplitArguments(text.substr(text.find('(', at) + 1));
    // Bytes that are moved by address: what they hold is not told, and a number beside them is an offset.
    if (std::ranges::any_of(parameters, [](std::string_view p) { return Contains(p, "*"); })) return {};
    for (const std::string_view parameter : parameters) {
      if (std::string type = ValueTypes::Embedded().OfCpp(parameter); !type.empty() && type != "bool") return type;
    }
  }
  return {};
}

std::string FirstType(const std::vector<std::string_view>& arguments) {
  for (const std::string_view argument : arguments) {
    if (std::string type = ValueTypes::Embedded().OfCpp(argument); !type.empty()) return type;
  }
  return {};
}

template <size_t kSize>
bool IsOneOf(std::string_view name, const std::string_view (&names)[kSize]) {
  return std::ranges::find(names, name) != std::end(names);
}

// "float16_copy", "bfloat16_copy", "bfloat16tofloat32_copy": copies that convert into the type they name.
void ReadConvertingCopy(AtenFunctor& functor) {
  if (!functor.op.ends_with("_copy") || functor.op == "direct_copy") return;
  std::string_view types = WithoutSuffix(functor.op, "_copy");
  if (const size_t to = types.find("to"); to != kNotFound) types.remove_prefix(to + 2);
  const std::string target = ValueTypes::Embedded().OfWord(types);
  if (target.empty()) return;
  functor.result_type = target;
  functor.op = "copy";
}

}  // namespace

std::string CleanFunctionName(std::string_view name) {
  std::string snake = SnakeCase(name);
  std::string_view clean = snake;
  for (bool changed = true; changed;) {
    changed = false;
    for (const std::string_view suffix : kSuffixes) {
      if (!clean.ends_with(suffix) || clean.size() == suffix.size()) continue;
      clean.remove_suffix(suffix.size());
      changed = true;
    }
  }
  for (const std::string_view prefix : kPrefixes) {
    if (clean.starts_with(prefix) && clean.size() > prefix.size()) clean.remove_prefix(prefix.size());
  }
  return std::string(clean);
}

AtenFunctor ReadAtenFunctor(std::string_view argument) {
  AtenFunctor functor;
  for (int wrapper = 0; wrapper < kMostWrappers; ++wrapper) {
    size_t end = 0;
    const std::string_view head = HeadName(argument, end);
    if (IsOneOf(head, kNotFunctors)) return {};
    const bool templated = end < argument.size() && argument[end] == '<';
    const std::vector<std::string_view> arguments =
        templated ? SplitArguments(argument.substr(end + 1)) : std::vector<std::string_view>();
    const bool wraps = IsOneOf(head, kWrappers);
    if ((wraps || IsOneOf(head, kLaunchers)) && !arguments.empty()) {
      if (wraps && functor.type.empty()) functor.type = FirstType(arguments);
      argument = wraps ? arguments.back() : arguments.front();
      continue;
    }
    functor.op = CleanFunctionName(head);
    const bool opaque = Contains(argument, "OpaqueType");
    if (functor.type.empty() && !opaque) functor.type = FirstType(arguments);
    if (functor.type.empty() && !opaque) functor.type = LambdaType(argument);
    break;
  }
  ReadConvertingCopy(functor);
  const auto* operation =
      std::ranges::find(kStandardOperations, functor.op, &std::pair<std::string_view, std::string_view>::first);
  if (operation != std::end(kStandardOperations)) functor.op = operation->second;
  return functor;
}

}  // namespace warpsight
