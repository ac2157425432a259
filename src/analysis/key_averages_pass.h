// Key averages: one row a name, as torch.profiler's key_averages() defines them (see docs/key-averages.md for the rules, and
// for the faults of the original that are not repeated).
//
// Place in the flow: OpTree + GPU work -> KeyAverages -> ops_document.
// Host rows are op, api, annotation and overhead; GPU rows are kernel, memcpy and memset. Equal names of different kinds are
// different rows. Absent is nullopt: GPU rows have no CPU time, api and overhead rows no GPU time, and no row has GPU time
// when the trace holds no GPU work. Selection: time is cut at the window; a call counts where it starts. A device cuts GPU
// work only. Units: ns. Errors: kLacks when there is neither host nor GPU activity. Texts are borrowed from the trace.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "analysis/pass.h"
#include "analysis/recorder_advice.h"

namespace warpsight {

enum class KeyAverageKind : uint8_t { kOp, kApi, kOverhead, kAnnotation, kKernel, kMemcpy, kMemset };

// "op", "api", ...: the words of the JSON contract.
std::string_view KeyAverageKindName(KeyAverageKind kind);
constexpr bool IsGpu(KeyAverageKind kind) { return kind >= KeyAverageKind::kKernel; }

// The kind of a host event's row.
KeyAverageKind KeyAverageKindOf(const HostEvents& host, uint32_t row);

struct KeyAveragesOptions {
  bool by_shape = false;
  // Rows are told apart by this many of the innermost Python frames open at the event's start on its thread; 0 = not.
  int stack_frames = 0;
};

struct KeyAverageRow {
  std::string_view name;
  KeyAverageKind kind = KeyAverageKind::kOp;
  int64_t calls = 0;
  std::optional<Ns> self_cpu_ns;
  std::optional<Ns> cpu_ns;
  std::optional<Ns> self_gpu_ns;
  std::optional<Ns> gpu_ns;
  // Annotations only: the sum of the recorder's spans on the GPU (gpu_user_annotation), which enters no other sum.
  std::optional<Ns> gpu_projection_ns;
  std::string_view shapes;               // empty when not asked for or not recorded
  std::vector<std::string_view> frames;  // innermost first; empty when not asked for
};

struct KeyAverages {
  std::vector<KeyAverageRow> rows;      // in order of first appearance: host rows, then GPU rows
  std::optional<Ns> total_self_cpu_ns;  // over op, api and overhead rows; absent without any host event
  std::optional<Ns> total_self_gpu_ns;  // over GPU rows; absent when the trace has no GPU work
  bool by_shape = false;
  bool by_stack = false;
  Recorder recorder = Recorder::kOther;  // whose words advice uses
};

KeyAverages ComputeKeyAverages(const Trace& trace, const Selection& selection, const KeyAveragesOptions& options);

// The plain form. Grouping by shape or stack has options, so its users call ComputeKeyAverages themselves, after CheckNeeds
// with Needs::kShapes or Needs::kFrames.
struct KeyAveragesPass {
  using Output = KeyAverages;
  static constexpr std::string_view kName = "key_averages";
  static constexpr Needs kNeeds = Needs::kNothing;
  static Result<Output> Run(Analysis& analysis);
};

// What the pass lacks in `trace`, given the options; OK when it can run.
Status CheckKeyAverages(const Trace& trace, const KeyAveragesOptions& options);

}  // namespace warpsight
