#include "capture/sampling/unwind_table.h"

#include <dlfcn.h>

#include <atomic>
#include <cstring>

#include "capture/sampling/table_reader.h"

namespace warpsight::capture::sampling {
namespace {

// As <dlfcn.h> of glibc 2.35 declares it for x86-64; older ones lack it.
struct FoundObject {
  unsigned long long flags;
  void* map_start;
  void* map_end;
  void* link_map;
  void* eh_frame;
  unsigned long long reserved[7];
};
std::atomic<int (*)(void*, FoundObject*)> find_object{nullptr};

// Longer programs are damage, and would hold the thread up.
constexpr int kMostInstructions = 4096;
constexpr int kMostSavedRows = 4;

// What entries of functions have in common (CIE).
struct CommonEntry {
  uint64_t code_align = 1;
  int64_t data_align = 1;
  uint8_t pointers = 0;  // encoding
  bool has_augmentation = false;
  bool is_signal_frame = false;
  const uint8_t* program = nullptr;
  const uint8_t* end = nullptr;
};

bool ReadCommonEntry(const CodeObject& object, const uint8_t* at, CommonEntry& entry) {
  if (at < object.begin || at >= object.end) return false;
  TableReader in(at, object.end);
  const uint32_t length = in.Fixed<uint32_t>();
  if (!in.ok() || length == 0 || length > static_cast<uint64_t>(object.end - in.at())) return false;
  entry.end = in.at() + length;
  in = TableReader(in.at(), entry.end);
  if (in.Fixed<uint32_t>() != 0) return false;
  const uint8_t version = in.Byte();
  const auto* const letters = reinterpret_cast<const char*>(in.at());
  const size_t size = in.ok() ? strnlen(letters, static_cast<size_t>(entry.end - in.at())) : 0;
  in.Skip(size + 1);
  if (version == 4) in.Skip(2);
  if (version != 1 && version != 3 && version != 4) return false;
  entry.code_align = in.Unsigned();
  entry.data_align = in.Signed();
  if ((version == 1 ? in.Byte() : in.Unsigned()) != kInstructionPointer || !in.ok()) return false;
  if (size > 0 && letters[0] != 'z') return false;
  entry.has_augmentation = size > 0;
  const uint8_t* program = in.at();
  if (entry.has_augmentation) {
    const uint64_t bytes = in.Unsigned();
    program = in.at();
    if (!in.ok() || bytes > static_cast<uint64_t>(entry.end - program)) return false;
    program += bytes;
  }
  for (size_t i = 1; i < size && in.ok(); ++i) {
    if (letters[i] == 'R') entry.pointers = in.Byte();
    if (letters[i] == 'L') in.Skip(1);
    if (letters[i] == 'P') (void)in.Pointer(in.Byte() & 0x7F);
    entry.is_signal_frame = entry.is_signal_frame || letters[i] == 'S';
  }
  entry.program = program;
  return in.ok();
}

// The entry of one function (FDE).
struct FunctionEntry {
  CommonEntry common;
  uintptr_t begin = 0;
  uintptr_t end = 0;
  const uint8_t* program = nullptr;
  const uint8_t* program_end = nullptr;
};

bool ReadFunctionEntry(const CodeObject& object, const uint8_t* at, FunctionEntry& entry) {
  if (at < object.begin || at >= object.end) return false;
  TableReader in(at, object.end);
  const uint32_t length = in.Fixed<uint32_t>();
  if (!in.ok() || length < sizeof(uint32_t) || length > static_cast<uint64_t>(object.end - in.at())) return false;
  entry.program_end = in.at() + length;
  const uint8_t* const place = in.at();
  in = TableReader(place, entry.program_end);
  const uint32_t back = in.Fixed<uint32_t>();
  if (back == 0 || back > static_cast<uint64_t>(place - object.begin)) return false;
  if (!ReadCommonEntry(object, place - back, entry.common)) return false;
  entry.begin = in.Pointer(entry.common.pointers);
  entry.end = entry.begin + in.Pointer(entry.common.pointers & 0x0F);
  if (entry.common.has_augmentation) in.Skip(in.Unsigned());
  entry.program = in.at();
  return in.ok();
}

// The entry of the last function that begins at or before the address, by the sorted index.
bool FindFunctionEntry(const CodeObject& object, uintptr_t address, FunctionEntry& entry) {
  constexpr size_t kEntryBytes = 8;
  TableReader in(object.table, object.end);
  const uint8_t version = in.Byte();
  const uint8_t frames = in.Byte();
  const uint8_t counts = in.Byte();
  const uint8_t entries = in.Byte();
  if (version != 1 || counts == kOmitted || entries != (kDataRelative | kSigned4)) return false;
  (void)in.Pointer(frames);
  const uint64_t count = in.Pointer(counts);
  if (!in.ok() || count == 0 || count > static_cast<uint64_t>(object.end - in.at()) / kEntryBytes) return false;
  const auto base = reinterpret_cast<uintptr_t>(object.table);
  const uint8_t* const first = in.at();
  const auto number_at = [&](uint64_t index, size_t which) {
    int32_t number = 0;
    std::memcpy(&number, first + index * kEntryBytes + which * sizeof(number), sizeof(number));
    return base + static_cast<uint64_t>(int64_t{number});
  };
  if (number_at(0, 0) > address) return false;
  uint64_t low = 0;
  uint64_t high = count;
  while (high - low > 1) {
    const uint64_t middle = low + (high - low) / 2;
    (number_at(middle, 0) <= address ? low : high) = middle;
  }
  return ReadFunctionEntry(object, reinterpret_cast<const uint8_t*>(number_at(low, 1)), entry) && address >= entry.begin &&
         address < entry.end;
}

// Runs the instructions of an entry up to an address.
class RulesMachine {
 public:
  RulesMachine(const FunctionEntry& entry, const CodeObject& object, FrameRules& rules)
      : entry_(entry), object_(object), rules_(rules) {}

