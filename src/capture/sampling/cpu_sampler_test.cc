// The sampler on this very process: threads that compute, signals that are somebody else's.
#include "capture/sampling/cpu_sampler.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <time.h>

#include <atomic>
#include <chrono>
#include <map>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "wire/ignoring_receiver.h"

namespace warpsight::capture::sampling {

// Of the linker's names none but this has it.
__attribute__((noinline)) double BurnProcessorTime(int64_t ns) {
  const auto now = [] {
    timespec time = {};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return time.tv_sec * int64_t{1'000'000'000} + time.tv_nsec;
  };
  volatile double sum = 0;
  for (const int64_t end = now() + ns; now() < end;) {
    for (int i = 0; i < 10'000; ++i) sum = sum + i;
  }
  return sum;
}

namespace {

// Samples of each thread, and those of them that have a function on their stacks.
class SampleListing final : public wire::IgnoringReceiver {
 public:
  using IgnoringReceiver::Take;
  explicit SampleListing(std::string function) : function_(std::move(function)) {}
  struct OfThread {
    int samples = 0;
    int with_function = 0;
  };
  std::map<uint32_t, OfThread> threads;
  int samples = 0;

  void Take(const wire::SampleRecord& record) override {
    ++samples;
    OfThread& thread = threads[record.thread];
    ++thread.samples;
    for (uint32_t frame = record.stack; frame != 0; frame = frames_[frame - 1].first) {
      if (frames_[frame - 1].second.find(function_) == std::string::npos) continue;
      ++thread.with_function;
      break;
    }
  }
  void TakeFrame(const wire::FrameRecord& record) override { frames_.emplace_back(record.parent, record.function); }

 private:
  std::string function_;
  std::vector<std::pair<uint32_t, std::string>> frames_;
};

class CpuSamplerTest : public ::testing::Test {
 protected:
  // Follows and drains while `threads` compute for so long each.
  SampleListing SampleThreads(int threads, int64_t ns_each) {
    Settings settings;
    settings.sample_hz = 1000;
    settings.python_sampling = true;
    sampler_ = std::make_unique<CpuSampler>(settings, recording_, [this](const std::string&) { ++notes_; });
    wire::ChunkEncoder encoder;
    encoder.Begin(0);
    const CpuSampler::AfterEach after = [](uint64_t) {};
    std::atomic<int> come_up{0};
    std::atomic<bool> followed{false};
    std::atomic<int> running{threads};
    std::vector<std::thread> burning;
    for (int i = 0; i < threads; ++i) {
      burning.emplace_back([&] {
        ++come_up;
        // A busy machine may let them compute all of it before this thread looks.
        while (!followed) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        BurnProcessorTime(ns_each);
        --running;
      });
    }
    while (come_up < threads) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    sampler_->Follow();
    followed = true;
    while (running > 0) {
      sampler_->Follow();
      sampler_->Drain(encoder, after);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    }
    for (std::thread& thread : burning) thread.join();
    sampler_->Stop();
    sampler_->Finish(encoder, after);
    SampleListing listing("BurnProcessorTime");
    EXPECT_TRUE(wire::DecodeChunk(encoder.bytes(), 0, listing).whole);
    return listing;
  }
  std::atomic<bool> recording_{true};
  int notes_ = 0;
  std::unique_ptr<CpuSampler> sampler_;
};

TEST_F(CpuSamplerTest, ThreadsAreSampledWhereTheyCompute) {
  const SampleListing listing = SampleThreads(4, 100'000'000);
  // The thread that follows and drains has samples too: many under the sanitizers.
  int burning = 0;
  SampleListing::OfThread all;
  for (const auto& [thread, of_thread] : listing.threads) {
    if (of_thread.with_function == 0) continue;
    ++burning;
    all.samples += of_thread.samples;
    all.with_function += of_thread.with_function;
  }
  EXPECT_EQ(burning, 4);
  EXPECT_GE(all.samples, 40);
  EXPECT_LE(all.samples, 600);
  EXPECT_GE(all.with_function, all.samples * 8 / 10);
  // The signal is what it was.
  struct sigaction now = {};
  sigaction(SampleSignal::kSignal, nullptr, &now);
  EXPECT_EQ(now.sa_handler, SIG_DFL);
}

TEST_F(CpuSamplerTest, APausedSessionSamplesNothing) {
  recording_ = false;
  EXPECT_EQ(SampleThreads(2, 30'000'000).samples, 0);
  EXPECT_EQ(notes_, 0);
}

TEST_F(CpuSamplerTest, ASignalThatTheProgramHandlesIsLeftToIt) {
  static std::atomic<int> seen{0};
  struct sigaction action = {};
  struct sigaction before = {};
  action.sa_handler = [](int) { ++seen; };
  sigaction(SampleSignal::kSignal, &action, &before);
  EXPECT_EQ(SampleThreads(2, 30'000'000).samples, 0);
  EXPECT_EQ(notes_, 1);
  EXPECT_EQ(seen, 0);
  raise(SampleSignal::kSignal);
  EXPECT_EQ(seen, 1);
  sigaction(SampleSignal::kSignal, &before, nullptr);
}

TEST_F(CpuSamplerTest, SignalsThatAreNoTriggersSampleNothing) {
  StackRing ring(8);
  SampleTarget target;
  target.ring = &ring;
  target.recording = &recording_;
  ASSERT_TRUE(SampleSignal::Take(target));
  raise(SampleSignal::kSignal);
  EXPECT_EQ(ring.next_number(), 0u);
  SampleSignal::Leave();
}

}  // namespace
}  // namespace warpsight::capture::sampling
