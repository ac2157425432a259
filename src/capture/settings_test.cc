#include "capture/settings.h"

#include <gtest/gtest.h>

namespace warpsight::capture {
namespace {

TEST(SettingsTest, TheyComeBackAsTheyWere) {
  Settings settings;
  settings.cuda = false;
  settings.cublas = true;
  settings.osrt = true;
  settings.osrt_threshold_ns = 4;
  settings.from_start = true;
  settings.whole_graphs = true;
  settings.cuda_events = true;
  settings.max_bytes = 123456789012;
  settings.ring_ns = 5;
  settings.delay_ns = 6;
  settings.duration_ns = 7;
  settings.range = CaptureRange::kProfilerApi;
  settings.buffer_bytes = 4096;
  settings.pool_buffers = 3;
  settings.cupti_path = "/usr/li;b=%3B%/libcupti.so.13";
  settings.nvml_hz = 50;
  settings.sample_hz = 1000;
  settings.thread_switches = true;
  settings.switch_pages = 4;
  settings.python_sampling = true;
  settings.sample_stacks = 16;
  settings.nvml_path = "/usr/lib/libnvidia-ml.so.1";
  settings.nvtx_range = "a;b%@c=d";
  settings.most_windows = 8;
  settings.open_end = true;
  settings.steps = 9;
  settings.step_range = ";step;";
  settings.folder = "/tmp/a;b=c d";
  const Settings read = ParseSettings(FormatSettings(settings));
  EXPECT_EQ(FormatSettings(read), FormatSettings(settings));
  EXPECT_EQ(read.folder, settings.folder);
  EXPECT_EQ(read.cupti_path, settings.cupti_path);
  EXPECT_EQ(read.nvtx_range, settings.nvtx_range);
  EXPECT_EQ(read.most_windows, 8u);
  EXPECT_TRUE(read.open_end);
  EXPECT_EQ(read.steps, 9u);
  EXPECT_EQ(read.step_range, ";step;");
  EXPECT_EQ(read.max_bytes, settings.max_bytes);
  EXPECT_EQ(read.nvml_hz, 50u);
  EXPECT_EQ(read.sample_hz, 1000u);
  EXPECT_TRUE(read.thread_switches);
  EXPECT_EQ(read.switch_pages, 4u);
  EXPECT_TRUE(read.python_sampling);
  EXPECT_EQ(read.sample_stacks, 16u);
  EXPECT_EQ(read.nvml_path, settings.nvml_path);
  EXPECT_FALSE(read.cuda);
  EXPECT_TRUE(read.cuda_events);
  EXPECT_TRUE(read.nvtx);
  EXPECT_TRUE(read.cublas);
  EXPECT_FALSE(read.cudnn);
  EXPECT_EQ(read.osrt_threshold_ns, 4u);
  EXPECT_EQ(read.range, CaptureRange::kProfilerApi);
}

TEST(SettingsTest, AnswersComeBackAsTheyWere) {
  const TriggerAnswer answer = ParseAnswer(FormatAnswer({3, "train; step=", "a, b%"}));
  EXPECT_EQ(answer.steps, 3u);
  EXPECT_EQ(answer.step, "train; step=");
  EXPECT_EQ(answer.seen, "a, b%");
  EXPECT_EQ(ParseAnswer("").steps, 0u);
  EXPECT_EQ(ParseAnswer(";;steps=x;step").steps, 0u);
}

TEST(SettingsTest, WhatIsNotUnderstoodIsLeftAside) {
  for (const char* text : {"", ";", "=", "cuda", "max_bytes=many;", "future=1;max_bytes=;"}) {
    const Settings read = ParseSettings(text);
    EXPECT_EQ(read.max_bytes, Settings().max_bytes) << text;
    EXPECT_TRUE(read.folder.empty()) << text;
  }
  EXPECT_EQ(ParseSettings("future=1;folder=/tmp").folder, "/tmp");
}

}  // namespace
}  // namespace warpsight::capture
