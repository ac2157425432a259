#include "capture/sampling/stack_walk.h"

#include <ucontext.h>

#include <atomic>
#include <cstring>

#include "capture/sampling/unwind_table.h"

namespace warpsight::capture::sampling {

#if defined(__x86_64__)

namespace {

// Registers that a function may save, in the order of their bytes in Step::saved. The first is the return address.
constexpr int kSaved[] = {kInstructionPointer, 3, 6, 12, 13, 14, 15};
constexpr size_t kSavedRegisters = sizeof(kSaved) / sizeof(kSaved[0]);
constexpr int kWordBytes = 8;

// One step to the caller in 16 bytes: what nearly every instruction of nearly every function needs.
struct Step {
  uint8_t saved[kSavedRegisters];  // at CFA - 8 * this; 0 = not saved
  uint8_t cfa_register;
  int64_t cfa_offset;
};
static_assert(sizeof(Step) == 16);

bool Compress(const FrameRules& rules, Step& step) {
  if (rules.cfa_expression != nullptr || rules.cfa_register >= kRegisters || rules.is_signal_frame) return false;
  step.cfa_register = rules.cfa_register;
  step.cfa_offset = rules.cfa_offset;
  for (size_t i = 0; i < kSavedRegisters; ++i) {
    const RegisterRule rule = rules.rules[kSaved[i]];
    const int64_t words = -rules.values[kSaved[i]] / kWordBytes;
    step.saved[i] = 0;
    if (rule == RegisterRule::kSame && i > 0) continue;
    if (rule != RegisterRule::kOffset || rules.values[kSaved[i]] % kWordBytes != 0 || words < 1 || words > UINT8_MAX)
      return false;
    step.saved[i] = static_cast<uint8_t>(words);
  }
  return rules.rules[kStackPointer] == RegisterRule::kSame;
}

// Written and read by signal handlers of all threads at once: an entry whose three words do not belong together is none.
class StepCache {
 public:
  bool Find(uintptr_t address, Step& step) const {
    const Entry& entry = entries_[Place(address)];
    const uint64_t words[2] = {entry.words[0].load(std::memory_order_relaxed),
                               entry.words[1].load(std::memory_order_relaxed)};
    if (entry.check.load(std::memory_order_relaxed) != Check(address, words)) return false;
    std::memcpy(&step, words, sizeof(step));
    return true;
  }
  void Keep(uintptr_t address, const Step& step) {
    uint64_t words[2];
    std::memcpy(words, &step, sizeof(step));
    Entry& entry = entries_[Place(address)];
    entry.words[0].store(words[0], std::memory_order_relaxed);
    entry.words[1].store(words[1], std::memory_order_relaxed);
    entry.check.store(Check(address, words), std::memory_order_relaxed);
  }
  void Clear() {
    for (Entry& entry : entries_) entry.check.store(0, std::memory_order_relaxed);
  }

