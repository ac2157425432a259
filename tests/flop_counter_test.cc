// Our FLOPs against PyTorch's own counter, on a recording that holds both: tests/gpu/torch_flop_counter.py makes it.
//
// PyTorch counts attention in full under a causal mask, and twice where the composite op and the one below it are both
// counted: of each direction the largest count is the right one.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

#include "analysis/roofline_pass.h"
#include "formats/open_trace.h"

namespace warpsight::flop_counter_test {
namespace {

const std::string kFolder = WARPSIGHT_TESTDATA_DIR "/flop_counter/";

bool Contains(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

// What PyTorch's count of one case comes to without its double counting.
double CountedFlops(const nlohmann::json& entry) {
  double others = 0;
  double attention = 0;
  double attention_backward = 0;
  for (const auto& [op, flops] : entry["by_op"].items()) {
    double& sum = Contains(op, "backward") ? attention_backward : attention;
    if (Contains(op, "attention")) {
      sum = std::max(sum, flops.get<double>());
    } else {
      others += flops.get<double>();
    }
  }
  return others + attention + attention_backward;
}

// PyTorch counts the weight gradient of a grouped convolution as if it had no groups. Each of the three products of forward
// and backward has the FLOPs of the forward one: 2 x output elements x (Cin / groups) x filter size.
std::optional<double> CorrectedGroups(const nlohmann::json& cases, const std::string& name) {
  if (name != "conv2d_grouped_train") return std::nullopt;
  for (const nlohmann::json& entry : cases) {
    if (entry["name"] == "conv2d_grouped") return 3 * entry["flops"].get<double>();
  }
  return std::nullopt;
}

// Products of matrices in the case's range: what the counter counts.
std::optional<double> OurFlops(const Trace& trace, const std::string& range, std::string& missing) {
  const HostEvents& host = trace.host();
  for (uint32_t row = 0; row < host.size(); ++row) {
    if (host.kind[row] != HostKind::kRange || trace.Text(host.name[row]) != range) continue;
    Selection selection;
    selection.range = Interval{host.start_ns[row], host.end_ns[row]};
    Analysis analysis(trace, selection);
    double flops = 0;
    for (const RooflineRow& found : analysis.Get<RooflinePass>()->rows) flops += CostRank(found.kind) == 2 ? found.flops : 0;
    for (const UncostedRow& none : analysis.Get<RooflinePass>()->uncosted) {
      missing += fmt::format(" {} ({})", none.name, none.reason);
    }
    return flops;
  }
  return std::nullopt;
}

TEST(FlopCounterTest, AgreesWithPyTorch) {
  std::ifstream file(kFolder + "flop_counter.json");
  ASSERT_TRUE(file.good());
  const nlohmann::json facts = nlohmann::json::parse(file);
  const Result<Trace> trace = OpenTrace(kFolder + "flop_counter.pt.trace.json.gz", {});
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  int compared = 0;
  int halved_cases = 0;
  for (const nlohmann::json& entry : facts["cases"]) {
    const std::string name = entry["name"];
    if (entry.contains("skipped") || entry["flops"] == 0) continue;
    std::string missing;
    const std::optional<double> ours = OurFlops(*trace, "case:" + name, missing);
    ASSERT_TRUE(ours.has_value()) << name;
    const double counted = CorrectedGroups(facts["cases"], name).value_or(CountedFlops(entry));
    const bool halved = Contains(name, "causal") && std::abs(*ours - counted / 2) < 1;
    halved_cases += halved ? 1 : 0;
    EXPECT_TRUE(halved || std::abs(*ours - counted) < 1)
        << name << ": ours " << *ours << ", PyTorch's " << counted << ";" << missing;
    ++compared;
  }
  EXPECT_GT(compared, 20);
  EXPECT_GE(halved_cases, 2) << "FlashAttention tells the mask in its name, forward and backward";
}

}  // namespace
}  // namespace warpsight::flop_counter_test
