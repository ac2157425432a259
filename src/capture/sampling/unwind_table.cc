#include "capture/sampling/unwind_table.h"

#include <dlfcn.h>
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstring>

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

// Encodings of pointers.
constexpr uint8_t kOmitted = 0xFF;
constexpr uint8_t kPcRelative = 0x10;
constexpr uint8_t kDataRelative = 0x30;
constexpr uint8_t kSigned4 = 0x0B;
// Longer programs are damage, and would hold the thread up.
constexpr int kMostInstructions = 4096;
constexpr int kMostSavedRows = 4;

// Bytes of the table; after the first that is not there all are 0 and ok() is false.
class TableReader {
 public:
  TableReader(const uint8_t* at, const uint8_t* end) : at_(at), end_(end) {}

  bool ok() const { return ok_; }
  bool more() const { return ok_ && at_ < end_; }
  const uint8_t* at() const { return at_; }
  void Skip(uint64_t bytes) {
    if (!ok_ || bytes > static_cast<uint64_t>(end_ - at_)) {
      ok_ = false;
    } else {
      at_ += bytes;
    }
  }
  template <typename Number>
  Number Fixed() {
    Number number = 0;
    const uint8_t* const from = at_;
    Skip(sizeof(number));
    if (ok_) std::memcpy(&number, from, sizeof(number));
    return number;
  }
  uint8_t Byte() { return Fixed<uint8_t>(); }
  uint64_t Unsigned() {
    uint64_t value = 0;
    for (int shift = 0; ok_; shift += 7) {
      const uint8_t byte = Byte();
      if (shift < 64) value |= static_cast<uint64_t>(byte & 0x7F) << shift;
      if ((byte & 0x80) == 0) break;
    }
    return value;
  }
  int64_t Signed() {
    uint64_t value = 0;
    int shift = 0;
    uint8_t byte = 0x80;
    while (ok_ && (byte & 0x80) != 0) {
      byte = Byte();
      if (shift < 64) value |= static_cast<uint64_t>(byte & 0x7F) << shift;
      shift += 7;
    }
    if (shift < 64 && (byte & 0x40) != 0) value |= ~uint64_t{0} << shift;
    return static_cast<int64_t>(value);
  }
  // A pointer as its encoding says; what it is relative to but to itself is the caller's.
  uint64_t Pointer(uint8_t encoding) {
    const auto place = reinterpret_cast<uintptr_t>(at_);
    uint64_t value = 0;
    switch (encoding & 0x0F) {
      case 0x00:
      case 0x04:
      case 0x0C:
        value = Fixed<uint64_t>();
        break;
      case 0x01:
        value = Unsigned();
        break;
      case 0x02:
        value = Fixed<uint16_t>();
        break;
      case 0x03:
        value = Fixed<uint32_t>();
        break;
      case 0x09:
        value = static_cast<uint64_t>(Signed());
        break;
      case 0x0A:
        value = static_cast<uint64_t>(int64_t{Fixed<int16_t>()});
        break;
      case kSigned4:
        value = static_cast<uint64_t>(int64_t{Fixed<int32_t>()});
        break;
      default:
        ok_ = false;
    }
    const uint8_t relative = encoding & 0x70;
    if (relative == kPcRelative) return value + place;
    if (relative != 0) ok_ = false;
    return value;
  }

 private:
  const uint8_t* at_;
  const uint8_t* end_;
  bool ok_ = true;
};

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

