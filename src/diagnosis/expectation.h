// Expectation: what a step of a decoder should look like on a device, from the model's sizes and the device's peaks alone,
// before anything is measured; and the comparison with what was.
//
// Predict knows no trace. For each family of kernels it takes the bytes and FLOPs that one step must move and do, and the
// number of kernels of a good implementation (fused norms, one rotary kernel, a cache that is written in place). The least
// time is that of the roofline near its best efficiency (and of that many of the shortest kernels), the most that of its
// worst plus a floor a kernel (data/thresholds.toml: expect_*). A family's share ranges from its least time beside the
// others' most to the reverse. Place in the flow: model + device facts -> ExpectedStep -> compared with the kernels of a
// step -> report --expect. Units: ns, bytes/s, FLOP/s, shares 0..1, calls per step. Errors: kLacks with what is not known.
// Threads: pure functions.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "base/time.h"

namespace warpsight {

// One forward step. Sizes in elements; 0 = not known.
struct ModelFacts {
  int64_t layers = 0;
  int64_t hidden = 0;
  int64_t ffn = 0;
  int64_t kv = 0;         // width of the keys of one token
  int64_t attention = 0;  // width of the queries of one token; 0 = hidden
  int64_t vocab = 0;
  bool gated_mlp = true;
  bool fused_qkv = false;
  bool fused_gate_up = false;
  int64_t batch = 1;
  int64_t query_tokens = 1;    // new tokens a sequence
  int64_t context_tokens = 1;  // tokens that attention reads a sequence, the new ones included
  int64_t element_bytes = 2;
  double passes = 1;  // forward passes a step
};

struct DeviceFacts {
  std::string name;
  double bytes_per_s = 0;
  double flops_per_s = 0;  // for the model's type
};

struct ExpectedFamily {
  std::string_view family;  // as in the kernels table
  double calls_low = 0;
  double calls_high = 0;
  double least_ns = 0;
  double most_ns = 0;
  double share_low = 0;
  double share_high = 0;
};

struct ExpectedStep {
  std::vector<ExpectedFamily> families;  // largest middle share first
  double least_busy_ns = 0;
  double most_busy_ns = 0;
};

Result<ExpectedStep> Predict(const ModelFacts& given, const DeviceFacts& device);

// What a step of the recording has of a family.
struct MeasuredFamily {
  std::string_view family;
  double calls = 0;
  double share = 0;  // of GPU time
};

enum class Agreement : uint8_t { kAsExpected, kMore, kLess, kMissing, kNotExpected };

struct ComparedFamily {
  std::string_view family;
  std::optional<ExpectedFamily> expected;
  std::optional<MeasuredFamily> measured;
  Agreement share = Agreement::kAsExpected;
  Agreement calls = Agreement::kAsExpected;
  bool deviates() const { return share != Agreement::kAsExpected || calls != Agreement::kAsExpected; }
};

// Expected families in their order, then those that nobody expected, largest first (from expect_unexpected_share on).
std::vector<ComparedFamily> Compare(const ExpectedStep& expected, const std::vector<MeasuredFamily>& measured);

}  // namespace warpsight
