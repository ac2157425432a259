#include "analysis/tensor_shapes.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

namespace warpsight {
namespace {

// By ElementType.
constexpr std::array<int64_t, 12> kBytes = {0, 1, 1, 2, 4, 8, 1, 2, 2, 4, 8, 8};

// Words of PyTorch's recorder (C++ type names of the operands) and of kernel names.
constexpr std::pair<std::string_view, ElementType> kWords[] = {
    {"c10::Half", ElementType::kFp16},
    {"c10::BFloat16", ElementType::kBf16},
    {"float", ElementType::kFp32},
    {"double", ElementType::kFp64},
    {"long int", ElementType::kInt64},
    {"long", ElementType::kInt64},
    {"int64_t", ElementType::kInt64},
    {"long long", ElementType::kInt64},
    {"unsigned long", ElementType::kInt64},
    {"__int64", ElementType::kInt64},
    {"int", ElementType::kInt32},
    {"unsigned int", ElementType::kInt32},
    {"short", ElementType::kInt16},
    {"short int", ElementType::kInt16},
    {"unsigned short", ElementType::kInt16},
    {"signed char", ElementType::kInt8},
    {"unsigned char", ElementType::kInt8},
    {"char", ElementType::kInt8},
    {"bool", ElementType::kBool},
    {"c10::Float8_e4m3fn", ElementType::kFp8},
    {"c10::Float8_e5m2", ElementType::kFp8},
    {"c10::Float8_e4m3fnuz", ElementType::kFp8},
    {"c10::Float8_e5m2fnuz", ElementType::kFp8},
    {"c10::Float8_e8m0fnu", ElementType::kFp8},
    {"c10::complex<float>", ElementType::kComplex},
    {"half", ElementType::kFp16},
    {"__half", ElementType::kFp16},
    {"__nv_bfloat16", ElementType::kBf16},
    {"__hip_bfloat16", ElementType::kBf16},
    {"c10::quint8", ElementType::kInt8},
    {"c10::qint8", ElementType::kInt8},
};

// Walks a text of nested brackets, numbers and quoted words.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : text_(text) {}

  char Peek() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == ',' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
    return at_ < text_.size() ? text_[at_] : '\0';
  }
  bool Take(char wanted) {
    if (Peek() != wanted) return false;
    ++at_;
    return true;
  }
  std::optional<int64_t> Number() {
    Peek();
    int64_t value = 0;
    const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), value);
    if (error != std::errc()) return std::nullopt;
    at_ = static_cast<size_t>(end - text_.data());
    return value;
  }
  // A quoted word, without its quotes; recorders escape nothing in type names.
  std::optional<std::string_view> Word() {
    if (!Take('"')) return std::nullopt;
    const size_t end = text_.find('"', at_);
    if (end == std::string_view::npos) return std::nullopt;
    const std::string_view word = text_.substr(at_, end - at_);
    at_ = end + 1;
    return word;
  }
  // Past the value that begins here, of whatever kind.
  bool Skip() {
    if (Peek() == '"') return Word().has_value();
    if (Take('[')) {
      while (!Take(']')) {
        if (Peek() == '\0' || !Skip()) return false;
      }
      return true;
    }
    const size_t from = at_;
    while (at_ < text_.size() && std::string_view(",[] \"").find(text_[at_]) == std::string_view::npos) ++at_;
    return at_ > from;
  }

 private:
  std::string_view text_;
  size_t at_ = 0;
};

constexpr double kMostElements = 0x1p60;  // in one tensor; no memory holds more, and counts stay finite
constexpr size_t kMostTensors = 4096;     // in one op; more is no recording of an op

// What follows a '[': dims up to its ']'. False when it is no list of sizes.
bool ReadDims(Cursor& cursor, std::vector<int64_t>& dims) {
  while (!cursor.Take(']')) {
    const std::optional<int64_t> size = cursor.Number();
    if (!size || *size < 0 || dims.size() > 64) return false;
    dims.push_back(*size);
  }
  return TensorShape{dims, ElementType::kUnknown}.elements() <= kMostElements;
}

