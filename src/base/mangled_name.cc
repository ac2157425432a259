#include "base/mangled_name.h"

#include <algorithm>
#include <cstdint>
#include <vector>

namespace warpsight {
namespace {

constexpr size_t kMostOutput = 64 * 1024;
constexpr int kMostDepth = 192;
constexpr std::string_view kGlobalNamespace = "_GLOBAL__N_";  // how compilers spell the anonymous namespace

struct Builtin {
  char code;
  std::string_view name;
  std::string_view suffix;  // of a literal
};
constexpr Builtin kBuiltins[] = {
    {'v', "void", ""},
    {'b', "bool", ""},
    {'c', "char", ""},
    {'a', "signed char", ""},
    {'h', "unsigned char", ""},
    {'s', "short", ""},
    {'t', "unsigned short", ""},
    {'i', "int", ""},
    {'j', "unsigned int", "u"},
    {'l', "long", "l"},
    {'m', "unsigned long", "ul"},
    {'x', "long long", "ll"},
    {'y', "unsigned long long", "ull"},
    {'n', "__int128", ""},
    {'o', "unsigned __int128", ""},
    {'f', "float", ""},
    {'d', "double", ""},
    {'e', "long double", ""},
    {'g', "__float128", ""},
    {'w', "wchar_t", ""},
    {'z', "...", ""},
};

const Builtin* FindBuiltin(char code) {
  const auto* found = std::ranges::find(kBuiltins, code, &Builtin::code);
  return found == std::end(kBuiltins) ? nullptr : found;
}

constexpr bool IsLengthDigit(char c) { return c >= '0' && c <= '9'; }

// Every Read... returns false when it met what it can't read; what was printed until then stays.
class Demangler {
 public:
  explicit Demangler(std::string_view in) : in_(in) {}

  std::string Run() {
    at_ = 2;
    ReadName();
    return std::move(out_);
  }

  std::optional<std::string> RunWithParameters() {
    at_ = 2;
    if (!ReadName()) return std::nullopt;
    while (at_ < in_.size() && peek() != '.') {
      if (!ReadType()) return std::nullopt;
    }
    return std::move(out_);
  }

 private:
  struct Range {
    size_t begin;
    size_t end;
  };
  class Depth {
   public:
    explicit Depth(int& depth) : depth_(depth) { ++depth_; }
    ~Depth() { --depth_; }
    bool too_deep() const { return depth_ > kMostDepth; }

   private:
    int& depth_;
  };

  char peek(size_t ahead = 0) const { return at_ + ahead < in_.size() ? in_[at_ + ahead] : '\0'; }
  bool Take(char c) {
    if (peek() != c) return false;
    ++at_;
    return true;
  }
  bool Take(std::string_view text) {
    if (!in_.substr(std::min(at_, in_.size())).starts_with(text)) return false;
    at_ += text.size();
    return true;
  }
  bool Print(std::string_view text) {
    if (out_.size() + text.size() > kMostOutput) return false;
    out_ += text;
    return true;
  }
  bool PrintCopy(Range range) {
    if (out_.size() + (range.end - range.begin) > kMostOutput) return false;
    out_ += out_.substr(range.begin, range.end - range.begin);
    return true;
  }
  void Remember(size_t begin) { substitutions_.push_back({begin, out_.size()}); }

  // <encoding> of something local to it: with parameters, up to the E.
  bool ReadEncoding() {
    if (!ReadName()) return false;
    if (peek() == 'E') return true;
    if (!Print("(")) return false;
    for (bool first = true; peek() != 'E'; first = false) {
      if (at_ >= in_.size() || (!first && !Print(", ")) || !ReadType()) return false;
    }
    return Print(")");
  }

  bool ReadName() {
    const Depth depth(depth_);
    if (depth.too_deep()) return false;
    if (peek() == 'N') return ReadNested();
    if (peek() == 'Z') return ReadLocal();
    const size_t begin = out_.size();
    bool known = false;  // a substitution is not remembered again
    if (peek() == 'S' && peek(1) != 't') {
      if (!ReadSubstitution()) return false;
      known = true;
    } else {
      if (Take("St") && !Print("std::")) return false;
      if (!ReadUnqualified()) return false;
    }
    if (peek() != 'I') return true;
    if (!known) Remember(begin);
    return ReadTemplateArguments();
  }

  bool ReadNested() {
    ++at_;
    while (peek() == 'r' || peek() == 'V' || peek() == 'K' || peek() == 'R' || peek() == 'O') ++at_;
    const size_t begin = out_.size();
    while (!Take('E')) {
      if (at_ >= in_.size()) return false;
      const bool substitution = peek() == 'S' && peek(1) != 't';
      if (peek() == 'I') {
        if (!ReadTemplateArguments()) return false;
      } else {
        if (out_.size() > begin && !Print("::")) return false;
        if (substitution) {
          if (!ReadSubstitution()) return false;
        } else if (Take("St")) {
          if (!Print("std")) return false;
          continue;  // "St" itself is no candidate
        } else if (peek() == 'T' || (peek() == 'D' && (peek(1) == 't' || peek(1) == 'T'))) {
          if (!ReadTemplateParameter()) return false;
        } else if (!ReadUnqualified()) {
          return false;
        }
      }
      if (!substitution && peek() != 'E') Remember(begin);
    }
    return true;
  }