bool RunExpression(const CodeObject& object, const uint8_t* expression, const uint64_t* registers, bool has_cfa,
                   uint64_t cfa, MemoryReader& memory, uint64_t& result) {
  constexpr int kMostValues = 16;
  uint64_t values[kMostValues];
  int size = 0;
  TableReader in(expression, object.end);
  const uint64_t bytes = in.Unsigned();
  if (!in.ok() || bytes > static_cast<uint64_t>(object.end - in.at())) return false;
  in = TableReader(in.at(), in.at() + bytes);
  const auto push = [&](uint64_t value) {
    if (size == kMostValues) return false;
    values[size++] = value;
    return true;
  };
  if (has_cfa) push(cfa);
  const auto binary = [&](const auto& compute) {
    if (size < 2) return false;
    --size;
    values[size - 1] = compute(values[size - 1], values[size]);
    return true;
  };
  for (int i = 0; in.more(); ++i) {
    if (i == kMostInstructions) return false;
    const uint8_t operation = in.Byte();
    bool good = false;
    if (operation >= 0x30 && operation <= 0x4F) {  // a small number
      good = push(operation - 0x30u);
    } else if (operation >= 0x70 && operation <= 0x8F) {  // a register and an offset
      const int64_t offset = in.Signed();
      const int number = operation - 0x70;
      good = number < kRegisters && push(registers[number] + static_cast<uint64_t>(offset));
    } else {
      switch (operation) {
        case 0x06:  // what is stored at the address
          good = size > 0 && memory.Read(values[size - 1], values[size - 1]);
          break;
        case 0x08:
          good = push(in.Byte());
          break;
        case 0x09:
          good = push(static_cast<uint64_t>(int64_t{in.Fixed<int8_t>()}));
          break;
        case 0x0A:
          good = push(in.Fixed<uint16_t>());
          break;
        case 0x0B:
          good = push(static_cast<uint64_t>(int64_t{in.Fixed<int16_t>()}));
          break;
        case 0x0C:
          good = push(in.Fixed<uint32_t>());
          break;
        case 0x0D:
          good = push(static_cast<uint64_t>(int64_t{in.Fixed<int32_t>()}));
          break;
        case 0x10:
          good = push(in.Unsigned());
          break;
        case 0x11:
          good = push(static_cast<uint64_t>(in.Signed()));
          break;
        case 0x12:
          good = size > 0 && push(values[size - 1]);
          break;
        case 0x1A:
          good = binary([](uint64_t a, uint64_t b) { return a & b; });
          break;
        case 0x1C:
          good = binary([](uint64_t a, uint64_t b) { return a - b; });
          break;
        case 0x1E:
          good = binary([](uint64_t a, uint64_t b) { return a * b; });
          break;
        case 0x21:
          good = binary([](uint64_t a, uint64_t b) { return a | b; });
          break;
        case 0x22:
          good = binary([](uint64_t a, uint64_t b) { return a + b; });
          break;
        case 0x23:
          good = size > 0;
          if (good) values[size - 1] += in.Unsigned();
          break;
        case 0x24:
          good = binary([](uint64_t a, uint64_t b) { return b < 64 ? a << b : 0; });
          break;
        case 0x25:
          good = binary([](uint64_t a, uint64_t b) { return b < 64 ? a >> b : 0; });
          break;
        case 0x2A:
          good = binary([](uint64_t a, uint64_t b) { return uint64_t{static_cast<int64_t>(a) >= static_cast<int64_t>(b)}; });
          break;
        case 0x96:  // nothing
          good = true;
          break;
        default:
          return false;
      }
    }
    if (!good) return false;
  }
  if (!in.ok() || size == 0) return false;
  result = values[size - 1];
  return true;
}

// A question that is refused in two ways: for its first argument where the second can be read, for the second where not.
bool MemoryReader::IsReadable(uint64_t page) {
  if (page == known_[0] || page == known_[1]) return true;
  if (page == 0) return false;
  constexpr int kNoWay = -1;
  constexpr size_t kSetBytes = 8;
  if (syscall(SYS_rt_sigprocmask, kNoWay, page, nullptr, kSetBytes) != -1 || errno != EINVAL) return false;
  known_[next_] = page;
  next_ ^= 1;
  return true;
}

// Other threads may write there, and sanitizers watch over it: neither matters to us.
#if defined(__clang__)
__attribute__((no_sanitize("address", "thread", "undefined")))
#else
__attribute__((no_sanitize_address, no_sanitize_thread, no_sanitize_undefined))
#endif
bool MemoryReader::Read(uint64_t address, uint64_t& value) {
  const uint64_t first = address & ~(kPageBytes - 1);
  const uint64_t last = (address + sizeof(value) - 1) & ~(kPageBytes - 1);
  if (!IsReadable(first) || !IsReadable(last)) return false;
  if (address % sizeof(value) != 0) {
    // No compiler saves a register so.
    return false;
  }
  value = *reinterpret_cast<const volatile uint64_t*>(address);
  return true;
}

}  // namespace warpsight::capture::sampling