 private:
  static constexpr size_t kEntries = 8192;
  static constexpr uint64_t kOdd = 0x9e3779b97f4a7c15;  // 2^64 / golden ratio
  struct Entry {
    std::atomic<uint64_t> check;
    std::atomic<uint64_t> words[2];
  };
  static size_t Place(uintptr_t address) { return address * kOdd >> (64 - 13); }
  // Never 0 for an address: an empty entry fits none.
  static uint64_t Check(uintptr_t address, const uint64_t* words) {
    return address ^ (words[0] * kOdd) ^ ((words[1] + 1) * (kOdd << 1 | 1));
  }
  Entry entries_[kEntries];
};
static_assert(size_t{1} << 13 == 8192);

StepCache steps;

struct MachineState {
  uint64_t registers[kRegisters];
  bool is_call = false;  // the address is where a call returns to, one behind the call
};

MachineState StateOf(const ucontext_t& context) {
  constexpr int kOfNumber[kRegisters] = {REG_RAX, REG_RDX, REG_RCX, REG_RBX, REG_RSI, REG_RDI, REG_RBP, REG_RSP, REG_R8,
                                         REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15, REG_RIP};
  MachineState state;
  for (int i = 0; i < kRegisters; ++i) state.registers[i] = static_cast<uint64_t>(context.uc_mcontext.gregs[kOfNumber[i]]);
  return state;
}

bool TakeStep(const Step& step, MemoryReader& memory, MachineState& state) {
  const uint64_t cfa = state.registers[step.cfa_register] + static_cast<uint64_t>(step.cfa_offset);
  // Callers lie further up.
  if (cfa <= state.registers[kStackPointer]) return false;
  for (size_t i = 0; i < kSavedRegisters; ++i) {
    if (step.saved[i] != 0 && !memory.Read(cfa - uint64_t{kWordBytes} * step.saved[i], state.registers[kSaved[i]]))
      return false;
  }
  state.registers[kStackPointer] = cfa;
  state.is_call = true;
  return true;
}

bool ApplyRules(const CodeObject& object, const FrameRules& rules, MemoryReader& memory, MachineState& state) {
  const MachineState before = state;
  uint64_t cfa = 0;
  if (rules.cfa_expression != nullptr) {
    if (!RunExpression(object, rules.cfa_expression, before.registers, false, 0, memory, cfa)) return false;
  } else if (rules.cfa_register < kRegisters) {
    cfa = before.registers[rules.cfa_register] + static_cast<uint64_t>(rules.cfa_offset);
  } else {
    return false;
  }
  // Callers lie further up, but a handler may run on a stack of its own, and a function that has taken its return address
  // off the stack to jump there has nothing left on it.
  const bool may_be_empty = !before.is_call && rules.rules[kInstructionPointer] == RegisterRule::kRegister;
  const uint64_t stack = before.registers[kStackPointer];
  if (!rules.is_signal_frame && (cfa < stack || (cfa == stack && !may_be_empty))) return false;
  state.registers[kStackPointer] = cfa;
  for (int i = 0; i < kRegisters; ++i) {
    uint64_t& value = state.registers[i];
    const int64_t given = rules.values[i];
    const auto* const expression = reinterpret_cast<const uint8_t*>(given);
    uint64_t place = 0;
    switch (rules.rules[i]) {
      case RegisterRule::kSame:       // of the instruction pointer: no rule says where it returns to
      case RegisterRule::kUndefined:  // of the instruction pointer: the outermost frame
        if (i == kInstructionPointer) return false;
        break;
      case RegisterRule::kOffset:
        if (!memory.Read(cfa + static_cast<uint64_t>(given), value)) return false;
        break;
      case RegisterRule::kValueOffset:
        value = cfa + static_cast<uint64_t>(given);
        break;
      case RegisterRule::kRegister:
        if (given < 0 || given >= kRegisters) return false;
        value = before.registers[given];
        break;
      case RegisterRule::kExpression:
        if (!RunExpression(object, expression, before.registers, true, cfa, memory, place) || !memory.Read(place, value))
          return false;
        break;
      case RegisterRule::kValueExpression:
        if (!RunExpression(object, expression, before.registers, true, cfa, memory, value)) return false;
        break;
    }
  }
  state.is_call = !rules.is_signal_frame;
  return true;
}

bool GoToCaller(MemoryReader& memory, MachineState& state) {
  const uint64_t address = state.registers[kInstructionPointer] - (state.is_call ? 1 : 0);
  Step step;
  if (steps.Find(address, step)) return TakeStep(step, memory, state);
  CodeObject object;
  FrameRules rules;
  if (!FindCodeObject(address, object) || !FindRules(object, address, rules)) return false;
  if (!Compress(rules, step)) return ApplyRules(object, rules, memory, state);
  steps.Keep(address, step);
  return TakeStep(step, memory, state);
}

}  // namespace

void PrepareStackWalk() { PrepareCodeObjects(); }

void ForgetWalkedCode() { steps.Clear(); }

size_t WalkStack(const void* context, uintptr_t* frames, size_t room) {
  MachineState state = StateOf(*static_cast<const ucontext_t*>(context));
  MemoryReader memory;
  size_t size = 0;
  while (size < room && state.registers[kInstructionPointer] != 0) {
    frames[size++] = state.registers[kInstructionPointer];
    if (!GoToCaller(memory, state)) break;
  }
  return size;
}

#else

void PrepareStackWalk() { PrepareCodeObjects(); }

void ForgetWalkedCode() {}

size_t WalkStack(const void* context, uintptr_t* frames, size_t room) {
  if (room == 0) return 0;
#if defined(__aarch64__)
  frames[0] = static_cast<const ucontext_t*>(context)->uc_mcontext.pc;
  return 1;
#else
  (void)context;
  (void)frames;
  return 0;
#endif
}

#endif

}  // namespace warpsight::capture::sampling
