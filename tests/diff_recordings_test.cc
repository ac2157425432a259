// Comparisons of recordings of our own and of public ones: sums that reconcile, sides that can be swapped, and what is known
// of the runs. Recordings that are not in the repository are skipped where they are absent.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "analysis/diff/diff.h"
#include "analysis/steps_pass.h"
#include "formats/open_trace.h"
#include "shared_data.h"

namespace warpsight::diff_recordings_test {
namespace {

std::unique_ptr<Trace> Open(const std::string& file) {
  Result<Trace> trace = OpenTrace(file, {});
  return trace.ok() ? std::make_unique<Trace>(std::move(trace).value()) : nullptr;
}

std::vector<std::string> Recordings() {
  std::vector<std::string> files;
  for (const std::string folder : {std::string(WARPSIGHT_EXAMPLES_DIR), std::string(WARPSIGHT_TESTDATA_DIR)}) {
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.is_regular_file()) files.push_back(entry.path().string());
    }
  }
  for (const std::string& file : testing::SharedFiles("h200/torch")) {
    if (file.ends_with(".pt.trace.json.gz")) files.push_back(file);
  }
  std::sort(files.begin(), files.end());
  return files;
}

void ExpectReconciled(const DiffResult& diff, const std::string& what) {
  if (!diff.kernels) return;
  const Ns work_a = diff.metrics[kDiffWork].a->mean();
  const Ns work_b = diff.metrics[kDiffWork].b->mean();
  for (const DiffTable* table : {&*diff.kernels, &*diff.parts, &diff.ops}) {
    Ns sum_a = 0;
    Ns sum_b = 0;
    for (const DiffRow& row : table->rows) {
      sum_a += row.gpu.a_ns;
      sum_b += row.gpu.b_ns;
    }
    EXPECT_EQ(sum_a, work_a) << what;
    EXPECT_EQ(sum_b, work_b) << what;
  }
}

// By step and device the busy time of `steps`, summed over devices.
std::vector<int64_t> BusyOfSteps(Analysis& analysis) {
  std::map<uint32_t, int64_t> busy;
  for (const StepRow& row : analysis.Get<StepsPass>()->rows) busy[row.step] += row.gpu ? row.gpu->busy_ns : 0;
  std::vector<int64_t> values;
  for (const auto& [step, ns] : busy) values.push_back(ns);
  return values;
}

TEST(DiffRecordingsTest, EveryPairReconcilesAndTurnsAround) {
  std::vector<std::unique_ptr<Trace>> traces;
  for (const std::string& file : Recordings()) {
    if (std::unique_ptr<Trace> trace = Open(file); trace != nullptr && !trace->capture().empty())
      traces.push_back(std::move(trace));
  }
  ASSERT_GT(traces.size(), 8u);
  for (size_t i = 0; i < traces.size(); ++i) {
    for (const size_t j : {i, (i + 1) % traces.size(), (i + 5) % traces.size()}) {
      const std::string what = traces[i]->recording().file + " and " + traces[j]->recording().file;
      Analysis a(*traces[i], {});
      Analysis b(*traces[j], {});
      const Result<DiffResult> diff = CompareRecordings(a, b);
      ASSERT_TRUE(diff.ok()) << what;
      ExpectReconciled(*diff, what);
      const Result<DiffResult> turned = CompareRecordings(b, a);
      ASSERT_TRUE(turned.ok()) << what;
      for (size_t metric = 0; metric < kDiffMetricCount; ++metric)
        EXPECT_EQ(diff->metrics[metric].change.value_or(0), -turned->metrics[metric].change.value_or(0)) << what;
      EXPECT_EQ(diff->ops.cpu->change_ns(), -turned->ops.cpu->change_ns()) << what;
      if (diff->kernels) EXPECT_EQ(diff->kernels->gpu.change_ns(), -turned->kernels->gpu.change_ns()) << what;
      if (diff->by_steps && diff->a.has_gpu) EXPECT_EQ(diff->a.metrics[kDiffBusy], BusyOfSteps(a)) << what;
      if (i != j) continue;
      for (const DiffMetricRow& row : diff->metrics) EXPECT_EQ(row.change.value_or(0), 0) << what;
      for (const DiffRow& row : diff->ops.rows) EXPECT_EQ(row.size_ns(), 0) << what << ": " << row.name();
    }
  }
}

const DiffFact& FactOf(const DiffResult& diff, std::string_view what) {
  for (const DiffFact& fact : diff.facts) {
    if (fact.what == what) return fact;
  }
  ADD_FAILURE() << what;
  return diff.facts.front();
}

// The same model with one and with eight sequences.
TEST(DiffRecordingsTest, BatchOneAgainstEight) {
  const std::unique_ptr<Trace> one = Open((testing::SharedData() / "h200/torch/decode_b1.pt.trace.json.gz").string());
  const std::unique_ptr<Trace> eight = Open((testing::SharedData() / "h200/torch/decode_b8.pt.trace.json.gz").string());
  if (one == nullptr || eight == nullptr) GTEST_SKIP() << "the recordings are not here";
  Analysis a(*one, {});
  Analysis b(*eight, {});
  const Result<DiffResult> diff = CompareRecordings(a, b);
  ASSERT_TRUE(diff.ok());
  EXPECT_TRUE(diff->by_steps);
  EXPECT_TRUE(FactOf(*diff, "batch").differs());
  EXPECT_EQ(FactOf(*diff, "batch").b, "8");
  EXPECT_FALSE(FactOf(*diff, "model").differs());
  EXPECT_FALSE(FactOf(*diff, "hidden size").differs());
  EXPECT_EQ(diff->metrics[kDiffLaunches].change, 0) << "the host does the same whatever the batch is";
  // GEMMs of eight rows take other tiles: the linear layers' kernels are found again by their op.
  const auto renamed = std::count_if(diff->kernels->rows.begin(), diff->kernels->rows.end(),
                                     [](const DiffRow& row) { return row.change == DiffChange::kRenamed; });
  EXPECT_GT(renamed, 0);
  for (const DiffRow& row : diff->kernels->rows) {
    if (!row.pair) continue;
    EXPECT_NE(row.name_a, row.name_b);
    EXPECT_FALSE(row.pair->reason.empty());
  }
}

}  // namespace
}  // namespace warpsight::diff_recordings_test
