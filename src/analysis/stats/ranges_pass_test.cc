#include "analysis/stats/ranges_pass.h"

#include <gtest/gtest.h>

#include <string>

#include "analysis/stats/ranges_document.h"
#include "trace/trace_builder.h"

namespace warpsight {
namespace {

class RangedRecording {
 public:
  RangedRecording& Range(std::string_view name, Ns start, Ns end, std::string_view tid = "1") {
    return Host(HostKind::kRange, name, start, end, 0, tid);
  }
  // A call, and a kernel that it launches.
  RangedRecording& Launch(Ns call, Ns start, Ns end, std::string_view tid = "1") {
    Host(HostKind::kApi, "cudaLaunchKernel", call, call + 1, ++launches_, tid);
    GpuWorkRow row;
    row.stream = builder_.names().InternStream(0, 7, kAbsent);
    row.name = builder_.Intern("k");
    row.start_ns = start;
    row.duration_ns = end - start;
    row.correlation = launches_;
    builder_.Add(row);
    return *this;
  }
  Trace Seal() { return std::move(builder_).Seal(); }

 private:
  RangedRecording& Host(HostKind kind, std::string_view name, Ns start, Ns end, uint32_t correlation, std::string_view tid) {
    HostEventRow row;
    row.thread = builder_.names().InternThread("9", tid);
    row.kind = kind;
    row.name = builder_.Intern(name);
    row.start_ns = start;
    row.duration_ns = end - start;
    row.correlation = correlation;
    builder_.Add(row);
    return *this;
  }