  bool Run(uintptr_t address) {
    if (!Run(entry_.common.program, entry_.common.end, ~uintptr_t{0})) return false;
    initial_ = rules_;
    location_ = entry_.begin;
    return Run(entry_.program, entry_.program_end, address);
  }

 private:
  bool Run(const uint8_t* program, const uint8_t* end, uintptr_t address);
  bool RunExtended(uint8_t operation, TableReader& in);
  void Set(uint64_t number, RegisterRule rule, int64_t value) {
    if (number >= kRegisters) return;  // vector registers: no frame address depends on them
    rules_.rules[number] = rule;
    rules_.values[number] = value;
  }
  void Restore(uint64_t number) {
    if (number < kRegisters) Set(number, initial_.rules[number], initial_.values[number]);
  }
  // Factors of damaged tables wrap.
  int64_t Scaled(uint64_t factor) const {
    return static_cast<int64_t>(factor * static_cast<uint64_t>(entry_.common.data_align));
  }
  void SetCfa(uint64_t number, int64_t offset) {
    rules_.cfa_expression = nullptr;
    rules_.cfa_register = static_cast<uint8_t>(number < kRegisters ? number : kRegisters);
    rules_.cfa_offset = offset;
  }
  void SetExpression(uint64_t number, RegisterRule rule, TableReader& in) {
    Set(number, rule, static_cast<int64_t>(reinterpret_cast<uintptr_t>(in.at())));
    in.Skip(in.Unsigned());
  }

