// Our key averages against the ones that torch.profiler printed for the same recordings, row by row and in both directions.
//
// No number is typed in here: the expected rows are files beside the recordings. Where the two tables may differ, the test
// knows the rule (docs/key-averages.md gives the reasons), never a list of values.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "analysis/key_averages_pass.h"
#include "formats/open_trace.h"
#include "shared_data.h"

namespace warpsight::parity_test {
namespace {

// Their values are sums of microseconds in doubles.
constexpr double kRoundingNs = 0.5;
// The exporter draws an annotation's GPU span one nanosecond wider at either end than torch's own table has it.
constexpr double kSpanWideningNs = 2;

struct Values {
  double calls = 0;
  double self_cpu_ns = 0;
  double cpu_ns = 0;
  double self_gpu_ns = 0;
  double gpu_ns = 0;
  double projection_ns = 0;
};

enum class Side { kHost, kGpu };
using Key = std::tuple<Side, std::string, std::string>;  // side, name, shapes
using Table = std::map<Key, Values>;

// The recordings of examples/ and their tables are in the repository; the others lie in the shared data folder.
std::string DataFile(const std::string& name) {
  for (const std::filesystem::path& folder :
       {std::filesystem::path(WARPSIGHT_TESTDATA_DIR) / "parity", std::filesystem::path(WARPSIGHT_EXAMPLES_DIR)}) {
    if (std::filesystem::exists(folder / name)) return (folder / name).string();
  }
  return (testing::SharedData() / "h200" / "torch" / name).string();
}

void Add(Values& sum, const Values& row) {
  sum.calls += row.calls;
  sum.self_cpu_ns += row.self_cpu_ns;
  sum.cpu_ns += row.cpu_ns;
  sum.self_gpu_ns += row.self_gpu_ns;
  sum.gpu_ns += row.gpu_ns;
  sum.projection_ns += row.projection_ns;
}

// Torch's own table prints a list of tensors as [], while the export, and so our table, has the shape of each.
std::string WithoutTensorLists(std::string_view shapes) {
  std::string text;
  int depth = 0;
  size_t operand = 0;
  bool nested = false;
  for (const char c : shapes) {
    if (c == '[' && ++depth == 2) {
      operand = text.size();
      nested = false;
    }
    nested |= depth > 2;
    text += c;
    if (c == ']' && depth-- == 2 && nested) text.replace(operand, std::string::npos, "[]");
  }
  return text.empty() ? "[]" : text;
}

Table Ours(const KeyAverages& averages) {
  Table table;
  for (const KeyAverageRow& row : averages.rows) {
    const Side side = IsGpu(row.kind) ? Side::kGpu : Side::kHost;
    const std::string shapes = averages.by_shape ? WithoutTensorLists(row.shapes) : "";
    Values values;
    values.calls = static_cast<double>(row.calls);
    values.self_cpu_ns = static_cast<double>(row.self_cpu_ns.value_or(0));
    values.cpu_ns = static_cast<double>(row.cpu_ns.value_or(0));
    values.self_gpu_ns = static_cast<double>(row.self_gpu_ns.value_or(0));
    values.gpu_ns = static_cast<double>(row.gpu_ns.value_or(0));
    values.projection_ns = static_cast<double>(row.gpu_projection_ns.value_or(0));
    Add(table[{side, std::string(row.name), shapes}], values);
  }
  return table;
}

// The table of shapes does not say on which side a row is; GPU rows are those without CPU time.
Side SideOf(const nlohmann::json& row) {
  if (row.contains("device_type")) return row["device_type"] == "DeviceType.CPU" ? Side::kHost : Side::kGpu;
  return row["cpu"].get<double>() > 0 ? Side::kHost : Side::kGpu;
}

Table Theirs(const std::string& path) {
  Table table;
  std::ifstream file(path);
  for (const nlohmann::json& row : nlohmann::json::parse(file)) {
    Values values;
    values.calls = row["count"].get<double>();
    values.self_cpu_ns = row["self_cpu"].get<double>() * 1000;
    values.cpu_ns = row["cpu"].get<double>() * 1000;
    values.self_gpu_ns = row["self_dev"].get<double>() * 1000;
    values.gpu_ns = row["dev"].get<double>() * 1000;
    Add(table[{SideOf(row), row["key"].get<std::string>(), row.value("shapes", std::string())}], values);
  }
  return table;
}

// What may differ, found in the trace itself.
class Rules {
 public:
  Rules(const Trace& trace, const Table& theirs) : trace_(trace), theirs_(theirs) {
    for (uint32_t row = 0; row < trace.host().size(); ++row) {
      if (trace.host().kind[row] == HostKind::kOverhead) AddOverhead(row);
    }
  }

  // An overhead record on no thread that ops of several threads contain: the export does not say which was meant, and the
  // original may hold another than we do. Its whole time then moves from one row's self time to another's.
  bool SelfCpuMayDiffer(const std::string& name, double difference_ns) const {
    for (const auto& [candidate, duration_ns] : ambiguous_) {
      if (candidate == name && std::abs(std::abs(difference_ns) - duration_ns) < kRoundingNs) return true;
    }
    return false;
  }

  // The original gives GPU work to a record that has no op id of its own when its other id happens to equal an op's
  // (overhead records, API calls outside of ops), and from there to whatever contains the record. `excess_ns` is theirs
  // minus ours.
  bool GpuMayDiffer(const std::string& name, double excess_ns) const {
    const auto inherited = inherited_ns_.find(name);
    return inherited != inherited_ns_.end() && std::abs(excess_ns - inherited->second) < kRoundingNs;
  }