  // Z <function> E <entity inside of it>
  bool ReadLocal() {
    ++at_;
    if (!ReadEncoding() || !Take('E')) return false;
    if (Take('s')) {
      ReadDiscriminator();
      return Print("::string literal");
    }
    if (Take('d')) {
      while (IsLengthDigit(peek())) ++at_;
      if (!Take('_')) return false;
    }
    if (!Print("::") || !ReadName()) return false;
    ReadDiscriminator();
    return true;
  }

  void ReadDiscriminator() {
    if (peek() != '_' || !(IsLengthDigit(peek(1)) || peek(1) == '_')) return;
    ++at_;
    if (Take('_')) {
      while (IsLengthDigit(peek())) ++at_;
      Take('_');
    } else {
      ++at_;
    }
  }

  bool ReadUnqualified() {
    if (peek() == 'L' && IsLengthDigit(peek(1))) ++at_;  // internal linkage
    if (IsLengthDigit(peek())) return ReadSourceName();
    if (peek() == 'U') return ReadUnnamed();
    if (peek() == 'C' || (peek() == 'D' && IsLengthDigit(peek(1)))) {
      at_ += 2;
      return Print("{constructor}");
    }
    if (Take("cl")) return Print("operator()");
    if (Take("cv")) return Print("operator ") && ReadType();
    // Other operators: two letters, which are as good as their symbol here.
    if (peek() >= 'a' && peek() <= 'z' && peek(1) != '\0') {
      at_ += 2;
      return Print("operator") && Print(in_.substr(at_ - 2, 2));
    }
    return false;
  }

  bool ReadSourceName() {
    size_t length = 0;
    while (IsLengthDigit(peek()) && length < in_.size()) length = length * 10 + static_cast<size_t>(in_[at_++] - '0');
    if (length == 0 || length > in_.size() - at_) return false;
    const std::string_view name = in_.substr(at_, length);
    at_ += length;
    if (!Print(name.starts_with(kGlobalNamespace) ? "(anonymous namespace)" : name)) return false;
    while (Take('B')) {  // ABI tag
      size_t tag = 0;
      while (IsLengthDigit(peek()) && tag < in_.size()) tag = tag * 10 + static_cast<size_t>(in_[at_++] - '0');
      if (tag == 0 || tag > in_.size() - at_) return false;
      at_ += tag;
    }
    return true;
  }

  // Ul <types> E [n] _ is a lambda, Ut [n] _ an unnamed type.
  bool ReadUnnamed() {
    const bool lambda = peek(1) == 'l';
    if (!lambda && peek(1) != 't') return false;
    at_ += 2;
    if (!Print(lambda ? "{lambda(" : "{unnamed")) return false;
    if (lambda) {
      for (bool first = true; !Take('E'); first = false) {
        if (at_ >= in_.size() || (!first && !Print(", "))) return false;
        if (Take('v')) continue;  // no parameters
        if (!ReadType()) return false;
      }
      if (!Print(")")) return false;
    }
    const size_t digits = at_;
    while (IsLengthDigit(peek())) ++at_;
    const std::string_view number = in_.substr(digits, std::min<size_t>(at_ - digits, 9));
    uint64_t which = 1;
    if (!number.empty()) {
      which = 0;
      for (const char c : number) which = which * 10 + static_cast<uint64_t>(c - '0');
      which += 2;
    }
    return Take('_') && Print("#") && Print(std::to_string(which)) && Print("}");
  }

  bool ReadSubstitution() {
    ++at_;
    switch (peek()) {
      case 'a':
        return Take('a') && Print("std::allocator");
      case 'b':
        return Take('b') && Print("std::basic_string");
      case 's':
        return Take('s') && Print("std::string");
      case 'i':
        return Take('i') && Print("std::istream");
      case 'o':
        return Take('o') && Print("std::ostream");
      case 'd':
        return Take('d') && Print("std::iostream");
      default:
        break;
    }
    size_t index = 0;
    if (!Take('_')) {
      for (; peek() != '_'; ++at_) {
        const char c = peek();
        const bool letter = c >= 'A' && c <= 'Z';
        if (!IsLengthDigit(c) && !letter) return false;
        index = index * 36 + static_cast<size_t>(letter ? c - 'A' + 10 : c - '0');
        if (index > in_.size()) return false;
      }
      ++at_;
      ++index;
    }
    return index < substitutions_.size() && PrintCopy(substitutions_[index]);
  }

  // Which argument it stands for is not looked up: it occurs in parameters, which are not printed for the kernel itself.
  bool ReadTemplateParameter() {
    if (!Take('T')) return false;
    while (IsLengthDigit(peek())) ++at_;
    return Take('_') && Print("T");
  }

  bool ReadTemplateArguments() {
    const Depth depth(depth_);
    return !depth.too_deep() && Take('I') && Print("<") && ReadArgumentsUntilEnd() && Print(">");
  }