  const FunctionEntry& entry_;
  const CodeObject& object_;
  FrameRules& rules_;
  FrameRules initial_;
  FrameRules saved_[kMostSavedRows];
  int saved_rows_ = 0;
  uintptr_t location_ = 0;
};

bool RulesMachine::Run(const uint8_t* program, const uint8_t* end, uintptr_t address) {
  TableReader in(program, end);
  for (int i = 0; in.more(); ++i) {
    if (i == kMostInstructions) return false;
    const uint8_t operation = in.Byte();
    const uint8_t low = operation & 0x3F;
    uint64_t advance = 0;
    switch (operation >> 6) {
      case 1:
        advance = low;
        break;
      case 2:
        Set(low, RegisterRule::kOffset, Scaled(in.Unsigned()));
        continue;
      case 3:
        Restore(low);
        continue;
      default:
        if (operation == 0x01) advance = (in.Pointer(entry_.common.pointers) - location_) / entry_.common.code_align;
        if (operation == 0x02) advance = in.Byte();
        if (operation == 0x03) advance = in.Fixed<uint16_t>();
        if (operation == 0x04) advance = in.Fixed<uint32_t>();
        if (operation == 0x00 || operation > 0x04) {
          if (!RunExtended(operation, in)) return false;
          continue;
        }
    }
    location_ += advance * entry_.common.code_align;
    if (location_ > address) return in.ok();
  }
  return in.ok();
}

bool RulesMachine::RunExtended(uint8_t operation, TableReader& in) {
  // Operands are read in order: first the register, where there is one.
  const auto number = [&] { return in.Unsigned(); };
  switch (operation) {
    case 0x00:
      return true;
    case 0x05: {
      const uint64_t of = number();
      Set(of, RegisterRule::kOffset, Scaled(in.Unsigned()));
      return true;
    }
    case 0x06:
      Restore(number());
      return true;
    case 0x07:
      Set(number(), RegisterRule::kUndefined, 0);
      return true;
    case 0x08:
      Set(number(), RegisterRule::kSame, 0);
      return true;
    case 0x09: {
      const uint64_t of = number();
      Set(of, RegisterRule::kRegister, static_cast<int64_t>(in.Unsigned()));
      return true;
    }
    case 0x0A:
      if (saved_rows_ == kMostSavedRows) return false;
      saved_[saved_rows_++] = rules_;
      return true;
    case 0x0B:
      if (saved_rows_ == 0) return false;
      rules_ = saved_[--saved_rows_];
      return true;
    case 0x0C: {
      const uint64_t of = number();
      SetCfa(of, static_cast<int64_t>(in.Unsigned()));
      return true;
    }
    case 0x0D:
      SetCfa(number(), rules_.cfa_offset);
      return true;
    case 0x0E:
      rules_.cfa_offset = static_cast<int64_t>(in.Unsigned());
      return true;
    case 0x0F:
      rules_.cfa_expression = in.at();
      in.Skip(in.Unsigned());
      return true;
    case 0x10:
    case 0x16: {
      const uint64_t of = number();
      SetExpression(of, operation == 0x10 ? RegisterRule::kExpression : RegisterRule::kValueExpression, in);
      return true;
    }
    case 0x11: {
      const uint64_t of = number();
      Set(of, RegisterRule::kOffset, Scaled(static_cast<uint64_t>(in.Signed())));
      return true;
    }
    case 0x12: {
      const uint64_t of = number();
      SetCfa(of, Scaled(static_cast<uint64_t>(in.Signed())));
      return true;
    }
    case 0x13:
      rules_.cfa_offset = Scaled(static_cast<uint64_t>(in.Signed()));
      return true;
    case 0x14: {
      const uint64_t of = number();
      Set(of, RegisterRule::kValueOffset, Scaled(in.Unsigned()));
      return true;
    }
    case 0x15: {
      const uint64_t of = number();
      Set(of, RegisterRule::kValueOffset, Scaled(static_cast<uint64_t>(in.Signed())));
      return true;
    }
    case 0x2E:  // size of the arguments
      (void)in.Unsigned();
      return true;
    default:
      return false;
  }
}

}  // namespace

void PrepareCodeObjects() {
  find_object.store(reinterpret_cast<int (*)(void*, FoundObject*)>(dlsym(RTLD_DEFAULT, "_dl_find_object")),
                    std::memory_order_release);
  dlerror();
}

bool CanFindCodeObjects() { return find_object.load(std::memory_order_acquire) != nullptr; }

bool FindCodeObject(uintptr_t address, CodeObject& object) {
  const auto find = find_object.load(std::memory_order_acquire);
  FoundObject found = {};
  if (find == nullptr || find(reinterpret_cast<void*>(address), &found) != 0 || found.eh_frame == nullptr) return false;
  object.begin = static_cast<const uint8_t*>(found.map_start);
  object.end = static_cast<const uint8_t*>(found.map_end);
  object.table = static_cast<const uint8_t*>(found.eh_frame);
  return object.table >= object.begin && object.table < object.end;
}

bool FindBounds(const CodeObject& object, uintptr_t address, uintptr_t& begin, uintptr_t& end) {
  FunctionEntry entry;
  if (!FindFunctionEntry(object, address, entry)) return false;
  begin = entry.begin;
  end = entry.end;
  return true;
}

bool FindRules(const CodeObject& object, uintptr_t address, FrameRules& rules) {
  FunctionEntry entry;
  if (!FindFunctionEntry(object, address, entry) || entry.common.code_align == 0) return false;
  rules = FrameRules{};
  rules.is_signal_frame = entry.common.is_signal_frame;
  return RulesMachine(entry, object, rules).Run(address);
}

}  // namespace warpsight::capture::sampling