// One entry of the shapes: sizes, or a list of them.
bool ReadOperand(Cursor& cursor, Operand& operand) {
  if (cursor.Peek() != '[') return cursor.Skip();
  cursor.Take('[');
  if (cursor.Peek() == '[') {
    operand.kind = Operand::Kind::kList;
    while (!cursor.Take(']')) {
      TensorShape tensor;
      if (!cursor.Take('[') || !ReadDims(cursor, tensor.dims) || operand.tensors.size() >= kMostTensors) return false;
      operand.tensors.push_back(std::move(tensor));
    }
    return true;
  }
  TensorShape tensor;
  if (!ReadDims(cursor, tensor.dims)) return false;
  operand.kind = Operand::Kind::kTensor;
  operand.tensors.push_back(std::move(tensor));
  return true;
}

void SetType(std::string_view word, Operand& operand) {
  const ElementType type = ParseElementType(word);
  if (operand.kind == Operand::Kind::kList) {
    for (TensorShape& tensor : operand.tensors) tensor.type = type;
    return;
  }
  if (word == "TensorList") {  // with [] for its shapes: left out by the recorder, or empty
    operand = {Operand::Kind::kList, {}};
    return;
  }
  if (operand.kind != Operand::Kind::kTensor) return;
  const bool no_dims = operand.tensors[0].dims.empty();
  if (no_dims && type == ElementType::kUnknown) {
    operand = {word.empty() ? Operand::Kind::kNone : Operand::Kind::kScalar, {}};
    return;
  }
  operand.tensors[0].type = type;
}

}  // namespace

int64_t BytesOf(ElementType type) { return kBytes[static_cast<size_t>(type)]; }

ElementType ParseElementType(std::string_view word) {
  const auto found =
      std::find_if(std::begin(kWords), std::end(kWords), [&](const auto& entry) { return entry.first == word; });
  return found == std::end(kWords) ? ElementType::kUnknown : found->second;
}

ElementType Promote(ElementType a, ElementType b) {
  const auto [low, high] = std::minmax(a, b);
  // The two half types have no common half type; the order of the enumeration is that of promotion else.
  if (low == ElementType::kFp16 && high == ElementType::kBf16) return ElementType::kFp32;
  return high;
}

double TensorShape::elements() const {
  double count = 1;
  for (const int64_t size : dims) count *= static_cast<double>(size);
  return count;
}

std::optional<Operands> ParseOperands(std::string_view shapes, std::string_view types) {
  Cursor cursor(shapes);
  if (!cursor.Take('[')) return std::nullopt;
  Operands operands;
  while (!cursor.Take(']')) {
    Operand operand;
    if (operands.size() >= kMostTensors || !ReadOperand(cursor, operand)) return std::nullopt;
    operands.push_back(std::move(operand));
  }
  Cursor type_cursor(types);
  const bool has_types = type_cursor.Take('[');
  for (Operand& operand : operands) {
    const std::optional<std::string_view> word = has_types && type_cursor.Peek() == '"' ? type_cursor.Word() : std::nullopt;
    // Without a type nothing tells a scalar from a 0-dimensional tensor: both weigh nothing.
    SetType(word.value_or(""), operand);
  }
  return operands;
}

std::optional<std::vector<int64_t>> Broadcast(const std::vector<int64_t>& a, const std::vector<int64_t>& b) {
  const std::vector<int64_t>& longer = a.size() >= b.size() ? a : b;
  const std::vector<int64_t>& shorter = a.size() >= b.size() ? b : a;
  std::vector<int64_t> dims = longer;
  const size_t offset = longer.size() - shorter.size();
  for (size_t i = 0; i < shorter.size(); ++i) {
    int64_t& size = dims[offset + i];
    if (size == shorter[i] || shorter[i] == 1) continue;
    if (size != 1) return std::nullopt;
    size = shorter[i];
  }
  return dims;
}

}  // namespace warpsight
