// One pass with a stack of open brackets. Every input byte is appended to the output at most once and dropping is a resize
// of the output to an offset noted earlier, hence linear time.
#include "document/kernel_name.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>
#include <vector>

namespace warpsight {
namespace {

constexpr std::size_t kLongestRead = 64 * 1024;
constexpr std::size_t kLongestShort = 256;
constexpr std::size_t kNone = std::string::npos;
constexpr std::string_view kReturnsNothing = "void ";
constexpr std::string_view kEdgInstance = " (instance ";

// Template arguments that follow from the others or from nothing a reader can act on.
constexpr std::array<std::string_view, 7> kUninformativeArguments = {
    "std::array<char*", "Array<char*", "TrivialOffsetCalculator<", "OffsetCalculator<", "LoadWithoutCast",
    "StoreWithoutCast", "NullType",
};

constexpr std::array<std::string_view, 3> kAnonymousNamespaces = {"(anonymous namespace)::", "{anonymous}::", "<unnamed>::"};

// Longest first, so that "<<" is not read as "<" and a template list.
constexpr std::array<std::string_view, 17> kLongOperators = {
    "<=>", "<<=", ">>=", "->*", "()", "[]", "<<", ">>", "<=", ">=", "->", "==", "!=", "&&", "||", "++", "--"};
constexpr std::string_view kShortOperators = "+-*/%^&|~!=<>,";

bool IsIdentifier(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '$';
}

// An open bracket, and where in the output the parts of what it holds begin.
struct Frame {
  char close = 0;                    // the byte that ends it; 0 = the whole name
  std::size_t begin = 0;             // of its opening bracket
  std::size_t separator = 0;         // of the ", " before the current template argument
  std::size_t argument = 0;          // of the current template argument
  std::size_t chain = 0;             // of the current a::b::c
  std::size_t function_end = kNone;  // of the function that the current chain of lambdas is in
  int qualifiers = 0;                // namespaces seen in the current chain
};

class Shortener {
 public:
  explicit Shortener(std::string_view name) : in_(name), frames_(1) {}

  // Returns false when the text turns out not to be a C++ function name ("Memcpy HtoD (Pageable -> Device)").
  bool Run() {
    while (at_ < in_.size()) {
      if (SkipAnonymousNamespace() || SkipReturnType() || CopyOperatorName()) continue;
      const bool after_parameters = after_parameters_;
      after_parameters_ = false;
      if (after_parameters && SkipConst()) continue;
      if (in_[at_] == '(' && depth() == 0 && !out_.empty() && out_.back() == ' ') return false;
      Step(after_parameters);
    }
    while (!out_.empty() && out_.back() == ' ') out_.pop_back();
    return !out_.empty();
  }

  std::string Take() { return std::move(out_); }

 private:
  std::size_t depth() const { return frames_.size() - 1; }
  Frame& top() { return frames_.back(); }
  std::string_view rest() const { return in_.substr(at_); }
  bool at_argument_start() { return top().close == '>' && out_.size() == top().argument; }

  void Step(bool after_parameters) {
    const char c = in_[at_];
    if (c == '<') return Open('>');
    if (c == '(') return KeepsParentheses() ? Open(')') : DropParentheses();
    if (c == '{') return Open('}');
    if (rest().starts_with("[lambda")) return Open(']');
    if (top().close == ']' && rest().starts_with(kEdgInstance)) return NumberLambda();
    if (c == '[' && out_.ends_with(' ')) return DropRest();  // " [clone .kd]"
    if (depth() > 0 && c == top().close) return Close();
    if (c == ',' && top().close == '>') return NextArgument();
    if (rest().starts_with("::")) return Qualify(after_parameters);
    Copy(c);
  }

  void Copy(char c) {
    ++at_;
    if (c == ' ' && (at_argument_start() || out_.empty())) return;
    if ((c == '*' || c == '&') && depth() > 0 && out_.ends_with(' ')) out_.pop_back();  // EDG writes "char *"
    out_.push_back(c);
    if (!IsIdentifier(c) && c != '~' && c != '\'') StartChain();
  }

  // After a space, a star or the like the next name is on its own.
  void StartChain() {
    top().chain = out_.size();
    top().function_end = kNone;
    top().qualifiers = 0;
  }

  void Open(char close) {
    const std::size_t begin = out_.size();
    out_.push_back(close == ']' ? '{' : in_[at_]);
    ++at_;
    Frame frame;
    frame.close = close;
    frame.begin = begin;
    frame.separator = frame.argument = frame.chain = out_.size();
    frames_.push_back(frame);
  }

  // A list of which every argument was dropped goes with its brackets.
  void Close() {
    if (top().close == '>') EndArgument();
    const bool emptied = top().close == '>' && out_.size() == top().begin + 1;
    if (emptied) {
      out_.resize(top().begin);
    } else {
      out_.push_back(in_[at_] == ']' ? '}' : in_[at_]);
    }
    ++at_;
    frames_.pop_back();
  }

  // EDG "[lambda(int) (instance 1)]" is written as GNU "{lambda(int)#1}".
  void NumberLambda() {
    at_ += kEdgInstance.size();
    out_.push_back('#');
    while (at_ < in_.size() && IsIdentifier(in_[at_])) out_.push_back(in_[at_++]);
    if (at_ < in_.size() && in_[at_] == ')') ++at_;
  }

