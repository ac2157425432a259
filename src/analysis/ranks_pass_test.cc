#include "analysis/ranks_pass.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "analysis/rank_traces.h"
#include "analysis/ranks_document.h"

namespace warpsight {
namespace {

constexpr std::string_view kAllReduceName = "ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)";

TEST(RanksPassTest, WaitAndTransferComeFromDurations) {
  RankTraces run(2);
  // Rank 1's clock is a second ahead; it comes 30 ns later to the first call and 10 ns earlier to the second.
  const Ns ahead = 1'000'000'000;
  run.rank(0).Collective(kAllReduceName, {100, 200}, {.in_elements = 500});
  run.rank(1).Collective(kAllReduceName, {ahead + 130, ahead + 200}, {.in_elements = 500});
  run.rank(0).Collective(kAllReduceName, {310, 400}, {.in_elements = 500});
  run.rank(1).Collective(kAllReduceName, {ahead + 300, ahead + 400}, {.in_elements = 500});
  const RanksResult& ranks = run.Compare();
  ASSERT_EQ(ranks.rows.size(), 2u);
  EXPECT_EQ(ranks.matching.matched, 2);
  EXPECT_EQ(ranks.rows[0].waits->wait_ns, 30);
  EXPECT_EQ(ranks.rows[1].waits->wait_ns, 10);
  EXPECT_EQ(ranks.rows[0].waits->transfer_ns, 70 + 90);
  EXPECT_EQ(ranks.rows[1].waits->transfer_ns, 70 + 90);
  EXPECT_EQ(ranks.rows[1].waits->last, 1);
  EXPECT_EQ(ranks.rows[1].waits->caused_wait_ns, 30);
  ASSERT_EQ(ranks.collectives.size(), 1u);
  EXPECT_EQ(ranks.collectives[0].calls, 2);
  EXPECT_DOUBLE_EQ(ranks.collectives[0].BusBytesPerSecond().value(), 1000 / 80e-9);  // 1000 bytes x 1 in 80 ns
  // Two collectives are too few for the clocks: arrival times are refused, waits are not.
  EXPECT_FALSE(ranks.clocks_comparable);
  EXPECT_NE(ranks.clocks.find("not compared across ranks"), std::string::npos);
  EXPECT_EQ(ranks.rows[1].waits->late_median_ns, std::nullopt);
}

// Rank 1 comes late to every collective, after an idle time that its host spent in "load data".
void MakeStraggler(RankTraces& run, int steps, Ns clock_of_rank_1, Ns late) {
  for (size_t rank = 0; rank < 2; ++rank) {
    HandMadeTrace& make = run.rank(rank);
    for (int step = 0; step < steps; ++step) {
      const Ns at = (rank == 1 ? clock_of_rank_1 : 0) + step * 100'000;
      const Ns delay = rank == 1 ? late : 0;
      const auto correlation = static_cast<uint32_t>(step * 10 + 1);
      make.Range("ProfilerStep#" + std::to_string(step), {at, at + 100'000});
      if (rank == 1) make.Range("load data", {at + 100, at + 5'000 + delay});
      make.Api("cudaLaunchKernel", {at + 5'000 + delay, at + 6'000 + delay}, correlation);
      make.Kernel("gemm", {at + 7'000 + delay, at + 20'000 + delay}, correlation);
      make.Api("cudaLaunchKernel", {at + 8'000 + delay, at + 9'000 + delay}, correlation + 1);
      // Ends 20 us after the later rank came.
      make.Collective(kAllReduceName, {at + 20'000 + delay, at + 40'000 + late}, {}, correlation + 1);
    }
  }
}

TEST(RanksPassTest, TheSlowRankIsNamedWithItsCause) {
  RankTraces run(2);
  MakeStraggler(run, 3, 0, 30'000);
  const RanksResult& ranks = run.Compare();
  ASSERT_TRUE(ranks.slow.has_value()) << ranks.no_slow_rank;
  EXPECT_EQ(ranks.rows[ranks.slow->row].rank, 1);
  EXPECT_EQ(ranks.slow->wait_ns, 30'000);  // a step
  EXPECT_EQ(ranks.slow->exposed_wait_ns, 30'000);
  EXPECT_EQ(ranks.slow->last, 3);
  EXPECT_EQ(ranks.slow->share, 1.0);
  ASSERT_EQ(ranks.slow->causes.size(), 2u);
  EXPECT_NE(ranks.slow->causes[0].find("idle 30.00 us a step longer"), std::string::npos) << ranks.slow->causes[0];
  EXPECT_NE(ranks.slow->causes[1].find("load data"), std::string::npos) << ranks.slow->causes[1];
  for (const RankRow& row : ranks.rows) {
    EXPECT_EQ(row.steps->wall_ns, row.steps->compute_ns + row.steps->exposed_collective_ns + row.steps->idle_ns);
    EXPECT_EQ(row.waits->collective_ns, row.waits->wait_ns + row.waits->transfer_ns);
  }
  const Document document = MakeRanksDocument(ranks, {});
  EXPECT_EQ(document.data["slow_rank"]["rank"], 1);
  EXPECT_EQ(document.data["rows"][0]["wait_ns"], 30'000);
  EXPECT_EQ(document.data["rows"][1]["wait_ns"], 0);
  EXPECT_EQ(document.data["rows"][0]["step_wall_ns"], 100'000);
}

TEST(RanksPassTest, ASlowRankMayComputeLonger) {
  RankTraces run(3);
  for (size_t rank = 0; rank < 3; ++rank) {
    const Ns compute = rank == 2 ? 60'000 : 20'000;
    run.rank(rank).Kernel("gemm", {0, compute});
    run.rank(rank).Collective(kAllReduceName, {compute, 80'000}, {.group_size = 3, .ranks = "[0, 1, 2]"});
  }
  const RanksResult& ranks = run.Compare();
  ASSERT_TRUE(ranks.slow.has_value());
  EXPECT_EQ(ranks.rows[ranks.slow->row].rank, 2);
  EXPECT_EQ(ranks.slow->wait_ns, 40'000);  // the mean of the other two
  ASSERT_EQ(ranks.slow->causes.size(), 1u);
  EXPECT_NE(ranks.slow->causes[0].find("computes 40.00 us a step longer"), std::string::npos);
}

TEST(RanksPassTest, WaitsThatWorkHidesAreNotExposed) {
  RankTraces run(2);
  run.rank(0).Kernel("gemm", {0, 90});
  run.rank(0).OnStream(9).Collective(kAllReduceName, {20, 100}, {});
  run.rank(1).OnStream(9).Collective(kAllReduceName, {70, 100}, {});
  const RanksResult& ranks = run.Compare();
  EXPECT_EQ(ranks.rows[0].waits->wait_ns, 50);
  EXPECT_EQ(ranks.rows[0].waits->exposed_wait_ns, 0);
}

TEST(RanksPassTest, ClocksElevenSecondsApartAreAligned) {
  RankTraces run(2);
  MakeStraggler(run, 10, -11'000'000'000, 30'000);
  const RanksResult& ranks = run.Compare();
  EXPECT_TRUE(ranks.clocks_comparable);
  EXPECT_EQ(ranks.rows[1].clock->offset_ns, -11'000'000'000);
  EXPECT_EQ(ranks.rows[1].clock->error_ns, 0);
  EXPECT_NE(ranks.clocks.find("off by up to 11.00 s"), std::string::npos) << ranks.clocks;
  EXPECT_EQ(ranks.rows[0].waits->late_median_ns, 0);
  EXPECT_EQ(ranks.rows[1].waits->late_median_ns, 30'000);
}

TEST(RanksPassTest, TheFirstFileIsTheMainRank) {
  RankTraces run(2);
  MakeStraggler(run, 10, 5'000'000, 30'000);
  const RanksResult& ranks = run.Compare(1);
  EXPECT_EQ(ranks.main, 1u);
  EXPECT_FALSE(ranks.rows[1].clock.has_value());
  EXPECT_EQ(ranks.rows[0].clock->offset_ns, -5'000'000);
  EXPECT_EQ(ranks.rows[ranks.slow->row].rank, 1);
}

TEST(RanksPassTest, OneRankCutShortIsMatchedByStepNumbers) {
  RankTraces run(2);
  for (size_t rank = 0; rank < 2; ++rank) {
    for (int step = static_cast<int>(rank) * 2; step < 6; ++step) {  // rank 1 lacks the first two steps
      const Ns at = step * 1000;
      const auto correlation = static_cast<uint32_t>(step + 1);
      run.rank(rank).Range("ProfilerStep#" + std::to_string(step), {at, at + 1000});
      run.rank(rank).Api("cudaLaunchKernel", {at + 10, at + 20}, correlation);
      run.rank(rank).Collective(kAllReduceName, {at + 100 + step * 10, at + 300}, {}, correlation);
    }
  }
  const RanksResult& ranks = run.Compare();
  EXPECT_EQ(ranks.matching.matched, 4);
  EXPECT_EQ(ranks.matching.unmatched, 2);
  EXPECT_EQ(ranks.rows[0].waits->wait_ns, 0);  // equal durations, when matched right
  EXPECT_EQ(ranks.rows[1].waits->wait_ns, 0);
}

TEST(RanksPassTest, WithoutStepsTheShiftIsToldByTheEnds) {
  std::mt19937 random(11);
  RankTraces run(2);
  Ns at = 0;
  for (int call = 0; call < 60; ++call) {
    at += std::uniform_int_distribution<Ns>(50'000, 90'000)(random);
    run.rank(0).Collective(kAllReduceName, {at, at + 20'000}, {});
    if (call >= 7 && call < 50) run.rank(1).Collective(kAllReduceName, {at + 777'000'000, at + 777'020'000}, {});
  }
  const RanksResult& ranks = run.Compare();
  EXPECT_EQ(ranks.matching.matched, 43);
  EXPECT_EQ(ranks.rows[1].clock->offset_ns, 777'000'000);
  EXPECT_EQ(ranks.rows[1].clock->error_ns, 0);
  ASSERT_EQ(ranks.matching.notes.size(), 1u);
  EXPECT_NE(ranks.matching.notes[0].find("different parts of the run"), std::string::npos);
}

TEST(RanksPassTest, LaunchOrderCountsWhereDeviceTimesAreDisturbed) {
  std::mt19937 random(17);
  RankTraces run(2);
  for (int call = 0; call < 20; ++call) {
    const HandMadeTrace::CollectiveSpec spec{.in_elements = 100 + call};
    for (size_t rank = 0; rank < 2; ++rank) {
      const Ns at = call * 100'000;
      const Ns disturbed = rank == 0 ? 0 : std::uniform_int_distribution<Ns>(0, 900'000)(random);
      run.rank(rank).Api("cudaLaunchKernel", {at, at + 1000}, static_cast<uint32_t>(call + 1));
      run.rank(rank).Collective(kAllReduceName, {at + disturbed, at + disturbed + 500}, spec,
                                static_cast<uint32_t>(call + 1));
    }
  }
  const RanksResult& ranks = run.Compare();
  EXPECT_EQ(ranks.matching.matched, 20);
  EXPECT_FALSE(ranks.clocks_comparable);
  EXPECT_NE(ranks.clocks.find("from a constant distance"), std::string::npos) << ranks.clocks;
}

TEST(RanksPassTest, AShiftIsToldByKindsAndBytes) {
  RankTraces run(2);
  for (int call = 0; call < 6; ++call) {
    const HandMadeTrace::CollectiveSpec spec{.in_elements = 100 + call};
    run.rank(0).Collective(kAllReduceName, {call * 100, call * 100 + 50}, spec);
    if (call > 0) run.rank(1).Collective(kAllReduceName, {call * 100, call * 100 + 50}, spec);
  }
  const RanksResult& ranks = run.Compare();
  EXPECT_EQ(ranks.matching.matched, 5);
  EXPECT_EQ(ranks.rows[0].waits->wait_ns, 0);
  EXPECT_TRUE(ranks.matching.notes.empty());
}

TEST(RanksPassTest, AnEmptySecondRankIsNoCrash) {
  RankTraces run(2);
  run.rank(0).Collective(kAllReduceName, {0, 100}, {});
  const RanksResult& ranks = run.Compare();
  EXPECT_FALSE(ranks.rows[1].steps.has_value());
  EXPECT_FALSE(ranks.rows[1].waits.has_value());
  EXPECT_FALSE(ranks.slow.has_value());
  EXPECT_EQ(ranks.matching.matched, 0);
  const Document document = MakeRanksDocument(ranks, {});
  EXPECT_TRUE(document.data["rows"][1]["busy_ns"].is_null());
  EXPECT_TRUE(document.data["rows"][1]["wait_ns"].is_null());
  EXPECT_TRUE(document.data["slow_rank"].is_null());
}

TEST(RanksPassTest, GroupsAreMatchedForThemselvesAndPointToPointIsNot) {
  RankTraces run(4);
  const auto pair = [](size_t rank) { return rank < 2 ? "[0, 1]" : "[2, 3]"; };
  for (size_t rank = 0; rank < 4; ++rank) {
    run.rank(rank).Collective(kAllReduceName, {0, 100 + static_cast<Ns>(rank)}, {.group = "tp", .ranks = pair(rank)});
    run.rank(rank).Collective(kAllReduceName, {200, 300}, {.group_size = 4, .group = "world", .ranks = "[0, 1, 2, 3]"});
    run.rank(rank).Collective("ncclDevKernel_SendRecv(ncclDevKernelArgsStorage<4096ul>)", {400, 500}, {.name = "send"});
  }
  const RanksResult& ranks = run.Compare();
  EXPECT_EQ(ranks.matching.matched, 3);
  EXPECT_EQ(ranks.matching.unmatched, 4);
  EXPECT_EQ(ranks.rows[1].waits->wait_ns, 1);
  EXPECT_EQ(ranks.rows[3].waits->wait_ns, 1);
  ASSERT_EQ(ranks.matching.notes.size(), 1u);
  EXPECT_NE(ranks.matching.notes[0].find("point-to-point"), std::string::npos);
}

TEST(RanksPassTest, WithoutAGroupTheEndsMustConfirm) {
  for (const bool confirmed : {true, false}) {
    std::mt19937 random(3);
    RankTraces run(2);
    for (int call = 0; call < 20; ++call) {
      const Ns at = call * 1'000'000;
      const Ns off = confirmed ? 0 : std::uniform_int_distribution<Ns>(0, 800'000)(random);
      run.rank(0).Kernel("void vllm::cross_device_reduce_1stage<__half, 2>()", {at, at + 20'000});
      run.rank(1).Kernel("void vllm::cross_device_reduce_1stage<__half, 2>()", {at + 5'000 + off, at + 20'000 + off});
    }
    const RanksResult& ranks = run.Compare();
    EXPECT_EQ(ranks.matching.matched, confirmed ? 20 : 0);
    EXPECT_EQ(ranks.rows[0].waits.has_value(), confirmed);
    EXPECT_FALSE(ranks.matching.notes.empty());
  }
}

TEST(RanksPassTest, OneRankIsNotEvaluated) {
  HandMadeTrace make;
  make.Collective(kAllReduceName, {0, 10}, {});
  const Trace trace = make.Seal();
  Analysis analysis(trace, {});
  EXPECT_EQ(analysis.Get<RanksPass>().status().kind(), StatusKind::kLacks);
}

// Random runs against sums over a plain list of the true arrivals.
TEST(RanksPassTest, RandomRunsAgreeWithTheTrueWaits) {
  std::mt19937_64 random(5);
  const auto number = [&](Ns least, Ns most) { return std::uniform_int_distribution<Ns>(least, most)(random); };
  for (int round = 0; round < 60; ++round) {
    const size_t count = static_cast<size_t>(number(2, 5));
    RankTraces run(static_cast<int32_t>(count));
    std::vector<Ns> clock(count);
    for (size_t rank = 1; rank < count; ++rank) clock[rank] = number(-12'000'000'000, 12'000'000'000);
    std::vector<Ns> waits(count);
    Ns transfers = 0;
    Ns at = 0;
    const Ns calls = number(8, 40);
    for (Ns call = 0; call < calls; ++call) {
      std::vector<Ns> arrival(count);
      for (Ns& one : arrival) one = at + number(0, 50'000);
      const Ns last = *std::max_element(arrival.begin(), arrival.end());
      const Ns transfer = number(1, 30'000);
      for (size_t rank = 0; rank < count; ++rank) {
        run.rank(rank).Collective(kAllReduceName, {clock[rank] + arrival[rank], clock[rank] + last + transfer}, {});
        waits[rank] += last - arrival[rank];
      }
      transfers += transfer;
      at = last + transfer + number(0, 1000);
    }
    const RanksResult& ranks = run.Compare(static_cast<size_t>(number(0, static_cast<Ns>(count) - 1)));
    ASSERT_EQ(ranks.matching.matched, calls);
    ASSERT_TRUE(ranks.clocks_comparable);
    for (size_t rank = 0; rank < count; ++rank) {
      EXPECT_EQ(ranks.rows[rank].waits->wait_ns, waits[rank]);
      EXPECT_EQ(ranks.rows[rank].waits->transfer_ns, transfers);
      if (rank != ranks.main) {
        EXPECT_EQ(ranks.rows[rank].clock->offset_ns, clock[rank] - clock[ranks.main]);
        EXPECT_EQ(ranks.rows[rank].clock->error_ns, 0);
      }
    }
  }
}

}  // namespace
}  // namespace warpsight
