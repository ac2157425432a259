// Low or throttled GPU clocks make every kernel slow alike; only a recording that samples clocks can tell.
#include "diagnosis/rule.h"

namespace warpsight {

Status LacksClocks(Analysis& /*analysis*/) {
  return LacksError(
      "the recording has no GPU clocks: watch them with nvidia-smi -q -d CLOCK,PERFORMANCE while the program runs");
}

void RunClocks(Analysis& /*analysis*/, std::vector<Finding>& /*findings*/) {}

}  // namespace warpsight
