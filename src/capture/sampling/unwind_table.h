// The unwind table of a loaded library (.eh_frame and its index .eh_frame_hdr): where a function begins, and how to find its
// caller's registers at any of its instructions. Compilers write it for every function on x86-64, so stacks can be walked
// without frame pointers, which distributions' libraries do not keep.
//
// Place in the flow: stack_walk (in a signal handler), function_names (on the writer). The table is what the library brought
// into memory: it is read within the library's own bounds, anything unusual ends the reading. Source: DWARF 4 section 6.4,
// Linux Standard Base (.eh_frame_hdr). Errors: false. Threads: pure; safe in signal handlers: nothing allocates or locks.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpsight::capture::sampling {

// A library as it lies in memory.
struct CodeObject {
  const uint8_t* begin = nullptr;
  const uint8_t* end = nullptr;
  const uint8_t* table = nullptr;  // .eh_frame_hdr
};

// The library that an address lies in. False where there is none, or where the C library can't say without a lock (glibc
// before 2.35).
bool FindCodeObject(uintptr_t address, CodeObject& object);
// Looks for what FindCodeObject needs; call it before the first signal.
void PrepareCodeObjects();
// Whether the C library can say it at all.
bool CanFindCodeObjects();

// Addresses of the function that an address lies in: [begin, end).
bool FindBounds(const CodeObject& object, uintptr_t address, uintptr_t& begin, uintptr_t& end);

// DWARF's numbers of the registers of x86-64.
inline constexpr int kStackPointer = 7;
inline constexpr int kInstructionPointer = 16;
inline constexpr int kRegisters = 17;

enum class RegisterRule : uint8_t {
  kSame,
  kUndefined,
  kOffset,           // saved at CFA + value
  kValueOffset,      // is CFA + value
  kRegister,         // is in register `value`
  kExpression,       // saved at the expression's result
  kValueExpression,  // is the expression's result
};

// How to come from one frame to its caller's. The CFA (canonical frame address) is the stack pointer that the caller had.
struct FrameRules {
  const uint8_t* cfa_expression = nullptr;  // bounded by the object's end; null = the register and offset below
  uint8_t cfa_register = 0;
  int64_t cfa_offset = 0;
  RegisterRule rules[kRegisters] = {};
  int64_t values[kRegisters] = {};  // of expressions: where they begin, as an address
  bool is_signal_frame = false;     // what was interrupted was no call
};

bool FindRules(const CodeObject& object, uintptr_t address, FrameRules& rules);

// Runs an expression: its length, then its operations. `read(address, value)` reads eight bytes of the stack.
class MemoryReader;
bool RunExpression(const CodeObject& object, const uint8_t* expression, const uint64_t* registers, bool has_cfa,
                   uint64_t cfa, MemoryReader& memory, uint64_t& result);

// Memory that may not be there: the kernel is asked once for every page. Keeps errno to itself only by its caller's care.
class MemoryReader {
 public:
  bool Read(uint64_t address, uint64_t& value);

 private:
  static constexpr uint64_t kPageBytes = 4096;
  bool IsReadable(uint64_t page);
  uint64_t known_[2] = {1, 1};  // pages that can be read; 1 = none
  int next_ = 0;
};

}  // namespace warpsight::capture::sampling
