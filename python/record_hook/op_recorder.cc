// PyTorch's ops as ranges of the recorder: a callback that PyTorch runs around every op, with the sizes and types of its
// operands. Costs a fraction of PyTorch's NVTX emitter, follows every thread, and leaves torch.profiler free for the
// program.
//
// Place in the flow: warpsight_op_recorder.py builds this once for each PyTorch, with that one's headers, and loads it into
// the recorded program; texts go to the recorder by warpsight/recorder.h and are read by src/formats/op_range_name. While
// nothing is recorded a callback costs two loads. Errors: none leaves for the program. Threads: any.
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

// CUDA loads the recorder with its first use, which may be late: asked for at the first calls and every 64th.
const Functions* Recorder() {
  if (const Functions* const functions = found.load(std::memory_order_acquire)) return functions;
  const uint32_t call = calls.fetch_add(1, std::memory_order_relaxed);
  return call < 4096 || call % 64 == 0 ? FindRecorder() : nullptr;
}

void Append(std::string& text, int64_t number) {
  char digits[24];
  text.append(digits, std::to_chars(digits, digits + sizeof(digits), number).ptr);
}

bool HasSizes(const at::Tensor& tensor) { return tensor.defined() && !tensor.is_nested(); }

// "[2, 4]"; "[]" of what has no sizes, as torch.profiler writes them.
void AppendSizes(std::string& text, const at::Tensor& tensor) {
  text += '[';
  if (HasSizes(tensor)) {
    bool first = true;
    for (const int64_t size : tensor.sizes()) {
      if (!first) text += ", ";
      first = false;
      Append(text, size);
    }
  }
  text += ']';
}

void AppendSizes(std::string& text, const c10::IValue& operand) {
  if (operand.isTensor()) return AppendSizes(text, operand.toTensor());
  text += '[';
  if (operand.isTensorList()) {
    bool first = true;
    for (const at::Tensor& tensor : operand.toTensorVector()) {
      if (!first) text += ", ";
      first = false;
      AppendSizes(text, tensor);
    }
  }
  text += ']';
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

template <typename Put>
void AppendList(std::string& text, const char* key, c10::ArrayRef<const c10::IValue> operands, const Put& put) {
  text += key;
  text += '[';
  for (size_t i = 0; i < operands.size(); ++i) {
    if (i != 0) text += ", ";
    put(text, operands[i]);
  }
  text += ']';
}

// A user's record_function is a range by its name, everything else an op.
void MakeText(const at::RecordFunction& op, std::string& text) {
  text = op.name();
  if (op.scope() == at::RecordScope::USER_SCOPE) return;
  if (op.seqNr() >= 0) {
    text += ", seq = ";
    Append(text, op.seqNr());
  }
  // Of a backward function: by PyTorch's number, the thread of the forward op of that sequence number.
  if (op.forwardThreadId() != 0) {
    text += ", fwd_thread = ";
    Append(text, static_cast<int64_t>(op.forwardThreadId()));
  }
  AppendList(text, ", sizes = ", op.inputs(), [](std::string& to, const c10::IValue& operand) { AppendSizes(to, operand); });
  AppendList(text, ", types = ", op.inputs(), AppendType);
}

struct Pushed final : at::ObserverContext {};

// Ops that may end on another thread nest in nothing.
std::unique_ptr<at::ObserverContext> Begin(const at::RecordFunction& op) {
  const Functions* const recorder = Recorder();
  if (recorder == nullptr || recorder->recording() == 0 || op.isAsync()) return nullptr;
  try {
    thread_local std::string text;
    try {
      MakeText(op, text);
    } catch (const std::exception&) {  // sizes that are no numbers
      text = op.name();
      text += ", sizes = []";
    }
    auto pushed = std::make_unique<Pushed>();
    recorder->push(text.c_str());
    return pushed;
  } catch (const std::exception&) {
    return nullptr;
  }
}

void End(const at::RecordFunction& /*op*/, at::ObserverContext* pushed) {
  if (pushed != nullptr) found.load(std::memory_order_relaxed)->pop();
}

}  // namespace

// Once a process.
extern "C" __attribute__((visibility("default"))) void WarpsightFollowOps() {
  at::addGlobalCallback(at::RecordFunctionCallback(Begin, End).needsInputs(true));
}