  void EndArgument() {
    Frame& frame = top();
    while (out_.size() > frame.argument && out_.back() == ' ') out_.pop_back();
    const std::string_view argument = std::string_view(out_).substr(frame.argument);
    const bool uninformative = argument.empty() || std::ranges::any_of(kUninformativeArguments, [&](std::string_view start) {
                                 return argument.starts_with(start);
                               });
    if (uninformative) out_.resize(frame.separator);
  }

  void NextArgument() {
    EndArgument();
    ++at_;
    top().separator = out_.size();
    if (out_.size() > top().begin + 1) out_ += ", ";
    top().argument = out_.size();
    StartChain();
  }

  // Parentheses stay in the parameter list of a lambda, inside one, and in a pointer to function; elsewhere they hold a
  // parameter list or the type of a constant: "foo(int)", "(bool)1".
  bool KeepsParentheses() {
    if (depth() == 0) return false;
    return top().close != '>' || out_.ends_with('\'') || rest().starts_with("(*)") || rest().starts_with("(&)");
  }

  // Counts only parentheses: what else is inside does not matter, balanced or not.
  void DropParentheses() {
    std::size_t open = 0;
    do {
      if (in_[at_] == '(') ++open;
      if (in_[at_] == ')') --open;
      ++at_;
    } while (open > 0 && at_ < in_.size());
    after_parameters_ = true;
  }

  void DropRest() { at_ = in_.size(); }

  void Qualify(bool after_parameters) {
    at_ += 2;
    if (out_.size() == top().chain) return;  // "::global"
    const char next = at_ < in_.size() ? in_[at_] : '\0';
    if (next == '{' || next == '[' || next == '\'') return EnterLambda();
    const bool in_namespace = IsIdentifier(out_.back()) && !after_parameters;
    // The first qualifier stays until a second shows that there are several.
    if (depth() > 0 && in_namespace && ++top().qualifiers >= 2) {
      out_.resize(top().chain);
    } else {
      out_ += "::";
    }
  }

  void EnterLambda() {
    constexpr std::string_view kCall = "::operator()";
    if (top().function_end != kNone) {
      out_.resize(top().function_end);
    } else if (out_.ends_with(kCall)) {
      out_.resize(out_.size() - kCall.size());
    }
    top().function_end = out_.size();
    out_ += "::";
  }

  bool SkipAnonymousNamespace() {
    for (const std::string_view spelling : kAnonymousNamespaces) {
      if (!rest().starts_with(spelling)) continue;
      at_ += spelling.size();
      return true;
    }
    return false;
  }

  // EDG writes the return type of a function that a template argument is local to.
  bool SkipReturnType() {
    if (!at_argument_start() || !rest().starts_with(kReturnsNothing) || rest().starts_with("void (")) return false;
    at_ += kReturnsNothing.size();
    return true;
  }

  bool SkipConst() {
    constexpr std::string_view kConst = " const";
    if (!rest().starts_with(kConst)) return false;
    at_ += kConst.size();
    after_parameters_ = true;
    return true;
  }

  // "operator" and its symbol, so that operator< and operator() are not read as brackets.
  bool CopyOperatorName() {
    constexpr std::string_view kOperator = "operator";
    if (!rest().starts_with(kOperator) || (!out_.empty() && IsIdentifier(out_.back()))) return false;
    std::size_t symbol = at_ + kOperator.size();
    if (symbol < in_.size() && in_[symbol] == ' ') ++symbol;
    if (symbol >= in_.size()) return false;
    std::size_t length = kShortOperators.find(in_[symbol]) != kNone ? 1 : 0;
    for (const std::string_view spelling : kLongOperators) {
      if (in_.substr(symbol).starts_with(spelling)) length = std::max(length, spelling.size());
    }
    if (length == 0) return false;
    out_.append(kOperator).append(in_.substr(symbol, length));
    at_ = symbol + length;
    return true;
  }

  std::string_view in_;
  std::size_t at_ = 0;
  std::string out_;
  std::vector<Frame> frames_;
  bool after_parameters_ = false;  // the last thing read was a dropped parameter list
};

bool IsUtf8Continuation(char c) { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

// Head and tail: the tail of a kernel name holds the types that tell it from its siblings.
std::string Capped(std::string name) {
  constexpr std::string_view kGap = "...";
  if (name.size() <= kLongestShort) return name;
  std::size_t head = kLongestShort * 5 / 8;
  std::size_t tail = name.size() - (kLongestShort - head - kGap.size());
  while (head > 0 && IsUtf8Continuation(name[head])) --head;
  while (tail < name.size() && IsUtf8Continuation(name[tail])) ++tail;
  name.replace(head, tail - head, kGap);
  return name;
}

}  // namespace

std::string ShortKernelName(std::string_view demangled) {
  std::string_view name = demangled.substr(0, kLongestRead);
  if (name.size() > kReturnsNothing.size() && name.starts_with(kReturnsNothing)) name.remove_prefix(kReturnsNothing.size());
  Shortener shortener(name);
  return Capped(shortener.Run() ? shortener.Take() : std::string(demangled.substr(0, kLongestRead)));
}

std::string_view WithoutNamespaces(std::string_view name) {
  std::size_t begin = 0;
  for (std::size_t at = 0; at < name.size() && (IsIdentifier(name[at]) || name[at] == ':'); ++at) {
    const bool qualifier_ends = at > 0 && name[at] == ':' && name[at - 1] == ':';
    if (qualifier_ends && at + 1 < name.size() && IsIdentifier(name[at + 1])) begin = at + 1;
  }
  return name.substr(begin);
}

}  // namespace warpsight
