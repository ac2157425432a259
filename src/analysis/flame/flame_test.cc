// Flame against a plain slow reading of the same definition, and its sums against those of `ops` and `kernels`.
#include "analysis/flame/flame.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "analysis/flame/flame_document.h"
#include "analysis/hand_made_trace.h"
#include "analysis/kernels_pass.h"
#include "analysis/key_averages_pass.h"
#include "trace/profiler_step.h"

namespace warpsight {
namespace {

struct Spent {
  int64_t self = 0;
  int64_t count = 0;
  friend bool operator==(const Spent&, const Spent&) = default;
};
std::ostream& operator<<(std::ostream& out, const Spent& spent) { return out << spent.self << " in " << spent.count; }
using Spents = std::map<std::string, Spent>;  // by "kind name;kind name;..."

std::string PathOf(const Flame& flame, uint32_t frame) {
  std::string path;
  for (; frame != kNoRow; frame = flame.frames[frame].parent) {
    path = std::string(FlameKindName(flame.frames[frame].kind)) + " " + std::string(flame.frames[frame].name) +
           (path.empty() ? "" : ";") + path;
  }
  return path;
}

Spents SpentsOf(const Flame& flame) {
  Spents spents;
  for (uint32_t i = 0; i < flame.frames.size(); ++i) {
    if (flame.frames[i].self == 0 && flame.frames[i].count == 0) continue;
    Spent& spent = spents[PathOf(flame, i)];
    spent.self += flame.frames[i].self;
    spent.count += flame.frames[i].count;
  }
  return spents;
}

// What every flame holds: parents first, totals of what lies below, siblings by size.
void ExpectWhole(const std::vector<FlameFrame>& frames, int64_t total) {
  std::vector<int64_t> below(frames.size(), 0);
  int64_t outermost = 0;
  int64_t selfs = 0;
  for (size_t i = frames.size(); i-- > 0;) {
    ASSERT_TRUE(frames[i].parent == kNoRow || frames[i].parent < i);
    ASSERT_EQ(frames[i].total, below[i] + frames[i].self);
    selfs += frames[i].self;
    (frames[i].parent == kNoRow ? outermost : below[frames[i].parent]) += frames[i].total;
  }
  EXPECT_EQ(outermost, total);
  EXPECT_EQ(selfs, total);
}

Flame FlameOf(const Trace& trace, FlameBy by, const Selection& selection = {}, bool split = false) {
  Analysis analysis(trace, selection);
  Result<Flame> flame = ComputeFlame(analysis, by, split);
  EXPECT_TRUE(flame.ok()) << flame.status().message();
  ExpectWhole(flame->frames, flame->total);
  return std::move(flame).value();
}

TEST(FlameTest, HostTimeIsThatOfOps) {
  HandMadeTrace make;
  for (const Ns at : {0, 1000}) {
    make.Range("ProfilerStep#" + std::to_string(at / 1000), {at, at + 900});
    make.Op("aten::linear", {at + 10, at + 500});
    make.Op("aten::mul", {at + 20, at + 400});
    make.Op("aten::mul", {at + 20, at + 400});  // one node with the one around it
    make.Api("cudaLaunchKernel", {at + 30, at + 60}, static_cast<uint32_t>(at + 1));
    make.Kernel("gemm", {at + 100, at + 300}, static_cast<uint32_t>(at + 1));
  }
  const Trace trace = make.Seal();
  const Flame flame = FlameOf(trace, FlameBy::kHost);
  EXPECT_EQ(flame.total, 1800);
  EXPECT_EQ(SpentsOf(flame),
            (Spents{{"annotation ProfilerStep*", {820, 2}},
                    {"annotation ProfilerStep*;op aten::linear", {220, 2}},
                    {"annotation ProfilerStep*;op aten::linear;op aten::mul", {700, 2}},
                    {"annotation ProfilerStep*;op aten::linear;op aten::mul;api cudaLaunchKernel", {60, 2}}}));
  EXPECT_EQ(SpentsOf(FlameOf(trace, FlameBy::kGpu)),
            (Spents{{"annotation ProfilerStep*;op aten::linear;op aten::mul;kernel gemm", {400, 2}}}));
  const Flame part = FlameOf(trace, FlameBy::kGpu, {Interval{150, 1150}, 0}, true);
  EXPECT_EQ(SpentsOf(part),
            (Spents{{"device GPU 0;stream stream 7;annotation ProfilerStep*;op aten::linear;op aten::mul;kernel gemm",
                     {200, 1}}}));
}

TEST(FlameTest, ModulesLieWhereTheyBegan) {
  HandMadeTrace make;
  make.Frame("nn.Module: Model_0", {0, 1000});
  make.Frame("model.py(7): forward", {5, 990});
  make.Frame("nn.Module: Linear_3", {20, 500});
  make.Range("ProfilerStep#0", {10, 900});
  make.Op("aten::linear", {30, 400});
  make.Api("cudaLaunchKernel", {50, 60}, 1);
  make.Range("triton", {450, 480});  // no op: the module of the launch itself
  make.Api("cuLaunchKernel", {460, 470}, 2);
  make.Kernel("gemm", {100, 200}, 1);
  make.Kernel("fused", {470, 490}, 2);
  make.Kernel("lost", {600, 601});
  const Trace trace = make.Seal();
  const std::string around = "module nn.Module: Model_0;annotation ProfilerStep*;module nn.Module: Linear_3;";
  EXPECT_EQ(SpentsOf(FlameOf(trace, FlameBy::kGpu)), (Spents{{around + "op aten::linear;kernel gemm", {100, 1}},
                                                             {around + "annotation triton;kernel fused", {20, 1}},
                                                             {"kernel lost", {1, 1}}}));
  EXPECT_EQ(SpentsOf(FlameOf(trace, FlameBy::kPython)),
            (Spents{{"module nn.Module: Model_0", {15, 1}},
                    {"module nn.Module: Model_0;python model.py(7): forward", {505, 1}},
                    {"module nn.Module: Model_0;python model.py(7): forward;module nn.Module: Linear_3", {480, 1}}}));
}

TEST(FlameTest, BackwardWorkStandsInTheModuleOfItsForwardOp) {
  HandMadeTrace make;
  HostEventRow forward;
  forward.kind = HostKind::kOp;
  forward.sequence_plus_one = 8;
  make.Frame("nn.Module: Linear_3", {0, 100});
  make.Host(forward, "aten::addmm", {10, 90});
  HostEventRow backward = forward;
  backward.forward_thread = 1;
  make.OnThread(2);
  make.Range("backward", {195, 300});
  make.Host(backward, "autograd::engine::evaluate_function: AddmmBackward0", {200, 290});
  make.Op("aten::mm", {210, 280});
  make.Api("cudaLaunchKernel", {220, 230}, 1);
  make.Kernel("gemm", {240, 250}, 1);
  const Spents spents = SpentsOf(FlameOf(make.Seal(), FlameBy::kGpu));
  EXPECT_EQ(spents.begin()->first,
            "annotation backward;module nn.Module: Linear_3;op autograd::engine::evaluate_function: AddmmBackward0;"
            "op aten::mm;kernel gemm");
}

TEST(FlameTest, SamplesAreCountedOnceByTheirStacks) {
  HandMadeTrace make;
  make.Op("op", {0, 100});
  make.Sample(10, {"main", "train.py", "work"});
  make.Sample(20, {"main", "train.py", "work"});
  make.Sample(30, {"main", "train.py"});
  make.OnThread(2).Sample(40, {"main"});
  const Trace trace = make.Seal();
  const Flame flame = FlameOf(trace, FlameBy::kSamples);
  EXPECT_EQ(SpentsOf(flame), (Spents{{"native main", {1, 1}},
                                     {"native main;python train.py", {1, 1}},
                                     {"native main;python train.py;native work", {2, 2}}}));
  EXPECT_EQ(FlameOf(trace, FlameBy::kSamples, {Interval{20, 40}, {}}).total, 2);
  EXPECT_EQ(FlameOf(trace, FlameBy::kSamples, {}, true).frames.size(), 6u);
}

TEST(FlameTest, WhatIsLackingIsSaid) {
  HandMadeTrace make;
  make.Kernel("k", {0, 10});
  const Trace trace = make.Seal();
  for (const FlameBy by : {FlameBy::kHost, FlameBy::kPython, FlameBy::kSamples}) {
    Analysis analysis(trace, {});
    EXPECT_EQ(ComputeFlame(analysis, by, false).status().kind(), StatusKind::kLacks);
  }
}

TEST(FlameTest, WhatIsLeftOutIsSummed) {
  HandMadeTrace make;
  make.Op("a", {0, 1000});
  for (int i = 0; i < 50; ++i) make.Op("b" + std::to_string(i), {i * 10, i * 10 + 9 - i % 7});
  const Trace trace = make.Seal();
  const Flame flame = FlameOf(trace, FlameBy::kHost);
  for (size_t most = 0; most < 60; ++most) {
    const std::vector<FlameFrame> frames = LargestFrames(flame.frames, most);
    ExpectWhole(frames, flame.total);
    int64_t left_out = 0;
    int64_t count = 0;
    for (const FlameFrame& frame : frames) {
      left_out += frame.frames_left_out;
      count += frame.count;
    }
    EXPECT_EQ(left_out, 51 - static_cast<int64_t>(std::min<size_t>(most, 51)));
    EXPECT_EQ(count, most == 0 ? 1 : 51);
  }
}

// Events that nest, ops and frames in one another, some of them launching; two threads.
struct NestedTrace {
  explicit NestedTrace(uint32_t seed) : random(seed) {}

