#include "analysis/counters/occupancy.h"

#include <toml++/toml.h>

#include <algorithm>

#include "base/check.h"
#include "base/embedded_data.h"

namespace warpsight {
namespace {

constexpr std::string_view kOccupancyFile = "data/occupancy.toml";
constexpr int64_t kLanes = 32;
// More than any device has of anything; keeps hostile numbers from overflowing.
constexpr double kMostOfAnything = 1e9;

int64_t RequiredCount(const toml::table& row, std::string_view key) {
  const std::optional<int64_t> count = row[key].value<int64_t>();
  CHECK(count && *count > 0);
  return *count;
}

std::vector<OccupancyRules> ParseOccupancyRules(std::string_view text) {
  const toml::table file = toml::parse(text, kOccupancyFile);
  const toml::array* rows = file["capability"].as_array();
  CHECK(rows != nullptr);
  std::vector<OccupancyRules> all;
  for (const toml::node& node : *rows) {
    const toml::table* row = node.as_table();
    CHECK(row != nullptr);
    OccupancyRules rules;
    rules.from_capability = static_cast<int>(RequiredCount(*row, "from"));
    rules.warps_per_sm = RequiredCount(*row, "warps_per_sm");
    rules.blocks_per_sm = RequiredCount(*row, "blocks_per_sm");
    rules.registers_per_sm = RequiredCount(*row, "registers_per_sm");
    rules.registers_unit_per_warp = RequiredCount(*row, "registers_unit_per_warp");
    rules.warps_unit = RequiredCount(*row, "warps_unit");
    rules.shared_bytes_per_sm = RequiredCount(*row, "shared_bytes_per_sm");
    rules.shared_unit_bytes = RequiredCount(*row, "shared_unit_bytes");
    rules.shared_reserved_bytes = (*row)["shared_reserved_bytes"].value_or(int64_t{0});
    rules.barriers_per_block = RequiredCount(*row, "barriers_per_block");
    rules.devices = (*row)["devices"].value_or(std::string());
    all.push_back(std::move(rules));
  }
  return all;
}

int64_t RoundUp(int64_t value, int64_t unit) { return (value + unit - 1) / unit * unit; }

std::optional<int64_t> WholeNumber(const CounterReport& report, const ProfiledKernel& kernel, std::string_view name) {
  const std::optional<double> number = report.Number(kernel, name);
  if (!number || *number < 0 || *number > kMostOfAnything) return std::nullopt;
  return static_cast<int64_t>(*number);
}

void TakeDeviceLimits(const CounterReport& report, const ProfiledKernel& kernel, OccupancyRules& rules) {
  const auto take = [&](std::string_view name, int64_t& limit) {
    const std::optional<int64_t> reported = WholeNumber(report, kernel, name);
    if (reported && *reported > 0) limit = *reported;
  };
  take("device__attribute_max_warps_per_multiprocessor", rules.warps_per_sm);
  take("device__attribute_max_registers_per_multiprocessor", rules.registers_per_sm);
  take("device__attribute_limits_max_cta_per_sm", rules.blocks_per_sm);
  take("device__attribute_max_shared_memory_per_multiprocessor", rules.shared_bytes_per_sm);
}

}  // namespace

const std::vector<OccupancyRules>& AllOccupancyRules() {
  static const std::vector<OccupancyRules>& rules =
      *new std::vector<OccupancyRules>(ParseOccupancyRules(EmbeddedFile(kOccupancyFile)));
  return rules;
}

const OccupancyRules* OccupancyRulesFor(int capability) {
  const OccupancyRules* found = nullptr;
  for (const OccupancyRules& rules : AllOccupancyRules()) {
    if (rules.from_capability <= capability) found = &rules;
  }
  return found;
}

Occupancy ComputeOccupancy(const OccupancyRules& rules, const OccupancyFacts& facts) {
  Occupancy occupancy;
  const int64_t block_warps = std::max<int64_t>(1, RoundUp(facts.threads_per_block, kLanes) / kLanes);
  occupancy.limit_blocks = rules.blocks_per_sm;
  occupancy.limit_warps = rules.warps_per_sm / block_warps;
  occupancy.limit_registers = rules.blocks_per_sm;
  if (facts.registers_per_thread > 0) {
    const int64_t warp_registers = RoundUp(facts.registers_per_thread * kLanes, rules.registers_unit_per_warp);
    const int64_t warps = rules.registers_per_sm / warp_registers / rules.warps_unit * rules.warps_unit;
    occupancy.limit_registers = warps / block_warps;
  }
  const int64_t block_shared = RoundUp(facts.shared_bytes_per_block, rules.shared_unit_bytes);
  occupancy.limit_shared_memory = block_shared == 0 ? rules.blocks_per_sm : facts.shared_bytes_per_sm / block_shared;
  occupancy.limit_barriers = rules.blocks_per_sm;
  if (facts.barriers_per_block > rules.barriers_per_block)
    occupancy.limit_barriers = rules.blocks_per_sm * rules.barriers_per_block / facts.barriers_per_block;

  const std::pair<int64_t, std::string_view> limits[] = {{occupancy.limit_registers, "registers"},
                                                         {occupancy.limit_shared_memory, "shared memory"},
                                                         {occupancy.limit_warps, "warps"},
                                                         {occupancy.limit_blocks, "blocks"},
                                                         {occupancy.limit_barriers, "barriers"}};
  const int64_t smallest = std::ranges::min(limits, {}, &std::pair<int64_t, std::string_view>::first).first;
  for (const auto& [limit, what] : limits) {
    // Few barriers allow as many blocks as the device does: then they are not what limits.
    if (limit == smallest && (what != "barriers" || limit < rules.blocks_per_sm)) occupancy.limiters.emplace_back(what);
  }
  occupancy.warps_per_sm = std::min(smallest * block_warps, rules.warps_per_sm);
  occupancy.share = static_cast<double>(occupancy.warps_per_sm) / static_cast<double>(rules.warps_per_sm);
  return occupancy;
}

std::optional<Occupancy> ComputeOccupancy(const CounterReport& report, const ProfiledKernel& kernel) {
  const std::optional<int> capability = ComputeCapability(report, kernel);
  const OccupancyRules* table = capability ? OccupancyRulesFor(*capability) : nullptr;
  const std::optional<int64_t> threads = WholeNumber(report, kernel, "launch__block_size");
  const std::optional<int64_t> registers = WholeNumber(report, kernel, "launch__registers_per_thread");
  const std::optional<int64_t> fixed = WholeNumber(report, kernel, "launch__shared_mem_per_block_static");
  const std::optional<int64_t> dynamic = WholeNumber(report, kernel, "launch__shared_mem_per_block_dynamic");
  const std::optional<int64_t> configured = WholeNumber(report, kernel, "launch__shared_mem_config_size");
  if (table == nullptr || !threads || !registers || !fixed || !dynamic) return std::nullopt;
  OccupancyRules rules = *table;
  TakeDeviceLimits(report, kernel, rules);
  const int64_t driver =
      WholeNumber(report, kernel, "launch__shared_mem_per_block_driver").value_or(rules.shared_reserved_bytes);
  // Devices whose shared memory is no part of L1 have nothing to configure.
  const bool is_configured = configured.value_or(0) > 0;
  return ComputeOccupancy(
      rules, {*threads, *registers, *fixed + *dynamic + driver, is_configured ? *configured : rules.shared_bytes_per_sm,
              WholeNumber(report, kernel, "launch__barrier_count").value_or(0)});
}

}  // namespace warpsight
