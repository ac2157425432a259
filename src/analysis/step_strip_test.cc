#include "analysis/step_strip.h"

#include <gtest/gtest.h>

#include <string>

#include "analysis/hand_made_trace.h"

namespace warpsight {
namespace {

const Lane* FindLane(const TimelineStrip& strip, const std::string& label) {
  for (const Lane& lane : strip.lanes) {
    if (lane.label == label) return &lane;
  }
  return nullptr;
}

TimelineStrip StripOf(const Trace& trace) {
  Analysis analysis(trace, {});
  const std::optional<TimelineStrip> strip = MakeStepStrip(analysis);
  EXPECT_TRUE(strip.has_value());
  return strip.value_or(TimelineStrip{});
}

TEST(StepStrip, ShowsTheMedianStepWithALaneAStreamAndAThread) {
  HandMadeTrace make;
  make.Range("ProfilerStep#1", {0, 10'000});
  make.Range("ProfilerStep#2", {10'000, 12'000});
  make.Range("ProfilerStep#3", {12'000, 15'000});
  make.Range("forward", {12'100, 13'000});
  make.Op("aten::mm", {12'200, 12'700});
  make.Api("cudaLaunchKernel", {12'300, 12'400}, 1);
  make.Op("aten::item", {13'000, 14'800});
  make.Api("cudaStreamSynchronize", {13'500, 14'500});
  make.Kernel("void cutlass_gemm<int>(int)", {12'500, 13'400}, 1);
  make.OnStream(9).Copy(CopyKind::kHostToDevice, {12'500, 12'900});
  const TimelineStrip strip = StripOf(make.Seal());
  EXPECT_EQ(strip.title, "ProfilerStep#3, the median of 3 steps: 3.000 us");
  EXPECT_EQ(strip.window, (Interval{12'000, 15'000}));
  ASSERT_EQ(strip.lanes.size(), 4u);

  const Lane* gpu = FindLane(strip, "GPU 0, stream 7");
  ASSERT_NE(gpu, nullptr);
  ASSERT_EQ(gpu->spans.size(), 1u);
  EXPECT_EQ(gpu->spans[0].label, "cutlass_gemm<int>");
  EXPECT_EQ(strip.categories[gpu->spans[0].category], "GEMM, convolution");
  EXPECT_EQ(gpu->detail, "busy 30.0 %, 900 ns");
  EXPECT_NE(FindLane(strip, "GPU 0, stream 9"), nullptr);

  // The op is cut where the thread slept inside of it; the step itself is no range of interest.
  const Lane* host = FindLane(strip, "Host thread 1");
  ASSERT_NE(host, nullptr);
  ASSERT_EQ(host->spans.size(), 4u);
  EXPECT_EQ(host->spans[0].label, "aten::mm");
  EXPECT_EQ(host->spans[1].end_ns, 13'500);
  EXPECT_EQ(host->spans[2].label, "cudaStreamSynchronize");
  EXPECT_EQ(strip.categories[host->spans[2].category], "host: waits in a call");
  EXPECT_EQ(host->spans[3].start_ns, 14'500);
  const Lane* ranges = FindLane(strip, "Host thread 1, user ranges");
  ASSERT_NE(ranges, nullptr);
  ASSERT_EQ(ranges->spans.size(), 1u);
  EXPECT_EQ(ranges->spans[0].label, "forward");
}

TEST(StepStrip, WithoutStepsTheWindow) {
  HandMadeTrace make;
  make.Op("aten::mm", {0, 500});
  make.Kernel("k", {200, 900});
  EXPECT_EQ(StripOf(make.Seal()).title, "The whole window");
}

TEST(StepStrip, NothingWhenNothingRan) {
  HandMadeTrace make;
  const Trace trace = make.Seal();
  Analysis analysis(trace, {});
  EXPECT_FALSE(MakeStepStrip(analysis).has_value());
}

TEST(StepStrip, IsBoundedAndSaysWhichLanesAreMissing) {
  HandMadeTrace make;
  for (int stream = 0; stream < 40; ++stream) {
    make.OnStream(stream);
    for (Ns at = stream; at < 400'000; at += 100) make.Kernel("k", {at, at + 10 + stream});
  }
  const TimelineStrip strip = StripOf(make.Seal());
  std::size_t spans = 0;
  for (const Lane& lane : strip.lanes) spans += lane.spans.size();
  EXPECT_LE(spans, kMostStripSpans);
  EXPECT_EQ(strip.lanes.size(), 8u);
  EXPECT_EQ(FindLane(strip, "GPU 0, stream 0"), nullptr);
  EXPECT_NE(FindLane(strip, "GPU 0, stream 39"), nullptr);
  EXPECT_NE(strip.caption.find("32 more lanes"), std::string::npos) << strip.caption;
}

TEST(StepStrip, LanesOfEqualTimeDoNotPushOutALongerOne) {
  HandMadeTrace make;
  for (int stream = 0; stream < 9; ++stream) {
    make.OnStream(stream);
    make.Kernel("k", {stream, stream + (stream == 8 ? 90 : 50)});
  }
  const TimelineStrip strip = StripOf(make.Seal());
  EXPECT_EQ(strip.lanes.size(), 8u);
  EXPECT_NE(FindLane(strip, "GPU 0, stream 8"), nullptr);
}

}  // namespace
}  // namespace warpsight
