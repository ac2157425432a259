// Formula: arithmetic over metrics, as the rows of data/ write it: "100 * a.sum / (a.sum + b.sum)".
//
// Names are metrics of a kernel, or values that the same data file defines. name["KEY"] is the instance of a metric with
// that key (an opcode), 0 when the metric has instances but not that one. Functions: min, max, floor, ceil, first (the first
// argument that is present). What is absent, or a division by zero, makes the result absent: nothing is ever taken for 0.
// Errors: a text that is no formula is our bug (CHECK): formulas come from our own data only. Threads: immutable once
// parsed.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace warpsight {

// What names mean. `key` is empty for a plain name.
using FormulaLookup = std::function<std::optional<double>(std::string_view name, std::string_view key)>;

class Formula {
 public:
  explicit Formula(std::string_view text);

  std::optional<double> Evaluate(const FormulaLookup& lookup) const { return EvaluateAt(root_, lookup); }
  // The names in it, in order of appearance.
  const std::vector<std::string>& names() const { return names_; }
  const std::string& text() const { return text_; }

 private:
  friend class FormulaParser;
  enum class Kind { kNumber, kName, kNegate, kAdd, kSubtract, kMultiply, kDivide, kMin, kMax, kFloor, kCeil, kFirst };
  struct Node {
    Kind kind = Kind::kNumber;
    double number = 0;
    std::string name;
    std::string key;
    std::vector<size_t> arguments;
  };

  std::optional<double> EvaluateAt(size_t at, const FormulaLookup& lookup) const;
  std::optional<double> Call(const Node& node, const FormulaLookup& lookup) const;

  std::string text_;
  std::vector<Node> nodes_;
  size_t root_ = 0;
  std::vector<std::string> names_;
};

// "a / b < 0.5": two formulas and one of < <= > >= between them.
class Comparison {
 public:
  explicit Comparison(std::string_view text);

  // Whether it holds; nothing when a side is absent.
  std::optional<bool> Holds(const FormulaLookup& lookup) const;
  const Formula& left() const { return left_; }
  const Formula& right() const { return right_; }

 private:
  std::string operator_;
  Formula left_;
  Formula right_;
};

}  // namespace warpsight
