// GpuPeaks: what a device can do at best, from data/gpus.toml by its name, or as the user gave it.
//
// Place in the flow: device rows of the trace, Given -> peaks -> roofline, collectives. Rates are dense. A device that the
// file does not hold, and a part of one (a MIG slice), has no peaks: the reason says what to give instead; nothing is
// guessed. Units: bytes/s, FLOP/s (1 GB = 1e9 B). Errors: a damaged file is our bug (CHECK). Thread-safe: the file is parsed
// once.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/given.h"
#include "analysis/tensor_shapes.h"
#include "trace/tables.h"

namespace warpsight {

// The arithmetic that a kernel uses: the type of its products, on matrix units or vector units.
enum class Arithmetic : uint8_t { kFp16, kBf16, kFp8, kInt8, kTf32, kFp32Matrix, kFp64Matrix, kFp32, kFp64 };
inline constexpr size_t kArithmeticCount = 9;
// "fp16", ..., "fp32_matrix".
std::string_view ArithmeticName(Arithmetic arithmetic);

// One entry of data/gpus.toml. Rates in bytes/s and FLOP/s.
struct GpuEntry {
  std::string name;
  std::vector<std::string> patterns;
  std::vector<std::string> examples;
  std::optional<int64_t> sms;
  std::optional<double> memory_bytes;
  double memory_bytes_per_s = 0;
  std::array<std::optional<double>, kArithmeticCount> flops_per_s;
  std::optional<double> nvlink_bytes_per_s;  // one way
  std::string source;
};

const std::vector<GpuEntry>& AllGpus();

struct GpuMatch {
  const GpuEntry* entry = nullptr;
  std::string reason;  // why there is none
};
// By name; by SMs and memory where entries share the name, or where the trace gives no name.
GpuMatch FindGpu(const Device& device);

// Of one device of a trace.
struct GpuPeaks {
  int32_t device = 0;
  const GpuEntry* entry = nullptr;           // null = not in the file
  std::optional<double> memory_bytes_per_s;  // absent = not evaluated
  bool bandwidth_given = false;
  std::optional<double> given_flops_per_s;  // stands for every type
  std::string reason;                       // why peaks are absent: "not evaluated: ..." for people

  bool complete() const { return memory_bytes_per_s && (given_flops_per_s || entry != nullptr); }
  // At the rate of a wider type where the device has none of its own; absent when it has none at all.
  std::optional<double> FlopsPerS(Arithmetic arithmetic) const;
  // "datasheet", "given", or "datasheet and given".
  std::string_view source() const;
};

GpuPeaks PeaksOf(const Device& device, const Given& given);

}  // namespace warpsight
