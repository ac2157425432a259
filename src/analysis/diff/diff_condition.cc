#include "analysis/diff/diff_condition.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "analysis/kernel_name/kernel_name_text.h"
#include "analysis/part.h"

namespace warpsight {
namespace {

constexpr std::string_view kConditionForm =
    "give METRIC>LIMIT or METRIC<LIMIT, such as 'step>3%' or 'kernel:gemm>50us'; METRIC is step, busy, idle, kernels, "
    "launches, part:NAME or kernel:TEXT, LIMIT a number with % or, for times, ns, us or ms";

struct MetricWord {
  std::string_view word;
  DiffMetric metric;
};
constexpr MetricWord kMetricWords[] = {
    {"step", kDiffStep}, {"busy", kDiffBusy}, {"idle", kDiffIdle}, {"kernels", kDiffKernels}, {"launches", kDiffLaunches}};

struct LimitUnit {
  std::string_view word;
  double ns;
};
constexpr LimitUnit kLimitUnits[] = {{"ns", 1}, {"us", 1e3}, {"ms", 1e6}};

Status BadCondition(std::string_view text, std::string_view why) {
  return UsageError(fmt::format("--fail-if '{}': {}: {}", text, why, kConditionForm));
}

std::string_view WithoutBlanks(std::string_view text) {
  const size_t first = text.find_first_not_of(' ');
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(' ') - first + 1);
}

// A plain decimal number at the start of `text`, which loses it.
std::optional<double> TakeNumber(std::string_view& text) {
  const size_t length = std::min(text.find_first_not_of("0123456789.-"), text.size());
  const std::string_view digits = text.substr(0, length);
  double value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) return std::nullopt;
  text.remove_prefix(length);
  return value;
}

Status TakeSubject(std::string_view subject, DiffCondition& condition) {
  for (const MetricWord& known : kMetricWords) {
    if (subject != known.word) continue;
    condition.metric = known.metric;
    return OkStatus();
  }
  const size_t colon = subject.find(':');
  const std::string_view kind = subject.substr(0, colon);
  const std::string_view name = colon == std::string_view::npos ? "" : WithoutBlanks(subject.substr(colon + 1));
  condition.name = name;
  if (kind == "kernel" && !name.empty()) {
    condition.subject = DiffSubject::kKernel;
    return OkStatus();
  }
  if (kind == "part" && !name.empty()) {
    condition.subject = DiffSubject::kPart;
    if (ParsePart(name)) return OkStatus();
    std::string parts;
    for (int part = 0; part < kPartCount; ++part)
      parts += (part == 0 ? "" : ", ") + std::string(PartName(static_cast<Part>(part)));
    return UsageError(fmt::format("--fail-if '{}': there is no part {}: there are {}", condition.text, name, parts));
  }
  return BadCondition(condition.text, subject.empty() ? "no metric" : fmt::format("no metric is called {}", subject));
}

Status TakeLimit(std::string_view limit, DiffCondition& condition) {
  std::string_view rest = limit;
  const std::optional<double> number = TakeNumber(rest);
  if (!number || !std::isfinite(*number)) return BadCondition(condition.text, fmt::format("'{}' is no limit", limit));
  const std::string_view unit = WithoutBlanks(rest);
  condition.limit = *number;
  condition.is_share = unit == "%";
  if (condition.is_share) {
    condition.limit = *number / 100;
    return OkStatus();
  }
  const bool is_time = condition.subject != DiffSubject::kMetric || InfoOfMetric(condition.metric).is_time;
  if (!is_time) {
    return unit.empty() ? OkStatus() : BadCondition(condition.text, "the limit of a count is a number, or one with %");
  }
  for (const LimitUnit& known : kLimitUnits) {
    if (unit != known.word) continue;
    condition.limit = *number * known.ns;
    return OkStatus();
  }
  return BadCondition(condition.text,
                      unit.empty() ? "the limit has no unit" : fmt::format("'{}' is no unit of a limit", unit));
}

