// PythonStacks: the Python functions of samples that were taken in Python's interpreter.
//
// Place in the flow: sample_signal marks a sample as one in the interpreter's loop and asks -> the interpreter makes a call
// of ours at its next safe place (Py_AddPendingCall) -> there, on Python's main thread and with its lock, the stack is read
// by the interpreter's own functions, and of the other threads that were sampled as well -> the writer puts the answer and
// the sample together (CpuSampler). So a stack is that of the next safe place: the same, or that of a function just called.
//
// A call is handed over by a thread of ours, since that takes a lock. Up to 3.12 the interpreter does not look at a call
// that another thread than its main one has handed over before something else makes it look: there one call always lies
// ready, and the signal handler on the main thread says that a signal has come, as Python's own handler does
// (_PyEval_SignalReceived). From 3.13 on the thread hands a call over when it is asked.
//
// All functions are found in the process by name; nothing of Python is linked or run, but for one entry in atexit, which
// ends the asking before the interpreter is taken down. Python 3.9 and newer; older ones have no answer.
//
// Memory: 16384 functions at most are known, whose code objects are kept. Errors: a note. Threads: IsIn and AskFor in signal
// handlers; Follow, Take and Stop from the writer.
#pragma once

#include <semaphore.h>
#include <sys/types.h>

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <unordered_map>
#include <vector>

#include "capture/sampling/stack_ring.h"

namespace warpsight::capture::sampling {

struct PythonApi;  // the interpreter's functions

class PythonStacks {
 public:
  using Note = std::function<void(std::string text)>;
  // Of deeper stacks the innermost.
  static constexpr size_t kMostFrames = 256;

  struct Function {
    std::string text;  // "Model.forward (model.py:12)": where it is defined
    std::string file;
  };
  // The stack of a thread, for all of its samples with smaller numbers that had no answer before.
  struct Answer {
    uint64_t ident = 0;
    uint64_t before = 0;
    std::vector<uint32_t> functions;  // outermost first; numbers from 0 in the order in which Take gives them
  };

  // `hz`: samples a second, 0 = none are wanted.
  PythonStacks(uint32_t hz, const StackRing& ring, Note note);
  ~PythonStacks();

  // Looks for an interpreter, until there is one.
  void Follow();
  // Functions and answers that have come since the last call.
  void Take(std::vector<Function>& functions, std::vector<Answer>& answers);
  void Stop();

  // Whether the interpreter's loop is on the stack.
  bool IsIn(const uintptr_t* frames, size_t depth) const {
    const uintptr_t begin = loop_begin_.load(std::memory_order_acquire);
    if (begin == 0) return false;
    const uintptr_t bytes = loop_bytes_.load(std::memory_order_relaxed);
    for (size_t i = 0; i < depth; ++i) {
      if (frames[i] - begin < bytes) return true;
    }
    return false;
  }
  void AskFor(uint32_t thread);

 private:
  bool FindInterpreter();
  void Run();
  static int OnSafePlace(void* self);
  static void* OnInterpreterEnd(void* self, void* none);
  void Collect();
  void FollowEnd();
  void CollectOthers(uint64_t own, uint64_t before);
  void AddAnswer(void* frame, bool owned, uint64_t ident, uint64_t before);
  uint32_t NumberOf(void* code);

  const bool wanted_;
  const std::chrono::nanoseconds pause_;
  const StackRing& ring_;
  const Note note_;
  pid_t process_;
  bool given_up_ = false;
  PythonApi* api_ = nullptr;  // never freed: a call may still be queued
  std::thread thread_;

  // Of the signal handlers.
  std::atomic<uintptr_t> loop_begin_{0};
  std::atomic<uintptr_t> loop_bytes_{0};
  std::atomic<bool> lies_ready_{false};  // a call that the interpreter has not made
  std::atomic<bool> asked_{false};
  std::atomic<bool> others_{false};  // also for other threads than the main one
  std::atomic<bool> stopping_{false};
  sem_t wake_;

  std::mutex calls_mutex_;  // held while the interpreter is handed a call
  bool is_over_ = false;    // it takes none any more

  std::mutex mutex_;  // of the two below
  std::vector<Function> new_functions_;
  std::vector<Answer> answers_;

  // Of Python's main thread.
  bool end_is_followed_ = false;
  uint32_t functions_ = 0;
  std::unordered_map<void*, uint32_t> known_;  // by code object
};

}  // namespace warpsight::capture::sampling
