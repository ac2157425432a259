#include "analysis/gpu_peaks.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>

#include "base/check.h"
#include "base/data_texts.h"
#include "base/embedded_data.h"

namespace warpsight {
namespace {

constexpr std::array<std::string_view, kArithmeticCount> kKeys = {"fp16",        "bf16",        "fp8",  "int8", "tf32",
                                                                  "fp32_matrix", "fp64_matrix", "fp32", "fp64"};
// A device with another number of SMs than its entry by more than this is a part of it (MIG, a compute partition).
constexpr double kSmTolerance = 0.1;
// Recorders give usable memory in binary units, datasheets nominal memory: they are up to this far apart.
constexpr double kMemoryTolerance = 0.12;

struct GpuFile {
  std::vector<GpuEntry> gpus;
  std::vector<std::string> qualifiers;
};

std::optional<double> Scaled(const toml::table& table, std::string_view key, double unit) {
  const std::optional<double> value = table[key].value<double>();
  if (!value) return std::nullopt;
  CHECK(*value > 0);
  return *value * unit;
}

GpuFile ParseGpus(std::string_view text) {
  const toml::table file = toml::parse(text, std::string_view("data/gpus.toml"));
  GpuFile parsed;
  parsed.qualifiers = RequiredDataTexts(file, "qualifiers");
  const toml::array* gpus = file["gpu"].as_array();
  CHECK(gpus != nullptr);
  for (const toml::node& node : *gpus) {
    const toml::table* table = node.as_table();
    CHECK(table != nullptr);
    GpuEntry gpu;
    gpu.name = (*table)["name"].value_or(std::string());
    gpu.patterns = RequiredDataTexts(*table, "patterns");
    gpu.examples = RequiredDataTexts(*table, "examples");
    gpu.sms = (*table)["sms"].value<int64_t>();
    gpu.memory_bytes = Scaled(*table, "memory_gb", 1e9);
    const std::optional<double> bandwidth = Scaled(*table, "memory_gb_per_s", 1e9);
    CHECK(!gpu.name.empty() && bandwidth);
    gpu.memory_bytes_per_s = *bandwidth;
    for (size_t i = 0; i < kArithmeticCount; ++i) gpu.flops_per_s[i] = Scaled(*table, kKeys[i], 1e12);
    gpu.nvlink_bytes_per_s = Scaled(*table, "nvlink_gb_per_s", 1e9);
    gpu.source = (*table)["source"].value_or(std::string());
    parsed.gpus.push_back(std::move(gpu));
  }
  return parsed;
}

const GpuFile& File() {
  static const GpuFile& file = *new GpuFile(ParseGpus(EmbeddedFile("data/gpus.toml")));
  return file;
}

std::vector<std::string> WordsOf(std::string_view text) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
      words.back() += c;
    } else if (c >= 'A' && c <= 'Z') {
      words.back() += static_cast<char>(c - 'A' + 'a');
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

bool HasWord(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Number of words of the pattern when the name has them all, and no qualifier beyond them; else 0.
size_t MatchingWords(const std::vector<std::string>& name, const std::string& pattern) {
  const std::vector<std::string> wanted = WordsOf(pattern);
  if (!std::all_of(wanted.begin(), wanted.end(), [&](const std::string& word) { return HasWord(name, word); })) return 0;
  for (const std::string& qualifier : File().qualifiers) {
    if (HasWord(name, qualifier) && !HasWord(wanted, qualifier)) return 0;
  }
  return wanted.size();
}

bool SmsFit(const GpuEntry& gpu, const Device& device) {
  if (!gpu.sms || device.sm_count <= 0) return true;
  return std::abs(static_cast<double>(device.sm_count - *gpu.sms)) <= kSmTolerance * static_cast<double>(*gpu.sms);
}

bool MemoryFits(const GpuEntry& gpu, const Device& device) {
  if (!gpu.memory_bytes || device.total_memory_bytes <= 0) return true;
  return std::abs(static_cast<double>(device.total_memory_bytes) / *gpu.memory_bytes - 1) <= kMemoryTolerance;
}

// Keeps the entries that `fits`, unless that leaves none.
template <typename Fits>
void Prefer(std::vector<const GpuEntry*>& entries, const Fits& fits) {
  std::vector<const GpuEntry*> kept;
  std::copy_if(entries.begin(), entries.end(), std::back_inserter(kept), [&](const GpuEntry* gpu) { return fits(*gpu); });
  if (!kept.empty()) entries = std::move(kept);
}

bool SameRates(const GpuEntry& a, const GpuEntry& b) {
  return a.memory_bytes_per_s == b.memory_bytes_per_s && a.flops_per_s == b.flops_per_s;
}

// A recorder that gives SMs and memory but no name: taken only when all devices with these have the same rates.
GpuMatch FindUnnamed(const Device& device) {
  const std::string unknown = "the recording does not name the device";
  if (device.sm_count <= 0 || device.total_memory_bytes <= 0) return {nullptr, unknown};
  const GpuEntry* only = nullptr;
  for (const GpuEntry& gpu : AllGpus()) {
    if (gpu.sms != device.sm_count || !gpu.memory_bytes || !MemoryFits(gpu, device)) continue;
    if (only != nullptr && !SameRates(*only, gpu)) return {nullptr, unknown};
    only = &gpu;
  }
  return {only, only == nullptr ? unknown : ""};
}

}  // namespace

std::string_view ArithmeticName(Arithmetic arithmetic) { return kKeys[static_cast<size_t>(arithmetic)]; }

const std::vector<GpuEntry>& AllGpus() { return File().gpus; }

GpuMatch FindGpu(const Device& device) {
  const std::vector<std::string> name = WordsOf(device.name);
  if (name.empty()) return FindUnnamed(device);
  std::vector<const GpuEntry*> best;
  size_t most = 0;
  for (const GpuEntry& gpu : AllGpus()) {
    size_t words = 0;
    for (const std::string& pattern : gpu.patterns) words = std::max(words, MatchingWords(name, pattern));
    if (words == 0 || words < most) continue;
    if (words > most) best.clear();
    most = words;
    best.push_back(&gpu);
  }
  if (best.empty()) return {nullptr, fmt::format("peaks of \"{}\" are not known", device.name)};
  Prefer(best, [&](const GpuEntry& gpu) { return SmsFit(gpu, device); });
  Prefer(best, [&](const GpuEntry& gpu) { return MemoryFits(gpu, device); });
  if (!SmsFit(*best.front(), device)) {
    return {nullptr, fmt::format("\"{}\" shows {} of {} SMs, so it is a part of the device and its peaks are not known",
                                 device.name, device.sm_count, *best.front()->sms)};
  }
  return {best.front(), ""};
}

std::optional<double> GpuPeaks::FlopsPerS(Arithmetic arithmetic) const {
  if (given_flops_per_s) return given_flops_per_s;
  if (entry == nullptr) return std::nullopt;
  // What a product of this type runs at when the device has no rate for it, in turn.
  using A = Arithmetic;
  constexpr A kEnd = A::kFp64;
  static constexpr A kChains[kArithmeticCount][4] = {{A::kFp16, A::kFp32, kEnd, kEnd},
                                                     {A::kBf16, A::kFp32, kEnd, kEnd},
                                                     {A::kFp8, A::kFp16, A::kFp32, kEnd},
                                                     {A::kInt8, A::kFp16, A::kFp32, kEnd},
                                                     {A::kTf32, A::kFp32Matrix, A::kFp32, kEnd},
                                                     {A::kFp32Matrix, A::kFp32, kEnd, kEnd},
                                                     {A::kFp64Matrix, A::kFp64, kEnd, kEnd},
                                                     {A::kFp32, kEnd, kEnd, kEnd},
                                                     {A::kFp64, kEnd, kEnd, kEnd}};
  for (const A candidate : kChains[static_cast<size_t>(arithmetic)]) {
    if (const auto& rate = entry->flops_per_s[static_cast<size_t>(candidate)]) return rate;
  }
  return std::nullopt;
}

std::string_view GpuPeaks::source() const {
  if (bandwidth_given == given_flops_per_s.has_value()) return bandwidth_given ? "given" : "datasheet";
  return entry == nullptr ? "given" : "datasheet and given";
}

GpuPeaks PeaksOf(const Device& device, const Given& given) {
  GpuPeaks peaks;
  peaks.device = device.id;
  const GpuMatch match = FindGpu(device);
  peaks.entry = match.entry;
  if (match.entry != nullptr) peaks.memory_bytes_per_s = match.entry->memory_bytes_per_s;
  if (given.peak_bytes_per_s) peaks.memory_bytes_per_s = given.peak_bytes_per_s;
  peaks.bandwidth_given = given.peak_bytes_per_s.has_value();
  peaks.given_flops_per_s = given.peak_flops_per_s;
  if (!peaks.complete()) {
    peaks.reason = match.reason + ": give " +
                   (peaks.memory_bytes_per_s  ? "--peak-flops TFLOP/s"
                    : peaks.given_flops_per_s ? "--peak-bandwidth GB/s"
                                              : "--peak-bandwidth GB/s and --peak-flops TFLOP/s");
  }
  return peaks;
}

GpuPeaks PeaksOf(const Trace& trace, const Device& device, const Given& given) {
  if (!device.name.empty() || device.sm_count > 0) return PeaksOf(device, given);
  const Device* other = nullptr;
  for (const Device& described : trace.devices()) {
    if (described.name.empty()) continue;
    if (other != nullptr && (other->name != described.name || other->sm_count != described.sm_count))
      return PeaksOf(device, given);
    other = &described;
  }
  if (other == nullptr) return PeaksOf(device, given);
  GpuPeaks peaks = PeaksOf(*other, given);
  peaks.device = device.id;
  return peaks;
}

}  // namespace warpsight
