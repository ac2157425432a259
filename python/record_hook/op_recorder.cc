// PyTorch's ops as ranges of the recorder: a callback that PyTorch runs around every op, with the sizes and types of its
// operands. Costs a fraction of PyTorch's NVTX emitter, follows every thread, and leaves torch.profiler free for the
// program.
//
// Place in the flow: warpsight_op_recorder.py builds this once for each PyTorch, with that one's headers, and loads it into
// the recorded program; texts go to the recorder by warpsight/recorder.h and are read by src/formats/op_range_name. While
// nothing is recorded no text is made, but PyTorch still gathers the operands. Errors: none leaves for the program. Threads:
// any.
#include <ATen/record_function.h>
#include <dlfcn.h>
#include <warpsight/recorder.h>

#include <atomic>
#include <charconv>
#include <exception>
#include <memory>
#include <string>

namespace {

using Functions = WarpsightRecorderFunctions;

std::atomic<const Functions*> found{nullptr};
std::atomic<uint32_t> calls{0};

const Functions* FindRecorder() {
  void* const library = dlopen(WARPSIGHT_RECORDER_LIBRARY, RTLD_NOW | RTLD_NOLOAD);
  if (library == nullptr) return nullptr;
  const auto function = reinterpret_cast<WarpsightRecorderFunction>(dlsym(library, WARPSIGHT_RECORDER_FUNCTION));
  const Functions* const functions = function == nullptr ? nullptr : function(WARPSIGHT_RECORDER_VERSION);
  found.store(functions, std::memory_order_release);
  return functions;
}

// The hook has loaded the recorder; should it not have, the driver does so in a later call: asked for now and then.
const Functions* Recorder() {
  if (const Functions* const functions = found.load(std::memory_order_acquire)) return functions;
  return calls.fetch_add(1, std::memory_order_relaxed) % 64 == 0 ? FindRecorder() : nullptr;
}

void Append(std::string& text, int64_t number) {
  char digits[24];
  text.append(digits, std::to_chars(digits, digits + sizeof(digits), number).ptr);
}

// Sizes that are symbols, while a graph is traced, are no numbers: asking for them would throw.
bool HasSizes(const at::Tensor& tensor) {
  return tensor.defined() && !tensor.is_nested() && !tensor.unsafeGetTensorImpl()->has_symbolic_sizes_strides();
}

template <typename List, typename Put>
void AppendList(std::string& text, const List& items, const Put& put) {
  text += '[';
  for (size_t i = 0; i < items.size(); ++i) {
    if (i != 0) text += ", ";
    put(text, items[i]);
  }
  text += ']';
}

// "[2, 4]"; "[]" of what has no sizes, as torch.profiler writes them.
void AppendSizesOfTensor(std::string& text, const at::Tensor& tensor) {
  if (HasSizes(tensor)) return AppendList(text, tensor.sizes(), Append);
  text += "[]";
}

void AppendSizes(std::string& text, const c10::IValue& operand) {
  constexpr size_t kMostTensorsOfList = 30;  // of longer lists torch.profiler writes nothing either
  if (operand.isTensor()) return AppendSizesOfTensor(text, operand.toTensor());
  if (operand.isTensorList()) {
    const auto& tensors = operand.toTensorVector();
    if (tensors.size() <= kMostTensorsOfList) return AppendList(text, tensors, AppendSizesOfTensor);
  }
  text += "[]";
}

void AppendType(std::string& text, const c10::IValue& operand) {
  text += '"';
  if (operand.isTensor()) {
    const at::Tensor& tensor = operand.toTensor();
    if (tensor.defined()) {
      const auto name = tensor.dtype().name();
      text.append(name.data(), name.size());
    }
  } else if (operand.isTensorList()) {
    text += "TensorList";
  } else if (operand.isScalar()) {
    text += "Scalar";
  }
  text += '"';
}

void AppendNumbers(std::string& text, const at::RecordFunction& op) {
  if (op.seqNr() >= 0) {
    text += ", seq = ";
    Append(text, op.seqNr());
  }
  // Of a backward function: by PyTorch's number, the thread of the forward op of that sequence number.
  if (op.forwardThreadId() != 0) {
    text += ", fwd_thread = ";
    Append(text, static_cast<int64_t>(op.forwardThreadId()));
  }
}

// False when they can't be asked, or are more than the recorder keeps of a text: a cut one would be no op's.
bool AppendOperands(std::string& text, const at::RecordFunction& op) {
  constexpr size_t kMostTextBytes = 12'000;
  try {
    AppendList(text += ", sizes = ", op.inputs(), AppendSizes);
    AppendList(text += ", types = ", op.inputs(), AppendType);
  } catch (const std::exception&) {
    return false;
  }
  return text.size() <= kMostTextBytes;
}

// A user's record_function is a range by its name, everything else an op.
std::string TextOf(const at::RecordFunction& op) {
  // Of no thread: ops may run while it ends, and inside of one another.
  std::string text;
  text.reserve(256);
  text = op.name();
  if (op.scope() == at::RecordScope::USER_SCOPE) return text;
  AppendNumbers(text, op);
  const size_t without_operands = text.size();
  if (AppendOperands(text, op)) return text;
  text.resize(without_operands);
  return text += ", sizes = []";
}

// Ranges of ours that are open on this thread.
thread_local int open_ranges = 0;

struct Pushed final : at::ObserverContext {
  int before = 0;  // ranges that were open then
};

std::unique_ptr<at::ObserverContext> Begin(const at::RecordFunction& op) {
  const Functions* const recorder = Recorder();
  if (recorder == nullptr || recorder->recording() == 0) return nullptr;
  try {
    auto pushed = std::make_unique<Pushed>();
    const std::string text = TextOf(op);
    recorder->push(text.c_str());
    pushed->before = open_ranges++;
    return pushed;
  } catch (const std::exception&) {
    return nullptr;
  }
}

// What is handed to a future ends on the future's thread, where its range is not: it ends with the one around it.
void End(const at::RecordFunction& op, at::ObserverContext* context) {
  if (context == nullptr || op.threadId() != at::RecordFunction::currentThreadId()) return;
  const Functions* const recorder = found.load(std::memory_order_relaxed);
  for (const int before = static_cast<Pushed*>(context)->before; open_ranges > before; --open_ranges) recorder->pop();
}

}  // namespace

// Once a process.
extern "C" __attribute__((visibility("default"))) void WarpsightFollowOps() {
  at::addGlobalCallback(at::RecordFunctionCallback(Begin, End).needsInputs(true));
}