  bool ReadArgumentsUntilEnd() {
    for (bool first = true; !Take('E'); first = false) {
      if (at_ >= in_.size() || (!first && !Print(", ")) || !ReadTemplateArgument()) return false;
    }
    return true;
  }

  bool ReadTemplateArgument() {
    const Depth depth(depth_);
    if (depth.too_deep()) return false;
    if (peek() == 'L') return ReadLiteral();
    if (peek() == 'J' || peek() == 'I') {  // a pack
      ++at_;
      return ReadArgumentsUntilEnd();
    }
    if (Take("Tn")) return ReadType() && Print(" ") && ReadTemplateArgument();
    if (Take('X')) return ReadExpression() && Take('E');
    return ReadType();
  }

  // Of expressions only a template parameter, a literal and the address of a function occur in kernel names.
  bool ReadExpression() {
    if (peek() == 'T') return ReadTemplateParameter();
    if (peek() == 'L') return ReadLiteral();
    return Take("ad") && Print("&") && ReadLiteral();
  }

  bool ReadLiteral() {
    ++at_;
    if (Take("_Z")) return ReadEncoding() && Take('E');
    std::string_view suffix;
    bool boolean = false;
    if (const Builtin* builtin = FindBuiltin(peek()); builtin != nullptr) {
      ++at_;
      boolean = builtin->code == 'b';
      suffix = builtin->suffix;
    } else if (!Print("(") || !ReadType() || !Print(")")) {
      return false;
    }
    const bool negative = Take('n');
    const size_t end = std::min(in_.find('E', at_), in_.size());
    const std::string_view value = in_.substr(at_, end - at_);
    at_ = end;
    if (!Take('E')) return false;
    if (boolean) return Print(value == "0" ? "false" : "true");
    return Print(negative ? "-" : "") && Print(value) && Print(suffix);
  }

  bool ReadType() {
    const Depth depth(depth_);
    if (depth.too_deep()) return false;
    const size_t begin = out_.size();
    if (const Builtin* builtin = FindBuiltin(peek()); builtin != nullptr) {
      ++at_;
      return Print(builtin->name);
    }
    switch (peek()) {
      case 'r':
      case 'V':
        ++at_;
        if (!ReadType()) return false;
        break;
      case 'K':
        if (!ReadSuffixed(" const")) return false;
        break;
      case 'P':
        if (!ReadSuffixed("*")) return false;
        break;
      case 'R':
        if (!ReadSuffixed("&")) return false;
        break;
      case 'O':
        if (!ReadSuffixed("&&")) return false;
        break;
      case 'C':
        if (!ReadSuffixed(" complex")) return false;
        break;
      case 'F':
        if (!ReadFunctionType()) return false;
        break;
      case 'A':
        ++at_;
        while (IsLengthDigit(peek())) ++at_;
        if (!Take('_') || !ReadType() || !Print("[]")) return false;
        break;
      case 'M':
        ++at_;
        if (!ReadType() || !Print("::*") || !ReadType()) return false;
        break;
      case 'u':
        ++at_;
        if (!ReadSourceName()) return false;
        break;
      case 'T':
        if (!ReadTemplateParameter()) return false;
        break;
      case 'D':
        return ReadExtendedType(begin);
      case 'S':
        if (peek(1) != 't') return ReadSubstitutedType(begin);
        [[fallthrough]];
      default:
        if (!ReadName()) return false;
        break;
    }
    Remember(begin);
    return true;
  }

  bool ReadSuffixed(std::string_view suffix) {
    ++at_;
    return ReadType() && Print(suffix);
  }

  bool ReadSubstitutedType(size_t begin) {
    if (!ReadSubstitution()) return false;
    if (peek() != 'I') return true;
    if (!ReadTemplateArguments()) return false;
    Remember(begin);
    return true;
  }

  bool ReadFunctionType() {
    ++at_;
    Take('Y');
    if (!ReadType() || !Print(" (")) return false;
    for (bool first = true; !Take('E'); first = false) {
      if (at_ >= in_.size() || (!first && !Print(", ")) || !ReadType()) return false;
    }
    return Print(")");
  }

  bool ReadExtendedType(size_t begin) {
    if (Take("Dn")) return Print("decltype(nullptr)");
    if (Take("Dh")) return Print("half");
    if (Take("DF16_")) return Print("_Float16");
    if (Take("DF16b")) return Print("__bf16");
    if (Take("Di")) return Print("char32_t");
    if (Take("Ds")) return Print("char16_t");
    if (Take("Da")) return Print("auto");
    if (!Take("Dp") || !ReadType()) return false;
    Remember(begin);
    return true;
  }

  std::string_view in_;
  size_t at_ = 0;
  int depth_ = 0;
  std::string out_;
  std::vector<Range> substitutions_;
};

}  // namespace

std::string Demangle(std::string_view mangled) {
  if (!mangled.starts_with("_Z")) return {};
  return Demangler(mangled).Run();
}

std::optional<std::string> DemangleWithParameters(std::string_view mangled) {
  if (!mangled.starts_with("_Z")) return std::nullopt;
  return Demangler(mangled).RunWithParameters();
}

}  // namespace warpsight
