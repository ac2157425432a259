// A plain reader of torch traces for differential tests: nlohmann's parser, its own decimal arithmetic, no code of the
// importer.
//
// It knows sound files only (complete events, valid JSON) and gives up on others; the importer's handling of damage has
// tests of its own. Slow on purpose.
#pragma once

#include <algorithm>
#include <cctype>
#include <cstdint>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/byte_source.h"

namespace warpsight::reference {

enum class HostClass { kOp, kApi, kAnnotation, kOverhead };
enum class GpuClass { kKernel, kMemcpy, kMemset, kAnnotation };

struct HostRecord {
  std::string name;
  HostClass kind = HostClass::kOp;
  std::string thread;         // "pid/tid" as written
  bool on_no_thread = false;  // pid -1
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  int64_t external_id = 0;
  int64_t correlation = 0;
};

struct GpuRecord {
  std::string name;
  GpuClass kind = GpuClass::kKernel;
  int64_t start_ns = 0;
  int64_t end_ns = 0;
  int64_t external_id = 0;
  int64_t correlation = 0;
};

struct Recording {
  std::vector<HostRecord> host;  // in file order
  std::vector<GpuRecord> gpu;
};

// Keeps numbers as their text, so that no time ever is a double.
class NumbersAsText : public nlohmann::detail::json_sax_dom_parser<nlohmann::json> {
 public:
  using Base = nlohmann::detail::json_sax_dom_parser<nlohmann::json>;
  explicit NumbersAsText(nlohmann::json& result) : Base(result, false) {}
  bool number_float(number_float_t, const std::string& text) {
    std::string copy = text;
    return Base::string(copy);
  }
};

// "5108425130290.728" microseconds -> ns; more than three decimals are rounded, half up.
inline std::optional<int64_t> MicrosecondsToNs(const nlohmann::json& value) {
  if (value.is_number_integer()) return value.get<int64_t>() * 1000;
  if (!value.is_string()) return std::nullopt;
  const std::string text = value.get<std::string>();
  int64_t whole = 0;
  int64_t fraction = 0;
  int decimals = -1;
  bool up = false;
  for (const char c : text) {
    if (c == '.' && decimals < 0) {
      decimals = 0;
    } else if (!std::isdigit(static_cast<unsigned char>(c))) {
      return std::nullopt;  // signs and exponents: not in sound traces
    } else if (decimals < 0) {
      whole = whole * 10 + (c - '0');
    } else if (decimals < 3) {
      fraction = fraction * 10 + (c - '0');
      ++decimals;
    } else if (decimals++ == 3) {
      up = c >= '5';
    }
  }
  for (; decimals >= 0 && decimals < 3; ++decimals) fraction *= 10;
  return whole * 1000 + fraction + (up ? 1 : 0);
}

inline int64_t IdIn(const nlohmann::json& args, const char* key) {
  if (!args.is_object() || !args.contains(key)) return 0;
  const nlohmann::json& value = args[key];
  if (value.is_number_integer()) return value.get<int64_t>();
  return value.is_string() ? std::atoll(value.get<std::string>().c_str()) : 0;
}

inline std::string TextOf(const nlohmann::json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

inline std::optional<HostClass> HostClassOf(const std::string& category, const std::string& name) {
  if ((category == "cpu_op" || category == "operator")) {
    return name.rfind("ProfilerStep#", 0) == 0 ? HostClass::kAnnotation : HostClass::kOp;
  }
  if (category == "user_annotation") return HostClass::kAnnotation;
  if (category == "overhead") return HostClass::kOverhead;
  const bool api = category.find("runtime") != std::string::npos || category.find("driver") != std::string::npos;
  return api ? std::optional(HostClass::kApi) : std::nullopt;
}

inline std::optional<GpuClass> GpuClassOf(const std::string& category) {
  if (category == "kernel") return GpuClass::kKernel;
  if (category == "gpu_memcpy" || category == "memcpy") return GpuClass::kMemcpy;
  if (category == "gpu_memset" || category == "memset") return GpuClass::kMemset;
  return category == "gpu_user_annotation" ? std::optional(GpuClass::kAnnotation) : std::nullopt;
}

// nullopt when the file is none of the sound ones, or holds a category that is neither host nor GPU work nor known to be
// left out.
inline std::optional<Recording> ReadRecording(const std::string& path) {
  Result<std::unique_ptr<ByteSource>> source = OpenByteSource(path);
  if (!source.ok()) return std::nullopt;
  std::string text;
  std::vector<char> block(1 << 20);
  while (const size_t read = source.value()->Read(block.data(), block.size())) text.append(block.data(), read);
  nlohmann::json file;
  NumbersAsText handler(file);
  if (!nlohmann::json::sax_parse(text, &handler)) return std::nullopt;
  if (!file.is_object() || !file.contains("traceEvents")) return std::nullopt;

  Recording recording;
  for (const nlohmann::json& event : file["traceEvents"]) {
    const std::string phase = event.value("ph", std::string());
    if (phase == "B" || phase == "E") return std::nullopt;
    if (phase != "X") continue;
    std::string category = event.value("cat", std::string());
    for (char& c : category) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (category == "python_function" || category == "trace" || category == "cuda_sync") continue;
    const std::string name = event.value("name", std::string());
    const std::optional<HostClass> host = HostClassOf(category, name);
    const std::optional<GpuClass> gpu = GpuClassOf(category);
    if (!host && !gpu) return std::nullopt;
    const std::optional<int64_t> start = MicrosecondsToNs(event.value("ts", nlohmann::json()));
    const std::optional<int64_t> duration = MicrosecondsToNs(event.value("dur", nlohmann::json()));
    if (!start || !duration) return std::nullopt;
    const nlohmann::json args = event.value("args", nlohmann::json());
    const int64_t external_id = std::max(IdIn(args, "External id"), IdIn(args, "external id"));
    const int64_t correlation = IdIn(args, "correlation");
    if (gpu) {
      recording.gpu.push_back({name, *gpu, *start, *start + *duration, external_id, correlation});
    } else {
      const std::string pid = TextOf(event.value("pid", nlohmann::json()));
      const std::string thread = pid + "/" + TextOf(event.value("tid", nlohmann::json()));
      recording.host.push_back({name, *host, thread, pid == "-1", *start, *start + *duration, external_id, correlation});
    }
  }
  return recording;
}

}  // namespace warpsight::reference