  int Pick(int below) { return static_cast<int>(random() % static_cast<uint32_t>(below)); }

  void Fill(Interval time, int depth) {
    Ns at = time.start + 1 + Pick(4);
    while (at + 8 < time.end && depth < 6) {
      const Interval child{at, std::min<Ns>(time.end - 1, at + 6 + Pick(static_cast<int>(time.duration())))};
      if (child.duration() < 4) break;
      const std::string name(1, static_cast<char>('a' + Pick(3)));
      switch (Pick(6)) {
        case 0:
          make.Frame("nn.Module: " + name, child);
          break;
        case 1:
          make.Frame(name + ".py", child);
          break;
        case 2:
          make.Range(Pick(2) == 0 ? "ProfilerStep#" + std::to_string(Pick(9)) : name, child);
          break;
        case 3:
          Launch(child);
          at = child.end + 1;
          continue;
        default:
          make.Op(name, child);
      }
      Fill(child, depth + 1);
      at = child.end + 1 + Pick(5);
    }
  }
  void Launch(Interval time) {
    make.Api("cudaLaunchKernel", time, ++correlation);
    for (int i = Pick(3); i >= 0; --i) {
      make.OnStream(7 + Pick(2), Pick(2));
      const Ns start = time.start + 2 + Pick(300);
      make.Work(static_cast<GpuKind>(Pick(3)), std::string(1, static_cast<char>('k' + Pick(4))), {start, start + Pick(80)},
                Pick(10) == 0 ? 0 : correlation);
    }
  }
  Trace Seal() {
    for (const int thread : {1, 2}) {
      make.OnThread(thread);
      Fill({thread * 13, 1500}, 0);
    }
    make.OnStream(7, 0);
    make.Kernel("k", {5, 9});
    make.Op("last", {1600, 1610});
    return make.Seal();
  }

