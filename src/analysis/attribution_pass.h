// AttributionPass: for every row of GPU work the chain launch -> op -> module -> range -> step, and how sure it is.
//
// Place in the flow: sealed Trace -> Attribution -> parts, accounting, roofline.
//   op          the innermost framework op open at the launch: by External id, else by containment. Work of a CUDA graph
//               replay has none: the op around the launch call is not the op that the kernel came from.
//   forward_op  backward work: the forward op that the autograd node belongs to, by sequence number and forward thread
//   frame       the innermost Python frame open at the launch; module, the innermost nn.Module among its parents
//   range       the innermost user range (steps apart); of replayed work that around its launch in the capture, where there
//   is one step        index into StepsResult::steps by the time of the launch (by that of the work where the recording
//   holds no
//               launches), -1 outside of any
// Columns have one value a row of GPU work; kNoRow says "none". `order` lists the rows in the order of their launches,
// thread by thread, work without a launch last, by device and start. Cost: linear in host events and GPU work. Units: host
// row numbers. Errors: kLacks without GPU work. Thread-compatible.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "analysis/part.h"
#include "analysis/pass.h"

namespace warpsight {

enum class Confidence : uint8_t {
  kExact,        // External id and containment of the launch name the same op
  kContainment,  // one of the two only, or they disagree (then the External id counts)
  kGraphNode,    // CUDA graph replay: by its node, as it was made or as another replay of it told
  kAligned,      // CUDA graph replay: aligned with its capture, or with an eager step of the same model
  kName,         // no op: the kernel's name and its neighbours
  kNone,         // nothing is known
};
inline constexpr int kConfidenceCount = 6;
std::string_view ConfidenceName(Confidence confidence);

struct Attribution {
  std::vector<uint32_t> op;
  std::vector<uint32_t> forward_op;
  std::vector<uint32_t> frame;
  std::vector<uint32_t> module;
  std::vector<uint32_t> range;
  std::vector<int32_t> step;
  std::vector<Phase> phase;
  std::vector<Confidence> confidence;
  std::vector<uint8_t> replayed;  // launched as a part of a CUDA graph
  // Replayed work whose launch was recorded when the graph was captured (graph_node_origins.h, captured_launches.h): op,
  // frame and module are host rows of `capture`, which may be this recording or the reference.
  std::vector<uint8_t> captured;
  const Trace* capture = nullptr;
  std::vector<uint32_t> order;
  // The recording whose host rows op, frame and module of this row are.
  const Trace& OpsOf(uint32_t row, const Trace& own) const { return captured[row] != 0 ? *capture : own; }

  std::array<int64_t, kConfidenceCount> counts = {};
  int64_t disagreements = 0;
  int64_t backward = 0;         // rows of backward work
  int64_t backward_joined = 0;  // of them, with a forward op
};

struct AttributionPass {
  using Output = Attribution;
  static constexpr std::string_view kName = "attribution";
  static constexpr Needs kNeeds = Needs::kGpuWork;
  static Result<Output> Run(Analysis& analysis);
};

}  // namespace warpsight
