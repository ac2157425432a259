// DiffCondition: what --fail-if asks of a comparison: `step>3%`, `busy>200us`, `kernels>0`, `part:attention>5%`,
// `kernel:gemm>50us`.
//
// It is about B against A: `step>3%` holds when B's step is more than 3 % longer than A's; `step<-5%` when it is more than
// 5 % shorter. Steps, busy, idle, kernels and launches compare medians over steps; parts and kernels means of a step.
// A percentage of nothing: any increase is more than every percentage. Noise does not soften a condition; the answer says
// whether the change is within it.
// Errors: kUsage with what may be given; kLacks where a recording lacks what is asked, so that a gate never passes on
// nothing. Pure functions.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "analysis/diff/diff.h"
#include "base/status.h"

namespace warpsight {

enum class DiffSubject : uint8_t { kMetric, kPart, kKernel };

struct DiffCondition {
  std::string text;  // as given
  DiffSubject subject = DiffSubject::kMetric;
  DiffMetric metric = kDiffStep;
  std::string name;  // of the part, or text in kernels' names
  bool above = true;
  bool is_share = false;
  double limit = 0;  // ns, a count, or with is_share 0.03 for 3 %
};

Result<DiffCondition> ParseDiffCondition(std::string_view text);

struct ConditionAnswer {
  std::string text;
  bool is_time = true;
  bool holds = false;
  int64_t a = 0;
  int64_t b = 0;
  std::optional<double> change_share;
  std::optional<bool> within_noise;  // absent where several rows are summed up
  int64_t change() const { return SaturatingSubtract(b, a); }
};

Result<ConditionAnswer> AnswerCondition(const DiffCondition& condition, const DiffResult& diff);

}  // namespace warpsight
