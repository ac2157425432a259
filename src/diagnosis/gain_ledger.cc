#include "diagnosis/gain_ledger.h"

#include <algorithm>
#include <utility>

namespace warpsight {
namespace {

Ns Take(Ns wanted, Ns& left) {
  const Ns taken = std::clamp<Ns>(wanted, 0, left);
  left -= taken;
  return taken;
}

}  // namespace

Ns Claims::total_ns() const {
  Ns total = Sum(idle);
  for (const Row& row : rows) total = SaturatingAdd(total, row.time_ns);
  return total;
}

GainLedger::GainLedger(const StepFrame& frame, const FrameWork& work)
    : idle_left_(frame.idle), first_row_(work.first_row), row_left_(work.own_ns), busy_left_(frame.busy_ns) {}

std::optional<Granted> GainLedger::Grant(const Claims& claims, Ns least_ns) {
  Granted granted;
  IdleParts idle = {};
  for (size_t kind = 0; kind < kIdleClassCount; ++kind) {
    idle[kind] = Take(claims.idle[kind], idle_left_[kind]);
    granted.idle_ns += idle[kind];
  }
  std::vector<std::pair<size_t, Ns>> rows;  // what was taken, to give it back
  for (const Claims::Row& claim : claims.rows) {
    const size_t at = claim.gpu_row - first_row_;
    if (claim.gpu_row < first_row_ || at >= row_left_.size()) continue;
    const Ns taken = Take(std::min(claim.time_ns, busy_left_ - granted.busy_ns), row_left_[at]);
    rows.emplace_back(at, taken);
    granted.busy_ns += taken;
  }
  if (granted.total_ns() < least_ns) {
    for (size_t kind = 0; kind < kIdleClassCount; ++kind) idle_left_[kind] += idle[kind];
    for (const auto& [at, taken] : rows) row_left_[at] += taken;
    return std::nullopt;
  }
  busy_left_ -= granted.busy_ns;
  granted_.idle_ns += granted.idle_ns;
  granted_.busy_ns += granted.busy_ns;
  return granted;
}

Granted GainLedger::GrantBusy(Ns time_ns) {
  Granted granted;
  granted.busy_ns = Take(time_ns, busy_left_);
  granted_.busy_ns += granted.busy_ns;
  return granted;
}

}  // namespace warpsight