bool ConditionHolds(const DiffCondition& condition, const ConditionAnswer& answer) {
  const auto change = static_cast<double>(answer.change());
  // Compared without a division, so that a change of nothing has no percentage but still a direction.
  const double limit = condition.is_share ? condition.limit * static_cast<double>(answer.a) : condition.limit;
  return condition.above ? change > limit : change < limit;
}

Result<ConditionAnswer> OfMetric(const DiffCondition& condition, const DiffResult& diff) {
  const DiffMetricRow& row = diff.metrics[condition.metric];
  if (!row.a || !row.b) {
    return LacksError(fmt::format("--fail-if '{}': {} has no {}", condition.text, row.a ? "B" : "A",
                                  condition.metric == kDiffLaunches ? "launch calls" : "GPU work"));
  }
  ConditionAnswer answer;
  answer.is_time = InfoOfMetric(condition.metric).is_time;
  answer.a = row.a->median;
  answer.b = row.b->median;
  answer.within_noise = row.within_noise;
  return answer;
}

Result<ConditionAnswer> OfRows(const DiffCondition& condition, const DiffResult& diff) {
  const bool of_parts = condition.subject == DiffSubject::kPart;
  const std::optional<DiffTable>& table = of_parts ? diff.parts : diff.kernels;
  if (!table) return LacksError(fmt::format("--fail-if '{}': {}", condition.text, diff.no_gpu));
  const std::string wanted = LowerCase(condition.name);
  const auto matches = [&](std::string_view name) {
    return of_parts ? name == condition.name : LowerCase(name).find(wanted) != std::string::npos;
  };
  ConditionAnswer answer;
  size_t found = 0;
  for (const DiffRow& row : table->rows) {
    if (!of_parts && row.kind != "kernel") continue;  // copies and sets stand in the table too
    const bool of_family = !of_parts && LowerCase(row.family) == wanted;
    const bool in_a = !row.name_a.empty() && (of_family || matches(row.name_a));
    const bool in_b = !row.name_b.empty() && (of_family || matches(row.name_b));
    if (in_a) answer.a = SaturatingAdd(answer.a, row.gpu.a_ns);
    if (in_b) answer.b = SaturatingAdd(answer.b, row.gpu.b_ns);
    if (in_a || in_b) answer.within_noise = ++found == 1 ? row.gpu.within_noise : std::nullopt;
  }
  if (found > 0) return answer;
  return LacksError(fmt::format("--fail-if '{}': {} in either recording", condition.text,
                                of_parts ? "no work of that part is" : "no kernel of such a name is"));
}

}  // namespace

Result<DiffCondition> ParseDiffCondition(std::string_view text) {
  DiffCondition condition;
  condition.text = text;
  // Names of kernels hold brackets: the last one is the comparison.
  const size_t at = text.find_last_of("<>");
  if (at == std::string_view::npos) return BadCondition(text, "no < or >");
  condition.above = text[at] == '>';
  WARPSIGHT_RETURN_IF_ERROR(TakeSubject(WithoutBlanks(text.substr(0, at)), condition));
  WARPSIGHT_RETURN_IF_ERROR(TakeLimit(WithoutBlanks(text.substr(at + 1)), condition));
  return condition;
}

Result<ConditionAnswer> AnswerCondition(const DiffCondition& condition, const DiffResult& diff) {
  // What is missing would look like a gain.
  for (const DiffSide* side : {&diff.a, &diff.b}) {
    const std::string damage = DamageOf(*side);
    if (!damage.empty())
      return LacksError(fmt::format("--fail-if '{}': {} is damaged or not whole ({}): record it again", condition.text,
                                    side->trace().recording().file, damage));
  }
  Result<ConditionAnswer> answer =
      condition.subject == DiffSubject::kMetric ? OfMetric(condition, diff) : OfRows(condition, diff);
  if (!answer.ok()) return answer;
  answer->text = condition.text;
  if (answer->a != 0) answer->change_share = static_cast<double>(answer->change()) / static_cast<double>(answer->a);
  answer->holds = ConditionHolds(condition, *answer);
  return answer;
}

}  // namespace warpsight