 private:
  std::string Name(uint32_t row) const {
    const std::string name(trace_.Text(trace_.host().name[row]));
    return name.starts_with("ProfilerStep#") ? "ProfilerStep*" : name;
  }

  void AddOverhead(uint32_t row) {
    const HostEvents& host = trace_.host();
    double inherited_ns = 0;
    for (const auto& [key, values] : theirs_) {
      if (std::get<0>(key) == Side::kHost && std::get<1>(key) == Name(row)) inherited_ns += values.gpu_ns;
    }
    std::map<std::string, bool> seen;  // equal names are one row of the table
    for (uint32_t at = row; at != kNoRow; at = host.parent[at]) {
      if (!std::exchange(seen[Name(at)], true)) inherited_ns_[Name(at)] += inherited_ns;
    }

    if (trace_.threads()[host.thread[row]].pid != -1) return;
    std::map<ThreadIndex, uint32_t> innermost;
    for (uint32_t at = 0; at < host.size(); ++at) {
      const bool call_layer =
          !IsFrame(host.kind[at]) && host.kind[at] != HostKind::kRecording && host.thread[at] != host.thread[row];
      const bool contains = host.start_ns[at] <= host.start_ns[row] && host.end_ns[row] <= host.end_ns[at];
      if (call_layer && contains) innermost[host.thread[at]] = at;
    }
    if (innermost.size() < 2) return;
    for (const auto& [thread, at] : innermost) ambiguous_.emplace(Name(at), static_cast<double>(host.duration_ns(row)));
  }

  const Trace& trace_;
  const Table& theirs_;
  std::multimap<std::string, double> ambiguous_;
  std::map<std::string, double> inherited_ns_;
};

void ExpectClose(double ours, double theirs, const std::string& what) { EXPECT_NEAR(ours, theirs, kRoundingNs) << what; }

void CompareHostRow(const std::string& name, const Values& ours, const Values& theirs, const Rules& rules,
                    const std::string& what) {
  EXPECT_EQ(ours.calls, theirs.calls) << what;
  ExpectClose(ours.cpu_ns, theirs.cpu_ns, what + ": CPU total");
  if (!rules.SelfCpuMayDiffer(name, theirs.self_cpu_ns - ours.self_cpu_ns)) {
    ExpectClose(ours.self_cpu_ns, theirs.self_cpu_ns, what + ": CPU self");
  }
  if (!rules.GpuMayDiffer(name, theirs.self_gpu_ns - ours.self_gpu_ns)) {
    ExpectClose(ours.self_gpu_ns, theirs.self_gpu_ns, what + ": GPU self");
  }
  if (!rules.GpuMayDiffer(name, theirs.gpu_ns - ours.gpu_ns)) ExpectClose(ours.gpu_ns, theirs.gpu_ns, what + ": GPU total");
}

void CompareTables(const Trace& trace, const Table& ours, const Table& theirs) {
  const Rules rules(trace, theirs);
  for (const auto& [key, values] : theirs) {
    const auto& [side, name, shapes] = key;
    const std::string what = name + " " + shapes + (side == Side::kGpu ? " (GPU)" : "");
    if (const auto found = ours.find(key); found != ours.end()) {
      if (side == Side::kHost) {
        CompareHostRow(name, found->second, values, rules, what);
      } else {
        EXPECT_EQ(found->second.calls, values.calls) << what;
        ExpectClose(found->second.self_gpu_ns, values.self_gpu_ns, what);
        ExpectClose(found->second.gpu_ns, values.gpu_ns, what);
      }
      continue;
    }
    // The original lists an annotation's GPU span as a row of GPU work; we give it to the annotation.
    const auto annotation = ours.find({Side::kHost, name, shapes});
    ASSERT_TRUE(side == Side::kGpu && annotation != ours.end()) << "only in the original: " << what;
    EXPECT_NEAR(annotation->second.projection_ns, values.gpu_ns, kSpanWideningNs * values.calls + kRoundingNs) << what;
  }
  for (const auto& [key, values] : ours) {
    EXPECT_TRUE(theirs.contains(key)) << "only in ours: " << std::get<1>(key) << " " << std::get<2>(key);
  }
}

class ParityTest : public ::testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    const std::string path = DataFile(std::string(GetParam()) + ".pt.trace.json.gz");
    if (!std::filesystem::exists(path)) GTEST_SKIP() << "1 recording missing: " << path;
    Result<Trace> trace = OpenTrace(path, {});
    ASSERT_TRUE(trace.ok()) << trace.status().message();
    trace_.emplace(std::move(trace).value());
  }
  std::optional<Trace> trace_;
};

TEST_P(ParityTest, ByName) {
  const KeyAverages averages = ComputeKeyAverages(*trace_, {}, {});
  CompareTables(*trace_, Ours(averages), Theirs(DataFile(std::string(GetParam()) + ".keyavg.json")));
}

TEST_P(ParityTest, ByShape) {
  const KeyAverages averages = ComputeKeyAverages(*trace_, {}, {.by_shape = true});
  CompareTables(*trace_, Ours(averages), Theirs(DataFile(std::string(GetParam()) + ".keyavg_shapes.json")));
}

INSTANTIATE_TEST_SUITE_P(Recordings, ParityTest,
                         ::testing::Values("decode_b1", "decode_b8", "decode_b1_stack", "prefill_b4", "train_b2", "graph_b1",
                                           "compile_b1"),
                         [](const auto& recording) { return std::string(recording.param); });

}  // namespace
}  // namespace warpsight::parity_test
