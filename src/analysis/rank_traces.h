// RankTraces: several hand-made ranks of one run and their analyses. Test code only.
//
//   RankTraces run(2);
//   run.rank(0).Collective("ncclAllReduce", {0, 100}, {});
//   run.rank(1).Collective("ncclAllReduce", {40, 100}, {});
//   const RanksResult& ranks = run.Compare();
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "analysis/hand_made_trace.h"
#include "analysis/ranks_pass.h"

namespace warpsight {

class RankTraces {
 public:
  explicit RankTraces(int32_t ranks) {
    for (int32_t rank = 0; rank < ranks; ++rank) {
      makers_.push_back(std::make_unique<HandMadeTrace>());
      RecordingInfo& info = makers_.back()->builder().header().recording;
      info.rank = rank;
      info.world_size = ranks;
      info.file = "rank" + std::to_string(rank);
    }
  }
  HandMadeTrace& rank(size_t rank) { return *makers_[rank]; }

  // Seals all; `first` is the rank that the report is of.
  const RanksResult& Compare(size_t first = 0) {
    for (std::unique_ptr<HandMadeTrace>& maker : makers_) traces_.push_back(std::make_unique<Trace>(maker->Seal()));
    Given given;
    given.ranks = &set_;
    for (size_t i = 0; i < traces_.size(); ++i) {
      const size_t rank = (i + first) % traces_.size();
      analyses_.push_back(std::make_unique<Analysis>(*traces_[rank], Selection{}, given));
      set_.members.push_back({static_cast<int32_t>(rank), analyses_.back().get()});
    }
    const Result<RanksResult>& result = analyses_.front()->Get<RanksPass>();
    EXPECT_TRUE(result.ok());
    return *result;
  }
  Analysis& analysis() { return *analyses_.front(); }

 private:
  std::vector<std::unique_ptr<HandMadeTrace>> makers_;
  std::vector<std::unique_ptr<Trace>> traces_;
  RankSet set_;
  std::vector<std::unique_ptr<Analysis>> analyses_;
};

}  // namespace warpsight
