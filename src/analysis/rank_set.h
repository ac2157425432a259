// RankSet: the analyses of all ranks given of one run, as Given hands them to passes that compare ranks.
//
// Borrowed; filled by whoever opened the files, before the first pass runs. One thread drives each Analysis.
#pragma once

#include <cstdint>
#include <vector>

namespace warpsight {

class Analysis;

struct RankSet {
  struct Member {
    int32_t rank = 0;
    Analysis* analysis = nullptr;
  };
  std::vector<Member> members;  // in the order of the files: the first is the one that the report is of
  bool ranks_recorded = true;   // false: numbered in the order given
};

}  // namespace warpsight
