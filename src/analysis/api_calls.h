// ApiCallKinds: what the API calls of a trace do (synchronise, copy, launch, ...), by name, from data/api_calls.toml.
//
// Place in the flow: built once per pass over a sealed Trace, then asked by name id in O(1). Names are classified without
// version and thread suffixes, so cuMemcpyDtoH_v2 and cudaLaunchKernel_v7000 are what one expects.
// Thread-compatible after construction.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "trace/trace.h"

namespace warpsight {

enum class ApiCallKind : uint8_t {
  kOther,
  kSynchronise,
  kBlockingCopy,
  kLaunch,
  kGraphLaunch,
  kStreamWait,
  kEventRecord,
  kCapture,
  kCopy,  // returns at once
  kSet,
  kAllocation,
};

// The kind of the call with this name.
ApiCallKind ClassifyApiCall(std::string_view name);

// Whether the host sleeps in such a call until the GPU has done something.
constexpr bool IsSynchronising(ApiCallKind kind) {
  return kind == ApiCallKind::kSynchronise || kind == ApiCallKind::kBlockingCopy;
}

// Whether such a call gives the GPU work to do.
constexpr bool GivesGpuWork(ApiCallKind kind) {
  return kind == ApiCallKind::kLaunch || kind == ApiCallKind::kGraphLaunch || kind == ApiCallKind::kCopy ||
         kind == ApiCallKind::kBlockingCopy || kind == ApiCallKind::kSet;
}

// One group of data/api_calls.toml, for tests and explanations.
struct ApiCallGroup {
  ApiCallKind kind = ApiCallKind::kOther;
  std::string kind_name;
  std::string meaning;
  std::string source;
  std::vector<std::string> names;
};
const std::vector<ApiCallGroup>& ApiCallGroups();

// Kinds of a trace's calls; each distinct name is classified once, when first asked for. One thread.
class ApiCallKinds {
 public:
  explicit ApiCallKinds(const Trace& trace) : trace_(trace), by_name_(trace.strings().size()) {}

  // kOther for rows that are no API calls.
  ApiCallKind kind(uint32_t host_row) const {
    if (trace_.host().kind[host_row] != HostKind::kApi) return ApiCallKind::kOther;
    const StringId name = trace_.host().name[host_row];
    std::optional<ApiCallKind>& known = by_name_[static_cast<uint32_t>(name)];
    if (!known) known = ClassifyApiCall(trace_.Text(name));
    return *known;
  }

 private:
  const Trace& trace_;
  mutable std::vector<std::optional<ApiCallKind>> by_name_;  // by StringId; empty = not asked for yet
};

}  // namespace warpsight
