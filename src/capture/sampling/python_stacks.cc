#include "capture/sampling/python_stacks.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <exception>
#include <utility>

#include "capture/call_follower.h"
#include "capture/loaded_function.h"
#include "capture/sampling/unwind_table.h"

namespace warpsight::capture::sampling {

// Declared by their use of pointers alone: every version from 3.9 on has them so.
struct PythonApi {
  int (*Py_IsInitialized)();
  int (*Py_AddPendingCall)(int (*call)(void*), void* argument);
  void* (*PyEval_GetFrame)();       // borrowed
  void* (*PyFrame_GetBack)(void*);  // new, or null
  void* (*PyFrame_GetCode)(void*);  // new
  void* (*PyObject_GetAttrString)(void*, const char*);
  const char* (*PyUnicode_AsUTF8AndSize)(void*, ssize_t*);
  long (*PyLong_AsLong)(void*);
  unsigned long (*PyLong_AsUnsignedLong)(void*);
  void (*PyErr_Clear)();
  void (*Py_IncRef)(void*);
  void (*Py_DecRef)(void*);
  void* (*PySys_GetObject)(const char*);  // borrowed
  void* (*PyObject_CallObject)(void*, void*);
  int (*PyDict_Next)(void*, ssize_t*, void**, void**);
  void* (*PyImport_ImportModule)(const char*);
  void* (*PyCFunction_NewEx)(void* method, void* self, void* module);
  void* (*PyObject_CallFunctionObjArgs)(void*, ...);
  void* (*PyInterpreterState_Main)();
  void* _PyEval_EvalFrameDefault;
  void* _Py_NoneStruct;
  void (*_PyEval_SignalReceived)(void* interpreter);  // null from 3.13 on
  void* interpreter;
};

namespace {

constexpr size_t kMostFunctions = 16384;
constexpr size_t kMostAnswers = 1024;  // that the writer has not fetched
constexpr int64_t kPartOfPeriod = 8;   // of the samples

// As in methodobject.h.
struct Method {
  const char* name;
  void* (*function)(void* self, void* none);
  int flags;
  const char* text;
};
constexpr int kNoArguments = 4;

bool FindAll(PythonApi& api) {
  const auto find = [](const char* name, auto& function) { return FindFunction(RTLD_DEFAULT, name, function); };
#define WARPSIGHT_FIND(name) find(#name, api.name)
  return WARPSIGHT_FIND(Py_AddPendingCall) && WARPSIGHT_FIND(PyEval_GetFrame) && WARPSIGHT_FIND(PyFrame_GetBack) &&
         WARPSIGHT_FIND(PyFrame_GetCode) && WARPSIGHT_FIND(PyObject_GetAttrString) &&
         WARPSIGHT_FIND(PyUnicode_AsUTF8AndSize) && WARPSIGHT_FIND(PyLong_AsLong) && WARPSIGHT_FIND(PyLong_AsUnsignedLong) &&
         WARPSIGHT_FIND(PyErr_Clear) && WARPSIGHT_FIND(Py_IncRef) && WARPSIGHT_FIND(Py_DecRef) &&
         WARPSIGHT_FIND(PySys_GetObject) && WARPSIGHT_FIND(PyObject_CallObject) && WARPSIGHT_FIND(PyDict_Next) &&
         WARPSIGHT_FIND(PyImport_ImportModule) && WARPSIGHT_FIND(PyCFunction_NewEx) &&
         WARPSIGHT_FIND(PyObject_CallFunctionObjArgs) && WARPSIGHT_FIND(_PyEval_EvalFrameDefault) &&
         WARPSIGHT_FIND(PyInterpreterState_Main) && WARPSIGHT_FIND(_Py_NoneStruct);
#undef WARPSIGHT_FIND
}

uintptr_t BytesOfFunction(const void* function) {
  Dl_info info = {};
  ElfW(Sym)* symbol = nullptr;
  if (dladdr1(function, &info, reinterpret_cast<void**>(&symbol), RTLD_DL_SYMENT) != 0 && symbol != nullptr &&
      symbol->st_size != 0)
    return symbol->st_size;
  CodeObject object;
  uintptr_t begin = 0;
  uintptr_t end = 0;
  const auto address = reinterpret_cast<uintptr_t>(function);
  return FindCodeObject(address, object) && FindBounds(object, address, begin, end) ? end - address : 0;
}

// An attribute that is a text; empty when there is none.
std::string TextOf(const PythonApi& api, void* object, const char* attribute) {
  void* const value = api.PyObject_GetAttrString(object, attribute);
  ssize_t size = 0;
  const char* const text = value == nullptr ? nullptr : api.PyUnicode_AsUTF8AndSize(value, &size);
  std::string copy = text == nullptr ? std::string() : std::string(text, static_cast<size_t>(size));
  if (text == nullptr) api.PyErr_Clear();
  if (value != nullptr) api.Py_DecRef(value);
  return copy;
}

PythonStacks::Function FunctionOf(const PythonApi& api, void* code) {
  PythonStacks::Function function;
  std::string name = TextOf(api, code, "co_qualname");  // since 3.11
  if (name.empty()) name = TextOf(api, code, "co_name");
  function.file = TextOf(api, code, "co_filename");
  void* const line = api.PyObject_GetAttrString(code, "co_firstlineno");
  const long number = line == nullptr ? 0 : api.PyLong_AsLong(line);
  if (line != nullptr) api.Py_DecRef(line);
  api.PyErr_Clear();
  const size_t slash = function.file.rfind('/');
  const std::string base = slash == std::string::npos ? function.file : function.file.substr(slash + 1);
  function.text = name + " (" + base + ":" + std::to_string(number) + ")";
  return function;
}

}  // namespace

PythonStacks::PythonStacks(uint32_t hz, const StackRing& ring, Note note)
    : wanted_(hz != 0),
      pause_(std::chrono::nanoseconds(1'000'000'000 / kPartOfPeriod / (hz == 0 ? 1 : hz))),
      ring_(ring),
      note_(std::move(note)),
      process_(getpid()) {
  sem_init(&wake_, 0, 0);
}

PythonStacks::~PythonStacks() { Stop(); }

void PythonStacks::Follow() {
  if (!wanted_ || given_up_ || thread_.joinable()) return;
  if (!FindInterpreter()) return;
  try {
    // Signals are blocked in it as they are in the writer.
    thread_ = std::thread([this] { Run(); });
    pthread_setname_np(thread_.native_handle(), "warpsight-py");
  } catch (const std::exception&) {
    given_up_ = true;
    return;
  }
  if (api_->_PyEval_SignalReceived != nullptr) sem_post(&wake_);
  loop_bytes_.store(BytesOfFunction(api_->_PyEval_EvalFrameDefault), std::memory_order_relaxed);
  loop_begin_.store(reinterpret_cast<uintptr_t>(api_->_PyEval_EvalFrameDefault), std::memory_order_release);
}

bool PythonStacks::FindInterpreter() {
  int (*is_initialised)() = nullptr;
  const bool is_there = FindFunction(RTLD_DEFAULT, "Py_IsInitialized", is_initialised) && is_initialised() != 0;
  if (is_there) {
    api_ = new PythonApi{};
    api_->Py_IsInitialized = is_initialised;
    given_up_ = !FindAll(*api_);
    FindFunction(RTLD_DEFAULT, "_PyEval_SignalReceived", api_->_PyEval_SignalReceived);
    if (!given_up_) api_->interpreter = api_->PyInterpreterState_Main();
    if (given_up_) note_("Python stacks are not sampled: the program's Python is older than 3.9, or hides its functions");
  }
  dlerror();
  return is_there && !given_up_;
}

void PythonStacks::Run() {
  IgnoreCallsOfThisThread();
  while (true) {
    while (sem_wait(&wake_) != 0 && errno == EINTR) continue;
    if (stopping_.load(std::memory_order_acquire)) return;
    // What is handed over while the interpreter still makes calls is made at once, and so would the next be.
    if (api_->_PyEval_SignalReceived != nullptr) std::this_thread::sleep_for(pause_);
    const std::lock_guard lock(calls_mutex_);
    if (is_over_ || lies_ready_ || api_->Py_IsInitialized() == 0) continue;
    lies_ready_.store(true, std::memory_order_release);
    // Its list may be full: then the next sample asks again.
    if (api_->Py_AddPendingCall(&OnSafePlace, this) != 0) lies_ready_.store(false, std::memory_order_release);
  }
}

void PythonStacks::AskFor(uint32_t thread) {
  const bool is_main = thread == static_cast<uint32_t>(process_);
  if (!is_main) others_.store(true, std::memory_order_relaxed);
  asked_.store(true, std::memory_order_release);
  if (!lies_ready_.load(std::memory_order_acquire)) {
    sem_post(&wake_);
  } else if (is_main && api_->_PyEval_SignalReceived != nullptr) {
    api_->_PyEval_SignalReceived(api_->interpreter);
  }
}

void PythonStacks::Stop() {
  loop_begin_.store(0, std::memory_order_release);
  if (!thread_.joinable() || process_ != getpid()) return;
  stopping_.store(true, std::memory_order_release);
  sem_post(&wake_);
  thread_.join();
}

// A forked child may have inherited a call that is none of its business.
int PythonStacks::OnSafePlace(void* self) {
  auto& stacks = *static_cast<PythonStacks*>(self);
  if (stacks.process_ != getpid()) return 0;
  const int error = errno;
  try {
    stacks.Collect();
  } catch (const std::exception&) {
    // No memory: these samples have no Python functions.
  }
  errno = error;
  return 0;
}

void PythonStacks::Collect() {
  lies_ready_.store(false, std::memory_order_release);
  if (!std::exchange(end_is_followed_, true)) FollowEnd();
  if (asked_.exchange(false, std::memory_order_seq_cst)) {
    const uint64_t before = ring_.next_number();
    const auto own = static_cast<uint64_t>(pthread_self());
    AddAnswer(api_->PyEval_GetFrame(), false, own, before);
    if (others_.exchange(false, std::memory_order_relaxed)) CollectOthers(own, before);
  }
  if (api_->_PyEval_SignalReceived != nullptr) sem_post(&wake_);
}

void PythonStacks::CollectOthers(uint64_t own, uint64_t before) {
  void* const function = api_->PySys_GetObject("_current_frames");
  void* const frames = function == nullptr ? nullptr : api_->PyObject_CallObject(function, nullptr);
  if (frames == nullptr) return api_->PyErr_Clear();
  ssize_t place = 0;
  void* key = nullptr;
  void* frame = nullptr;
  while (api_->PyDict_Next(frames, &place, &key, &frame) != 0) {
    const uint64_t ident = api_->PyLong_AsUnsignedLong(key);
    if (ident != own) AddAnswer(frame, false, ident, before);
  }
  api_->PyErr_Clear();
  api_->Py_DecRef(frames);
}

void PythonStacks::AddAnswer(void* frame, bool owned, uint64_t ident, uint64_t before) {
  Answer answer;
  answer.ident = ident;
  answer.before = before;
  while (frame != nullptr && answer.functions.size() < kMostFrames) {
    void* const code = api_->PyFrame_GetCode(frame);
    answer.functions.push_back(NumberOf(code));
    api_->Py_DecRef(code);
    void* const caller = api_->PyFrame_GetBack(frame);
    if (owned) api_->Py_DecRef(frame);
    frame = caller;
    owned = true;
  }
  if (owned && frame != nullptr) api_->Py_DecRef(frame);
  if (answer.functions.empty()) return;
  std::reverse(answer.functions.begin(), answer.functions.end());
  const std::lock_guard lock(mutex_);
  if (answers_.size() < kMostAnswers) answers_.push_back(std::move(answer));
}

uint32_t PythonStacks::NumberOf(void* code) {
  const auto found = known_.find(code);
  if (found != known_.end()) return found->second;
  // The last number is that of all that are not known.
  const bool is_full = known_.size() >= kMostFunctions;
  if (is_full && functions_ > kMostFunctions) return functions_ - 1;
  Function function = is_full ? Function{"[more Python functions than are kept]", ""} : FunctionOf(*api_, code);
  if (!is_full) {
    known_.emplace(code, functions_);
    api_->Py_IncRef(code);  // so that no other comes to lie there
  }
  const std::lock_guard lock(mutex_);
  new_functions_.push_back(std::move(function));
  return functions_++;
}

// Before the interpreter is taken down it runs what atexit holds.
void PythonStacks::FollowEnd() {
  static Method method = {"warpsight_stops_sampling", &OnInterpreterEnd, kNoArguments, nullptr};
  static std::atomic<PythonStacks*> followed{nullptr};
  followed.store(this);
  method.function = [](void* none, void*) -> void* { return OnInterpreterEnd(followed.load(), none); };
  void* const atexit = api_->PyImport_ImportModule("atexit");
  void* const add = atexit == nullptr ? nullptr : api_->PyObject_GetAttrString(atexit, "register");
  void* const end = add == nullptr ? nullptr : api_->PyCFunction_NewEx(&method, nullptr, nullptr);
  void* const added = end == nullptr ? nullptr : api_->PyObject_CallFunctionObjArgs(add, end, nullptr);
  for (void* const object : {atexit, add, end, added}) {
    if (object != nullptr) api_->Py_DecRef(object);
  }
  api_->PyErr_Clear();
}

void* PythonStacks::OnInterpreterEnd(void* self, void*) {
  auto& stacks = *static_cast<PythonStacks*>(self);
  if (stacks.process_ == getpid()) {
    stacks.loop_begin_.store(0, std::memory_order_release);
    const std::lock_guard lock(stacks.calls_mutex_);
    stacks.is_over_ = true;
  }
  stacks.api_->Py_IncRef(stacks.api_->_Py_NoneStruct);
  return stacks.api_->_Py_NoneStruct;
}

void PythonStacks::Take(std::vector<Function>& functions, std::vector<Answer>& answers) {
  const std::lock_guard lock(mutex_);
  for (Function& function : new_functions_) functions.push_back(std::move(function));
  for (Answer& answer : answers_) answers.push_back(std::move(answer));
  new_functions_.clear();
  answers_.clear();
}

}  // namespace warpsight::capture::sampling
