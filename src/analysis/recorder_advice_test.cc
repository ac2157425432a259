#include "analysis/recorder_advice.h"

#include <gtest/gtest.h>

#include "analysis/hand_made_trace.h"

namespace warpsight {
namespace {

// "record again. If that fails, ..." is a clause; "Record again." is not. Names of tools keep their spelling.
void ExpectClause(const std::string& id, std::string_view kind, const std::string& text) {
  ASSERT_FALSE(text.empty()) << id << " has no text for " << kind;
  const bool is_name = text.starts_with("NVTX") || text.starts_with("ProfilerActivity");
  EXPECT_FALSE(text.front() >= 'A' && text.front() <= 'Z' && !is_name) << id << ": " << text;
  EXPECT_NE(text.back(), '.') << id << ": " << text;
}

TEST(RecorderAdviceTest, EveryIdHasATextForEveryRecorder) {
  ASSERT_GT(AllAdviceTexts().by_recorder.size(), 10u);
  for (const auto& [id, texts] : AllAdviceTexts().by_recorder) {
    for (size_t i = 0; i < kRecorders; ++i) ExpectClause(id, RecorderName(static_cast<Recorder>(i)), texts[i]);
    // The names of torch's profiler mean nothing to people who record with nsys or with warpsight.
    for (const Recorder recorder : {Recorder::kNsys, Recorder::kWarpsight}) {
      const std::string& text = texts[static_cast<size_t>(recorder)];
      EXPECT_EQ(text.find("ProfilerActivity"), std::string::npos) << id << ": " << text;
      EXPECT_EQ(text.find("prof.step()"), std::string::npos) << id << ": " << text;
    }
  }
}

TEST(RecorderAdviceTest, EveryIdHasATextForProgramsWithoutTorch) {
  ASSERT_GT(AllAdviceTexts().by_program.size(), 10u);
  for (const auto& [id, texts] : AllAdviceTexts().by_program) {
    ExpectClause(id, "torch", texts[0]);
    ExpectClause(id, "cuda", texts[1]);
    EXPECT_EQ(texts[1].find("torch"), std::string::npos) << id << ": " << texts[1];
  }
}

TEST(RecorderAdviceTest, ByTheProducerOfTheFile) {
  const auto recorder = [](std::string_view producer) {
    RecordingInfo recording;
    recording.producer = producer;
    return RecorderOf(recording);
  };
  EXPECT_EQ(recorder("pytorch-profiler"), Recorder::kTorch);
  EXPECT_EQ(recorder("nsys"), Recorder::kNsys);
  EXPECT_EQ(recorder("warpsight"), Recorder::kWarpsight);
  EXPECT_EQ(recorder("chrome-trace"), Recorder::kOther);
  EXPECT_EQ(recorder(""), Recorder::kOther);
}

TEST(RecorderAdviceTest, Sentences) {
  EXPECT_EQ(AdviceSentence("record again"), "Record again.");
  EXPECT_EQ(AdviceSentence("nsys exports have none"), "nsys exports have none.");
  EXPECT_EQ(Capitalised(""), "");
}

bool IsTorchProgram(std::string_view producer, std::string_view op, std::string_view kernel) {
  HandMadeTrace make;
  make.builder().header().recording.producer = producer;
  if (!op.empty()) make.Op(op, {0, 10});
  make.Kernel(kernel, {20, 30});
  const Trace trace = make.Seal();
  Analysis analysis(trace, {});
  return *analysis.Get<TorchProgramPass>();
}

TEST(TorchProgramTest, OpsAndKernelsTell) {
  EXPECT_FALSE(IsTorchProgram("nsys", "", "saxpy(int, float*)"));
  EXPECT_FALSE(IsTorchProgram("warpsight", "my_op", "saxpy(int, float*)"));
  EXPECT_TRUE(IsTorchProgram("nsys", "aten::mm", "gemm"));
  EXPECT_TRUE(IsTorchProgram("warpsight", "", "void at::native::vectorized_elementwise_kernel<4>(int)"));
  EXPECT_TRUE(IsTorchProgram("warpsight", "", "triton_poi_fused_add_0"));
  EXPECT_TRUE(IsTorchProgram("pytorch-profiler", "", "saxpy(int, float*)")) << "its own profiler made the file";
}

TEST(CheckNeedsTest, SpeaksOfTheRecorder) {
  const auto shapes = [](std::string_view producer) {
    HandMadeTrace make;
    make.builder().header().recording.producer = producer;
    make.Kernel("gemm", {0, 10});
    return CheckNeeds(make.Seal(), Needs::kShapes).message();
  };
  EXPECT_NE(shapes("pytorch-profiler").find("record with record_shapes=True"), std::string::npos);
  EXPECT_NE(shapes("nsys").find("emit_nvtx(record_shapes=True)"), std::string::npos);
  EXPECT_NE(shapes("warpsight").find("warpsight record --pytorch"), std::string::npos);
}

}  // namespace
}  // namespace warpsight
