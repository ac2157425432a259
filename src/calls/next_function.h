// NextFunction: the function of another library that one of ours stands in front of.
//
// What the caller would have got without us: the next definition in the global scope, or, for libraries that were opened
// with RTLD_LOCAL (as Python opens extension modules with all they need), the one in the scope of the library that calls.
// Of two versions of one library in a process (libcublas.so.12 and .13) each caller has its own. So what was found is kept
// for each calling library. Constant-initialised: usable before constructors have run. Threads: safe.
#pragma once

#include <atomic>
#include <cstdint>

namespace warpsight::calls {

// File names without the version, and the versions to look for where neither scope helps.
struct LibraryFile {
  const char* name;         // "libcublas.so."
  const char* versions[4];  // "12"; null = none
};

class NextFunction {
 public:
  constexpr NextFunction(const char* name, const LibraryFile* file) : name_(name), file_(file) {}

  const char* name() const { return name_; }
  // The function for a call that returns to `caller`; null when no library has it.
  void* For(const void* caller) {
    const auto address = reinterpret_cast<uintptr_t>(caller);
    for (const Binding& binding : bindings_) {
      const uintptr_t begin = binding.begin.load(std::memory_order_acquire);
      if (begin == 0) break;
      if (address - begin < binding.bytes) return binding.function;
    }
    return Find(caller);
  }

 private:
  static constexpr int kMostCallers = 6;
  // Addresses of a calling library, and what it calls. Written once; `begin` last.
  struct Binding {
    std::atomic<uintptr_t> begin{0};
    uintptr_t bytes = 0;
    void* function = nullptr;
  };

  void* Find(const void* caller);
  void Keep(const void* caller, void* function);

  const char* name_;
  const LibraryFile* file_;
  std::atomic<bool> keeping_{false};
  Binding bindings_[kMostCallers];
};

}  // namespace warpsight::calls
