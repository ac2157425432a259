// Expressions of an unwind table, and reading of memory that may not be there.
#include <errno.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "capture/sampling/table_reader.h"
#include "capture/sampling/unwind_table.h"

namespace warpsight::capture::sampling {
namespace {

// Longer ones are damage, and would hold the thread up.
constexpr int kMostOperations = 256;

}  // namespace

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
    if (i == kMostOperations) return false;
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
