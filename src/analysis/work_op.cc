#include "analysis/work_op.h"

#include <toml++/toml.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "base/check.h"
#include "base/data_texts.h"
#include "base/embedded_data.h"

namespace warpsight {
namespace {

constexpr std::pair<std::string_view, WorkOp> kWorkOpNames[] = {
    {"pow", WorkOp::kPow},       {"mean", WorkOp::kMean},       {"rsqrt", WorkOp::kRsqrt},
    {"add", WorkOp::kAdd},       {"mul", WorkOp::kMul},         {"div", WorkOp::kDiv},
    {"mask", WorkOp::kMask},     {"dropout", WorkOp::kDropout}, {"softmax", WorkOp::kSoftmax},
    {"cat", WorkOp::kCat},       {"cast", WorkOp::kCast},       {"batched_matmul", WorkOp::kBatchedMatmul},
    {"matmul", WorkOp::kMatmul},
};

std::vector<WorkOpRule> ParseRules(std::string_view text) {
  const toml::table file = toml::parse(text, std::string_view("data/work_ops.toml"));
  const toml::array* entries = file["op"].as_array();
  CHECK(entries != nullptr);
  std::vector<WorkOpRule> rules;
  for (const toml::node& node : *entries) {
    const toml::table& entry = *node.as_table();
    WorkOpRule rule;
    rule.name = entry["name"].value_or(std::string());
    const auto known = std::ranges::find(kWorkOpNames, rule.name, [](const auto& pair) { return pair.first; });
    CHECK(known != std::end(kWorkOpNames));
    rule.op = known->second;
    rule.ops = RequiredDataTexts(entry, "ops");
    rule.kernels = RequiredDataTexts(entry, "kernels");
    rule.source = entry["source"].value_or(std::string());
    rule.examples = RequiredDataTexts(entry, "examples");
    rules.push_back(std::move(rule));
  }
  return rules;
}

}  // namespace

const std::vector<WorkOpRule>& WorkOpRules() {
  static const std::vector<WorkOpRule>& rules = *new std::vector<WorkOpRule>(ParseRules(EmbeddedFile("data/work_ops.toml")));
  return rules;
}

WorkOp WorkOpOfOp(std::string_view op_name) {
  for (const WorkOpRule& rule : WorkOpRules()) {
    if (std::ranges::find(rule.ops, op_name) != rule.ops.end()) return rule.op;
  }
  return WorkOp::kOther;
}

WorkOp WorkOpOfKernel(std::string_view kernel_name) {
  for (const WorkOpRule& rule : WorkOpRules()) {
    for (const std::string& text : rule.kernels) {
      if (kernel_name.find(text) != std::string_view::npos) return rule.op;
    }
  }
  return WorkOp::kOther;
}

WorkOp WorkOpsOf::op(uint32_t gpu_row) {
  const GpuWork& gpu = trace_.gpu();
  if (gpu.kind[gpu_row] != GpuKind::kKernel) return WorkOp::kOther;
  if (const uint32_t op = gpu.op[gpu_row]; op != kNoRow) {
    const StringId name = trace_.host().name[op];
    uint8_t& by_op = by_op_[static_cast<uint32_t>(name)];
    if (by_op == kUnasked) by_op = static_cast<uint8_t>(WorkOpOfOp(trace_.Text(name)));
    if (by_op != static_cast<uint8_t>(WorkOp::kOther)) return static_cast<WorkOp>(by_op);
  }
  const StringId name = gpu.name[gpu_row];
  uint8_t& by_kernel = by_kernel_[static_cast<uint32_t>(name)];
  if (by_kernel == kUnasked) by_kernel = static_cast<uint8_t>(WorkOpOfKernel(trace_.Text(name)));
  return static_cast<WorkOp>(by_kernel);
}

}  // namespace warpsight