  std::mt19937 random;
  HandMadeTrace make;
  uint32_t correlation = 0;
};

Selection RandomSelection(std::mt19937& random) {
  Selection selection;
  if (random() % 3 != 0) {
    const Ns start = static_cast<Ns>(random() % 1500);
    selection.range = Interval{start, start + 1 + static_cast<Ns>(random() % 900)};
  }
  if (random() % 2 == 0) selection.device = static_cast<int32_t>(random() % 2);
  return selection;
}

Ns InsideNs(Interval time, const Selection& selection) {
  return Intersect(time, selection.range.value_or(Interval{kMinNs, kMaxNs})).duration();
}
bool StartsInside(Ns time, const Selection& selection) { return !selection.range || selection.range->Contains(time); }

std::string Step(const Trace& trace, uint32_t row) {
  std::string name(trace.Text(trace.host().name[row]));
  if (trace.host().kind[row] == HostKind::kRange && IsProfilerStep(name)) name = "ProfilerStep*";
  return std::string(FlameKindName(HostFlameKind(trace, row))) + " " + name;
}

// The only child of an event of its name and kind.
bool IsMerged(const HostEvents& host, uint32_t row) {
  const uint32_t parent = host.parent[row];
  if (parent == kNoRow || host.name[parent] != host.name[row] || host.kind[parent] != host.kind[row]) return false;
  return std::count(host.parent.begin(), host.parent.end(), parent) == 1;
}

// By the definition: of each row the durations of all rows whose parent it is, and the names from the outermost in.
Spents SlowHost(const Trace& trace, const Selection& selection, bool frames) {
  const HostEvents& host = trace.host();
  const auto merged = [&](uint32_t row) { return !frames && IsMerged(host, row); };
  Spents spents;
  for (uint32_t row = 0; row < host.size(); ++row) {
    if (IsFrame(host.kind[row]) != frames) continue;
    Ns self = InsideNs({host.start_ns[row], host.end_ns[row]}, selection);
    for (uint32_t other = 0; other < host.size(); ++other) {
      if (host.parent[other] == row) self -= InsideNs({host.start_ns[other], host.end_ns[other]}, selection);
    }
    std::string path;
    bool inner = true;
    for (uint32_t at = row; at != kNoRow; at = host.parent[at]) {
      if (merged(at)) continue;
      path = Step(trace, at) + (inner ? "" : ";") + path;
      inner = false;
    }
    Spent& spent = spents[path];
    spent.self += self;
    spent.count += StartsInside(host.start_ns[row], selection) && !merged(row) ? 1 : 0;
  }
  std::erase_if(spents, [](const auto& one) { return one.second == Spent{}; });
  return spents;
}

// All calls around the op and all modules around the launch, by their starts; frames lie outside of calls.
Spents SlowGpu(const Trace& trace, const Selection& selection) {
  const HostEvents& host = trace.host();
  const GpuWork& gpu = trace.gpu();
  Spents spents;
  for (uint32_t row = 0; row < gpu.size(); ++row) {
    if (selection.device && trace.device_of(row) != *selection.device) continue;
    std::vector<uint32_t> around;
    for (uint32_t at = gpu.op[row]; at != kNoRow; at = host.parent[at]) {
      if (!IsMerged(host, at)) around.push_back(at);
    }
    if (gpu.launch[row] != kNoRow) {
      for (uint32_t at = 0; at < host.size(); ++at) {
        if (HostFlameKind(trace, at) == FlameKind::kModule && host.thread[at] == host.thread[gpu.launch[row]] &&
            Interval{host.start_ns[at], host.end_ns[at]}.Contains(host.start_ns[gpu.launch[row]]))
          around.push_back(at);
      }
    }
    std::ranges::stable_sort(around, {}, [&](uint32_t at) {
      return std::tuple(host.start_ns[at], !IsFrame(host.kind[at]), -host.end_ns[at], at);
    });
    std::string path;
    for (const uint32_t at : around) path += Step(trace, at) + ";";
    constexpr const char* kKinds[] = {"kernel ", "memcpy ", "memset "};
    Spent& spent = spents[path + kKinds[static_cast<size_t>(gpu.kind[row])] + std::string(trace.Text(gpu.name[row]))];
    spent.self += InsideNs({gpu.start_ns[row], gpu.end_ns[row]}, selection);
    spent.count += StartsInside(gpu.start_ns[row], selection) ? 1 : 0;
  }
  std::erase_if(spents, [](const auto& one) { return one.second == Spent{}; });
  return spents;
}

// The sums by name and kind are those of `ops`; the whole is the work of `kernels`.
void ExpectSumsOfOtherVerbs(const Trace& trace, const Selection& selection) {
  Spents of_flame;
  for (const FlameBy by : {FlameBy::kHost, FlameBy::kGpu}) {
    for (const FlameFrame& frame : FlameOf(trace, by, selection).frames) {
      const bool leaf =
          frame.kind == FlameKind::kKernel || frame.kind == FlameKind::kMemcpy || frame.kind == FlameKind::kMemset;
      if (by == FlameBy::kGpu && !leaf) continue;
      Spent& spent = of_flame[std::string(FlameKindName(frame.kind)) + " " + std::string(frame.name)];
      spent.self += frame.self;
      spent.count += frame.count;
    }
  }
  Spents of_ops;
  for (const KeyAverageRow& row : ComputeKeyAverages(trace, selection, {}).rows) {
    Spent& spent = of_ops[std::string(KeyAverageKindName(row.kind)) + " " + std::string(row.name)];
    spent.self += IsGpu(row.kind) ? row.self_gpu_ns.value_or(0) : row.self_cpu_ns.value_or(0);
    spent.count += row.calls;
  }
  std::erase_if(of_flame, [](const auto& one) { return one.second == Spent{}; });
  std::erase_if(of_ops, [](const auto& one) { return one.second == Spent{}; });
  EXPECT_EQ(of_flame, of_ops);
  Analysis analysis(trace, selection);
  const Result<KernelsResult>& kernels = analysis.Get<KernelsPass>();
  ASSERT_TRUE(kernels.ok());
  EXPECT_EQ(FlameOf(trace, FlameBy::kGpu, selection).total, kernels->gpu_work_ns);
  EXPECT_EQ(FlameOf(trace, FlameBy::kGpu, selection, true).total, kernels->gpu_work_ns);
}

TEST(FlameTest, EqualsThePlainReadingOnRandomTraces) {
  for (uint32_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    NestedTrace nested(seed);
    const Trace trace = nested.Seal();
    for (int round = 0; round < 4; ++round) {
      const Selection selection = round == 0 ? Selection{} : RandomSelection(nested.random);
      ASSERT_EQ(SpentsOf(FlameOf(trace, FlameBy::kHost, selection)), SlowHost(trace, selection, false));
      if (std::ranges::any_of(trace.host().kind, IsFrame)) {
        ASSERT_EQ(SpentsOf(FlameOf(trace, FlameBy::kPython, selection)), SlowHost(trace, selection, true));
      }
      ASSERT_EQ(SpentsOf(FlameOf(trace, FlameBy::kGpu, selection)), SlowGpu(trace, selection));
      ExpectSumsOfOtherVerbs(trace, selection);
      if (HasFailure()) return;
    }
  }
}

// Events anywhere, overlapping as no program would: sums hold all the same, and the answer is the same twice.
TEST(FlameTest, SumsHoldOnDamagedNesting) {
  std::mt19937 random(5);
  for (int round = 0; round < 60; ++round) {
    HandMadeTrace make;
    uint32_t correlation = 0;
    for (int i = 0; i < 150; ++i) {
      const Ns start = static_cast<Ns>(random() % 900);
      const Interval time{start, start + static_cast<Ns>(random() % 300)};
      make.OnThread(static_cast<int>(random() % 2));
      const std::string name(1, static_cast<char>('a' + random() % 4));
      switch (random() % 6) {
        case 0:
          make.Frame("nn.Module: " + name, time);
          break;
        case 1:
          make.Range(name, time);
          break;
        case 2:
          make.Api(name, time, ++correlation);
          make.Kernel(name, {start + 10, start + 10 + static_cast<Ns>(random() % 40)}, correlation);
          break;
        case 3:
          make.Host(HostKind::kOverhead, name, time);
          break;
        default:
          make.Op(name, time);
      }
    }
    make.Kernel("k", {1, 2});
    const Trace trace = make.Seal();
    const Selection selection = RandomSelection(random);
    if (selection.device == 1) continue;
    ExpectSumsOfOtherVerbs(trace, selection);
    if (HasFailure()) return;
  }
}

// All events in one another, and work of many streams launched by the innermost: each stream has a path of its own.
TEST(FlameTest, DeepNestingOfADamagedFileIsBounded) {
  HandMadeTrace make;
  constexpr int kDeep = 30'000;
  for (int i = 0; i < kDeep; ++i) make.Op(i % 2 == 0 ? "a" : "b", {i, 3 * kDeep - i});
  for (uint32_t stream = 0; stream < 300; ++stream) {
    make.Api("cudaLaunchKernel", {kDeep + 2 * stream, kDeep + 2 * stream + 1}, stream + 1);
    make.OnStream(stream).Kernel("k", {kDeep + 2 * stream, kDeep + 2 * stream + 10}, stream + 1);
  }
  const Trace trace = make.Seal();
  EXPECT_EQ(FlameOf(trace, FlameBy::kHost).frames.size(), size_t{kDeep} + 1);
  const Flame split = FlameOf(trace, FlameBy::kGpu, {}, true);
  EXPECT_EQ(split.total, 3000);
  EXPECT_LT(split.frames.size(), 300u * 1002);
}

TEST(FlameDocumentTest, HasTheLargestFramesAndTheRest) {
  HandMadeTrace make;
  make.Op("a", {0, 100});
  make.Op("b", {10, 60});
  make.Op("c", {70, 75});
  const Trace trace = make.Seal();
  const Flame flame = FlameOf(trace, FlameBy::kHost);
  const nlohmann::ordered_json data = MakeFlameDocument(flame, 2).data;
  EXPECT_EQ(data["frames_total"], 3);
  EXPECT_EQ(data["total_ns"], 100);
  ASSERT_EQ(data["frames"].size(), 3u);
  EXPECT_EQ(data["frames"][0]["parent"], nullptr);
  EXPECT_EQ(data["frames"][1],
            nlohmann::ordered_json::parse(R"({"name":"b","kind":"op","parent":0,"total_ns":50,"self_ns":50,"count":1})"));
  EXPECT_EQ(data["frames"][2],
            nlohmann::ordered_json::parse(
                R"({"name":null,"kind":"rest","parent":0,"total_ns":5,"self_ns":5,"count":1,"frames_left_out":1})"));
  EXPECT_EQ(MakeFlameDocument(flame, 0).data["frames"].size(), 3u);
}

}  // namespace
}  // namespace warpsight
