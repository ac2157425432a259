#include "counters/formula.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <utility>

#include "base/check.h"

namespace warpsight {
namespace {

bool IsNameCharacter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == ':'; }

// Where the comparison's operator stands in its text, and how long it is.
std::pair<size_t, size_t> FindComparator(std::string_view text) {
  const size_t at = text.find_first_of("<>");
  CHECK(at != std::string_view::npos);
  return {at, at + 1 < text.size() && text[at + 1] == '=' ? 2 : 1};
}

}  // namespace

class FormulaParser {
 public:
  FormulaParser(std::string_view text, Formula& formula) : text_(text), formula_(formula) {}

  void Run() {
    formula_.root_ = Sum();
    SkipSpace();
    CHECK(at_ == text_.size());
  }

 private:
  using Kind = Formula::Kind;

  size_t Sum() {
    size_t left = Product();
    for (;;) {
      if (Take('+')) {
        left = Add({Kind::kAdd, 0, {}, {}, {left, Product()}});
      } else if (Take('-')) {
        left = Add({Kind::kSubtract, 0, {}, {}, {left, Product()}});
      } else {
        return left;
      }
    }
  }

  size_t Product() {
    size_t left = Factor();
    for (;;) {
      if (Take('*')) {
        left = Add({Kind::kMultiply, 0, {}, {}, {left, Factor()}});
      } else if (Take('/')) {
        left = Add({Kind::kDivide, 0, {}, {}, {left, Factor()}});
      } else {
        return left;
      }
    }
  }

  size_t Factor() {
    if (Take('-')) return Add({Kind::kNegate, 0, {}, {}, {Factor()}});
    if (Take('(')) {
      const size_t inner = Sum();
      CHECK(Take(')'));
      return inner;
    }
    SkipSpace();
    CHECK(at_ < text_.size());
    return std::isdigit(static_cast<unsigned char>(text_[at_])) != 0 ? Number() : NameOrCall();
  }

  size_t Number() {
    double number = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), number);
    CHECK(error == std::errc());
    at_ = static_cast<size_t>(end - text_.data());
    return Add({Kind::kNumber, number, {}, {}, {}});
  }

  size_t NameOrCall() {
    const size_t start = at_;
    while (at_ < text_.size() && IsNameCharacter(text_[at_])) ++at_;
    const std::string name(text_.substr(start, at_ - start));
    CHECK(!name.empty());
    if (Take('(')) return Call(name);
    std::string key;
    if (Take('[')) {
      CHECK(Take('"'));
      const size_t end = text_.find('"', at_);
      CHECK(end != std::string_view::npos);
      key = text_.substr(at_, end - at_);
      at_ = end + 1;
      CHECK(Take(']'));
    }
    if (std::ranges::find(formula_.names_, name) == formula_.names_.end()) formula_.names_.push_back(name);
    return Add({Kind::kName, 0, name, key, {}});
  }

  size_t Call(std::string_view name) {
    constexpr std::array<std::pair<std::string_view, Kind>, 5> kFunctions = {
        {{"min", Kind::kMin}, {"max", Kind::kMax}, {"floor", Kind::kFloor}, {"ceil", Kind::kCeil}, {"first", Kind::kFirst}}};
    const auto function = std::ranges::find(kFunctions, name, &std::pair<std::string_view, Kind>::first);
    CHECK(function != kFunctions.end());
    std::vector<size_t> arguments = {Sum()};
    while (Take(',')) arguments.push_back(Sum());
    CHECK(Take(')'));
    return Add({function->second, 0, {}, {}, std::move(arguments)});
  }

  size_t Add(Formula::Node node) {
    formula_.nodes_.push_back(std::move(node));
    return formula_.nodes_.size() - 1;
  }

  bool Take(char c) {
    SkipSpace();
    if (at_ >= text_.size() || text_[at_] != c) return false;
    ++at_;
    return true;
  }
  void SkipSpace() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }

  std::string_view text_;
  size_t at_ = 0;
  Formula& formula_;
};

Formula::Formula(std::string_view text) : text_(text) { FormulaParser(text_, *this).Run(); }

std::optional<double> Formula::EvaluateAt(size_t at, const FormulaLookup& lookup) const {
  const Node& node = nodes_[at];
  if (node.kind == Kind::kNumber) return node.number;
  if (node.kind == Kind::kName) return lookup(node.name, node.key);
  const std::optional<double> result = Call(node, lookup);
  return result && std::isfinite(*result) ? result : std::nullopt;
}

std::optional<double> Formula::Call(const Node& node, const FormulaLookup& lookup) const {
  std::vector<double> values;
  for (const size_t argument : node.arguments) {
    const std::optional<double> value = EvaluateAt(argument, lookup);
    if (node.kind == Kind::kFirst) {
      if (value) return value;
      continue;
    }
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  switch (node.kind) {
    case Kind::kNegate:
      return -values[0];
    case Kind::kAdd:
      return values[0] + values[1];
    case Kind::kSubtract:
      return values[0] - values[1];
    case Kind::kMultiply:
      return values[0] * values[1];
    case Kind::kDivide:
      return values[1] == 0 ? std::nullopt : std::optional<double>(values[0] / values[1]);
    case Kind::kMin:
      return std::ranges::min(values);
    case Kind::kMax:
      return std::ranges::max(values);
    case Kind::kFloor:
      return std::floor(values[0]);
    case Kind::kCeil:
      return std::ceil(values[0]);
    default:
      return std::nullopt;
  }
}

Comparison::Comparison(std::string_view text)
    : operator_(text.substr(FindComparator(text).first, FindComparator(text).second)),
      left_(text.substr(0, FindComparator(text).first)),
      right_(text.substr(FindComparator(text).first + FindComparator(text).second)) {}

std::optional<bool> Comparison::Holds(const FormulaLookup& lookup) const {
  const std::optional<double> left = left_.Evaluate(lookup);
  const std::optional<double> right = right_.Evaluate(lookup);
  if (!left || !right) return std::nullopt;
  if (operator_ == "<") return *left < *right;
  if (operator_ == "<=") return *left <= *right;
  if (operator_ == ">") return *left > *right;
  return *left >= *right;
}

}  // namespace warpsight