  TraceBuilder builder_;
  uint32_t launches_ = 0;
};

Trace TwoRangedSteps() {
  return RangedRecording()
      .Range("step", 0, 100)
      .Range("forward", 10, 50)
      .Launch(20, 200, 230)
      .Launch(60, 240, 250)
      .Range("step", 300, 400)
      .Range("forward", 310, 350)
      .Launch(320, 500, 540)
      .Launch(450, 600, 605)
      .Range("async", 15, 315, "1 start/end ranges")
      .Seal();
}

TEST(RangesPassTest, SelfIsTheInnermostRangeAndTotalAllAround) {
  const Trace trace = TwoRangedSteps();
  Analysis analysis(trace, {});
  const Result<RangesResult>& ranges = analysis.Get<RangesPass>();
  ASSERT_TRUE(ranges.ok());
  ASSERT_EQ(ranges->rows.size(), 4u);
  const RangeRow& step = ranges->rows[0];
  EXPECT_EQ(step.name, "step");
  EXPECT_EQ(step.instances, 2);
  EXPECT_EQ(step.host_ns, 200);
  EXPECT_EQ(step.self_gpu_ns, 10);
  EXPECT_EQ(step.gpu_ns, 80);
  EXPECT_EQ(step.work, 3);
  EXPECT_EQ(step.projected_ns, 50 + 40);
  const RangeRow& forward = ranges->rows[1];
  EXPECT_EQ(forward.name, "forward");
  EXPECT_EQ(forward.parent, 0u);
  EXPECT_EQ(forward.depth, 1);
  EXPECT_EQ(forward.self_gpu_ns, 70);
  EXPECT_EQ(forward.projected_ns, 30 + 40);
  // It holds the launches at 20 and 60 and takes nothing away from the tree.
  const RangeRow& async = ranges->rows[2];
  EXPECT_EQ(async.name, "async");
  EXPECT_TRUE(async.start_end);
  EXPECT_EQ(async.gpu_ns, 40);
  EXPECT_EQ(async.self_gpu_ns, 0);
  EXPECT_EQ(async.projected_ns, 50);
  EXPECT_EQ(ranges->rows[3].name, "");
  EXPECT_EQ(ranges->rows[3].gpu_ns, 5);
  EXPECT_EQ(ranges->gpu_work_ns, 85);
}

TEST(RangesPassTest, AWindowCutsTime) {
  const Trace trace = TwoRangedSteps();
  Selection selection;
  selection.range = Interval{210, 520};
  Analysis analysis(trace, selection);
  const Result<RangesResult>& ranges = analysis.Get<RangesPass>();
  ASSERT_TRUE(ranges.ok());
  EXPECT_EQ(ranges->rows[0].instances, 1);
  EXPECT_EQ(ranges->rows[0].gpu_ns, 20 + 10 + 20);
  EXPECT_EQ(ranges->rows[0].work, 2);
}

TEST(RangesPassTest, WithoutRangesItSaysWhatToDo) {
  const Trace trace = RangedRecording().Launch(0, 5, 6).Seal();
  Analysis analysis(trace, {});
  EXPECT_EQ(analysis.Get<RangesPass>().status().kind(), StatusKind::kLacks);
}

TEST(RangesDocumentTest, PathsAndIndent) {
  const Trace trace = TwoRangedSteps();
  Analysis analysis(trace, {});
  const Document document = MakeRangesDocument(*analysis.Get<RangesPass>(), 0);
  EXPECT_EQ(document.data["rows"][1]["path"], nlohmann::ordered_json({"step", "forward"}));
  EXPECT_TRUE(document.data["rows"][3]["range"].is_null());
  const Result<const Table*> table = OnlyTable(document);
  ASSERT_TRUE(table.ok());
  EXPECT_EQ((*table)->rows[1][0], Cell(std::string("  forward")));
}

// Whole paths of a deep nest are together as large as the square of its depth.
TEST(RangesDocumentTest, DeepNestsAreShownByTheirInnermostNames) {
  constexpr int kDepth = 3000;
  RangedRecording recording;
  for (int i = 0; i < kDepth; ++i) recording.Range("level " + std::to_string(i), i, 10'000 - i);
  const Trace trace = recording.Launch(5000, 6000, 6010).Seal();
  Analysis analysis(trace, {});
  const Document document = MakeRangesDocument(*analysis.Get<RangesPass>(), 0);
  const nlohmann::ordered_json& rows = document.data["rows"];
  ASSERT_EQ(rows.size(), static_cast<size_t>(kDepth));
  EXPECT_EQ(rows[2]["path"], nlohmann::ordered_json({"level 0", "level 1", "level 2"}));
  EXPECT_EQ(rows[2]["path_names_left_out"], 0);
  EXPECT_TRUE(rows[0]["parent"].is_null());
  const nlohmann::ordered_json& last = rows[kDepth - 1];
  EXPECT_EQ(last["parent"], kDepth - 2);
  EXPECT_EQ(last["path"].size(), 16u);
  EXPECT_EQ(last["path"][15], "level 2999");
  EXPECT_EQ(last["path_names_left_out"], kDepth - 16);
  EXPECT_LT(document.data.dump().size(), static_cast<size_t>(kDepth) * 1000);
  const Result<const Table*> table = OnlyTable(document);
  ASSERT_TRUE(table.ok());
  const std::string shown = std::get<std::string>((*table)->rows[kDepth - 1][0]);
  EXPECT_EQ(shown, std::string(48, ' ') + "(2999 deep) level 2999");
}

TEST(RangesDocumentTest, LongNamesAreCut) {
  const std::string name = "a" + std::string(1 << 20, 'b');
  RangedRecording recording;
  for (int i = 0; i < 100; ++i) recording.Range(name, i, 10'000 - i);
  const Trace trace = recording.Launch(5000, 6000, 6010).Seal();
  Analysis analysis(trace, {});
  const Document document = MakeRangesDocument(*analysis.Get<RangesPass>(), 0);
  EXPECT_LT(document.data.dump().size(), size_t{2} << 20);
  EXPECT_EQ(document.data["rows"][99]["path"].size(), 1u);
  EXPECT_EQ(document.data["rows"][99]["path_names_left_out"], 99);
}

}  // namespace
}  // namespace warpsight
