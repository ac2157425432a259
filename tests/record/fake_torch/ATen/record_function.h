// What python/record_hook/op_recorder.cc takes of PyTorch's header of this name, for tests without PyTorch: operands that
// are made by hand, and callbacks that RunOp calls as PyTorch does.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace c10 {

template <typename T>
class ArrayRef {
 public:
  ArrayRef(const T* data, size_t size) : data_(data), size_(size) {}
  size_t size() const { return size_; }
  const T& operator[](size_t i) const { return data_[i]; }
  const T* begin() const { return data_; }
  const T* end() const { return data_ + size_; }

 private:
  const T* data_;
  size_t size_;
};

}  // namespace c10

namespace at {

struct Type {
  std::string text;
  std::string_view name() const { return text; }
};

struct TensorImpl {
  bool symbolic = false;
  bool has_symbolic_sizes_strides() const { return symbolic; }
};

class Tensor {
 public:
  Tensor() = default;
  Tensor(std::vector<int64_t> sizes, std::string type) : defined_(true), sizes_(std::move(sizes)), type_{std::move(type)} {}
  bool defined() const { return defined_; }
  bool is_nested() const { return nested; }
  c10::ArrayRef<int64_t> sizes() const {
    if (impl.symbolic || refuses) throw std::runtime_error("no sizes");
    return {sizes_.data(), sizes_.size()};
  }
  const Type& dtype() const { return type_; }
  const TensorImpl* unsafeGetTensorImpl() const { return &impl; }
  TensorImpl impl;
  bool nested = false;
  bool refuses = false;

 private:
  bool defined_ = false;
  std::vector<int64_t> sizes_;
  Type type_;
};

}  // namespace at

namespace c10 {

class IValue {
 public:
  enum Kind { kTensor, kTensorList, kScalar, kNone };
  IValue(at::Tensor tensor) : kind_(kTensor), tensors_{std::move(tensor)} {}
  IValue(std::vector<at::Tensor> tensors) : kind_(kTensorList), tensors_(std::move(tensors)) {}
  explicit IValue(Kind kind) : kind_(kind) {}
  bool isTensor() const { return kind_ == kTensor; }
  bool isTensorList() const { return kind_ == kTensorList; }
  bool isScalar() const { return kind_ == kScalar; }
  at::Tensor toTensor() const { return tensors_.front(); }
  std::vector<at::Tensor> toTensorVector() const { return tensors_; }

 private:
  Kind kind_;
  std::vector<at::Tensor> tensors_;
};

}  // namespace c10

namespace at {

enum class RecordScope : uint8_t { FUNCTION, BACKWARD_FUNCTION, USER_SCOPE };

struct ObserverContext {
  virtual ~ObserverContext() = default;

 protected:
  ObserverContext() = default;
};

inline uint64_t current_thread = 1;

struct RecordFunction {
  const char* text = "";
  std::vector<c10::IValue> operands;
  int64_t sequence = -1;
  uint64_t forward_thread = 0;
  RecordScope of = RecordScope::FUNCTION;

  const char* name() const { return text; }
  c10::ArrayRef<const c10::IValue> inputs() const { return {operands.data(), operands.size()}; }
  int64_t seqNr() const { return sequence; }
  uint64_t forwardThreadId() const { return forward_thread; }
  RecordScope scope() const { return of; }
  uint64_t threadId() const { return thread; }
  static uint64_t currentThreadId() { return current_thread; }
  uint64_t thread = current_thread;
};

struct RecordFunctionCallback {
  using Start = std::unique_ptr<ObserverContext> (*)(const RecordFunction&);
  using End = void (*)(const RecordFunction&, ObserverContext*);
  RecordFunctionCallback(Start at_start, End at_end) : start(at_start), end(at_end) {}
  RecordFunctionCallback& needsInputs(bool needs) {
    with_inputs = needs;
    return *this;
  }
  Start start;
  End end;
  bool with_inputs = false;
};

inline std::vector<RecordFunctionCallback>& Callbacks() {
  static std::vector<RecordFunctionCallback> callbacks;
  return callbacks;
}

inline void addGlobalCallback(const RecordFunctionCallback& callback) { Callbacks().push_back(callback); }

// An op with `inside` of it.
inline void RunOp(
    const RecordFunction& op, const std::function<void()>& inside = [] {}) {
  std::vector<std::unique_ptr<ObserverContext>> contexts;
  for (const RecordFunctionCallback& one : Callbacks()) contexts.push_back(one.start(op));
  inside();
  for (size_t i = 0; i < contexts.size(); ++i) Callbacks()[i].end(op, contexts[i].get());
}

}  // namespace at
