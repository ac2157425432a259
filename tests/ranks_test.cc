// Ranks of our own and of public recordings: what was run is known (two H200, data parallel and tensor parallel).
#include <gtest/gtest.h>

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "analysis/file_roles.h"
#include "analysis/ranks_document.h"
#include "diagnosis/diagnose.h"
#include "formats/open_trace.h"
#include "shared_data.h"

namespace warpsight::ranks_test {
namespace {

constexpr double kLink = 450e9;  // NVLink of an H200, one way

class RankFiles {
 public:
  explicit RankFiles(const std::vector<std::string>& files) {
    Given given;
    given.ranks = &set_;
    std::vector<const Trace*> traces;
    for (const std::string& file : files) {
      Result<Trace> trace = OpenTrace(file, {});
      EXPECT_TRUE(trace.ok()) << trace.status().message();
      traces.push_back(traces_.emplace_back(std::make_unique<Trace>(std::move(trace).value())).get());
    }
    const FileRoles roles = ClassifyFiles(traces);
    EXPECT_EQ(roles.role, FilesRole::kRanks) << roles.problem;
    for (size_t i = 0; i < traces.size(); ++i) {
      analyses_.push_back(std::make_unique<Analysis>(*traces[i], Selection{}, given));
      set_.members.push_back({roles.ranks[i], analyses_.back().get()});
    }
  }
  Analysis& analysis() { return *analyses_.front(); }
  const RanksResult& ranks() { return *analysis().Get<RanksPass>(); }

 private:
  std::vector<std::unique_ptr<Trace>> traces_;
  RankSet set_;
  std::vector<std::unique_ptr<Analysis>> analyses_;
};

std::vector<std::string> Example(const std::string& name) {
  const std::string folder = std::string(WARPSIGHT_EXAMPLES_DIR) + "/" + name;
  return {folder + "_rank0.pt.trace.json.gz", folder + "_rank1.pt.trace.json.gz"};
}

const Finding* Find(const Diagnosis& diagnosis, std::string_view id) {
  for (const Finding& finding : diagnosis.findings) {
    if (finding.id == id) return &finding;
  }
  return nullptr;
}

// Sums and spreads were worked out apart from this program, over the kernels of both files in order.
TEST(RanksOnRecordingsTest, DataParallel) {
  RankFiles run(Example("ddp"));
  const RanksResult& ranks = run.ranks();
  EXPECT_EQ(ranks.world_size, 2);
  EXPECT_EQ(ranks.matching.matched, 57);
  EXPECT_EQ(ranks.matching.unmatched, 0);
  EXPECT_EQ(ranks.rows[0].waits->wait_ns, 0);
  EXPECT_EQ(ranks.rows[1].waits->wait_ns, 15'461'125);
  EXPECT_EQ(ranks.rows[0].waits->transfer_ns, 7'954'220);
  ASSERT_TRUE(ranks.slow.has_value());
  EXPECT_EQ(ranks.rows[ranks.slow->row].rank, 0);
  EXPECT_EQ(ranks.slow->last, 57);
  EXPECT_FALSE(ranks.slow->causes.empty());
  EXPECT_TRUE(ranks.clocks_comparable);
  EXPECT_EQ(ranks.rows[1].clock->offset_ns, -7'799);
  for (const RankCollective& one : ranks.collectives) {
    ASSERT_TRUE(one.BusBytesPerSecond().has_value());
    EXPECT_LT(*one.BusBytesPerSecond(), kLink);
  }
  EXPECT_GT(*ranks.collectives.front().BusBytesPerSecond(), kLink / 4);  // 33.6 MB: the link is used, not only touched

  EXPECT_EQ(run.analysis().Get<CollectivesPass>()->devices[0].link_bytes_per_s, kLink);

  const Diagnosis diagnosis = Diagnose(run.analysis());
  const Finding* exposed = Find(diagnosis, "exposed_collectives");
  ASSERT_NE(exposed, nullptr);
  EXPECT_GT(exposed->gain_ns.value(), 0);
  EXPECT_LE(exposed->gain_ns.value(), ranks.rows[0].steps->PerStep(ranks.rows[0].steps->exposed_collective_ns));
  const Finding* slow = Find(diagnosis, "slow_rank");
  ASSERT_NE(slow, nullptr);
  EXPECT_EQ(slow->title, "The ranks wait for rank 0");
}

TEST(RanksOnRecordingsTest, TensorParallel) {
  RankFiles run(Example("tp"));
  const RanksResult& ranks = run.ranks();
  EXPECT_EQ(ranks.matching.matched, 132);
  EXPECT_EQ(ranks.rows[0].waits->wait_ns, 557'830);
  EXPECT_EQ(ranks.rows[1].waits->wait_ns, 11'277'729);
  EXPECT_EQ(ranks.rows[1].waits->transfer_ns, 652'152);
  // Rank 1's all-reduce time is mostly waiting.
  EXPECT_GT(ranks.rows[1].waits->wait_ns, 9 * ranks.rows[1].waits->collective_ns / 10);
  ASSERT_TRUE(ranks.slow.has_value());
  EXPECT_EQ(ranks.rows[ranks.slow->row].rank, 0);
  EXPECT_LT(ranks.rows[1].clock->error_ns, 1000);
}

TEST(RanksOnRecordingsTest, PublicRanksThatCannotBeMatchedSayWhy) {
  const std::string folder = (testing::SharedData() / "public/torch/hta_multirank_sampled_rank-").string();
  if (!std::filesystem::exists(folder + "0.json.gz")) GTEST_SKIP() << "no shared recordings";
  RankFiles run({folder + "0.json.gz", folder + "1.json.gz"});
  const RanksResult& ranks = run.ranks();
  EXPECT_EQ(ranks.world_size, 128);
  EXPECT_FALSE(ranks.clocks_comparable);
  EXPECT_FALSE(ranks.slow.has_value());
  EXPECT_FALSE(ranks.matching.notes.empty());
  EXPECT_GT(ranks.rows[1].steps->exposed_collective_ns, 0);
}

}  // namespace
}  // namespace warpsight::ranks_test
