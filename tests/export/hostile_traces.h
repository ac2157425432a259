// Traces made to be hard to write: names that are no text, times at the ends, everything at once. And random ones.
#pragma once

#include <random>
#include <string>
#include <vector>

#include "trace/trace_builder.h"

namespace warpsight::testing {

struct MadeTrace {
  std::string name;
  Trace trace;
};

class TraceMaker {
 public:
  void Host(std::string_view name, HostKind kind, Ns start, Ns end, int tid = 1, uint32_t correlation = 0) {
    HostEventRow row;
    row.name = builder_.Intern(name);
    row.kind = kind;
    row.start_ns = start;
    row.duration_ns = end - start;
    row.thread = builder_.names().InternThread("100", std::to_string(tid));
    row.correlation = correlation;
    row.source = ++places_;
    builder_.Add(row);
  }
  void Work(std::string_view name, Ns start, Ns end, int64_t stream = 7, uint32_t correlation = 0, int32_t device = 0) {
    GpuWorkRow row;
    row.name = builder_.Intern(name);
    row.start_ns = start;
    row.duration_ns = end - start;
    row.stream = builder_.names().InternStream(device, stream, kAbsent);
    row.correlation = correlation;
    LaunchConfig config;
    config.grid = {static_cast<int32_t>(correlation % 5) + 1, 2, 1};
    config.block = {128, 1, 1};
    row.launch_config = builder_.names().InternLaunchConfig(config);
    builder_.Add(row);
  }
  void Span(std::string_view name, Ns start, Ns end, int64_t stream = 7) {
    GpuSpanRow row;
    row.name = builder_.Intern(name);
    row.kind = GpuSpanKind::kAnnotation;
    row.start_ns = start;
    row.duration_ns = end - start;
    row.stream = builder_.names().InternStream(0, stream, kAbsent);
    builder_.Add(row);
  }
  TraceBuilder& builder() { return builder_; }
  Trace Seal() && {
    // As an importer of Chrome JSON says it.
    builder_.header().recording.producer = "chrome-trace";
    for (const HostEventRow& row : builder_.shard().host) builder_.header().recording.has_stacks |= IsFrame(row.kind);
    return std::move(builder_).Seal();
  }

 private:
  TraceBuilder builder_;
  uint64_t places_ = 0;
};

// A few short times, so that equal starts, empty events and partial overlaps all happen often.
inline Trace RandomTrace(uint32_t seed, int events = 120) {
  std::mt19937 random(seed);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<uint32_t>(n)); };
  TraceMaker maker;
  constexpr HostKind kKinds[] = {HostKind::kOp,    HostKind::kRange,     HostKind::kApi,        HostKind::kOverhead,
                                 HostKind::kOther, HostKind::kRecording, HostKind::kPythonFrame};
  uint32_t correlation = 0;
  for (int i = 0; i < events; ++i) {
    const Ns start = 1000 + below(60);
    const Ns end = start + (below(4) == 0 ? 0 : below(30));
    const std::string name = "event " + std::to_string(below(5));
    const int what = below(10);
    if (what < 6) {
      const HostKind kind = kKinds[below(7)];
      maker.Host(name, kind, start, end, 1 + below(3), kind == HostKind::kApi ? ++correlation : 0);
    } else if (what < 9) {
      maker.Work(name, start, end, below(3), static_cast<uint32_t>(below(12)), below(2));
    } else {
      maker.Span(name, start, end, below(3));
    }
  }
  return std::move(maker).Seal();
}

inline std::vector<MadeTrace> HostileTraces() {
  std::vector<MadeTrace> traces;
  const auto add = [&](std::string name, TraceMaker& maker) {
    traces.push_back({std::move(name), std::move(maker).Seal()});
  };
  {
    TraceMaker maker;
    int at = 0;
    for (const std::string& name :
         {std::string("<script>alert('&\"')</script>"), std::string("a\nb\tc\rd\x1b[31m\x7f\x01"), std::string(10240, 'n'),
          std::string("nul\0inside", 10), std::string("\0", 1), std::string(), std::string("back\\slash \\u0041 \\"),
          std::string("\"},{\"ph\":\"X\""), std::string("caf\xC3\xA9 \xE4\xBD\xA0 \xF0\x9F\x98\x80 \xE2\x80\xA8"),
          std::string("=1+1,\"quoted\",  "), std::string(20000, '"')}) {
      maker.Host(name, HostKind::kOp, 10 * at, 10 * at + 9);
      maker.Work(name, 10 * at, 10 * at + 9);
      ++at;
    }
    add("names", maker);
  }
  {
    TraceMaker maker;
    for (int i = 0; i < 3; ++i) {
      maker.Host("same", HostKind::kOp, 50, 60);
      maker.Host("none", HostKind::kApi, 50, 50);
      maker.Host("none at the end", HostKind::kApi, 60, 60);
      maker.Host("frame", HostKind::kPythonFrame, 50, 50);
      maker.Work("same", 55, 58);
      maker.Work("none", 55, 55);
      maker.Span("same", 55, 58);
    }
    add("equal times", maker);
  }
  {
    TraceMaker maker;
    constexpr Ns kYear = Ns{366} * 24 * 3600 * 1'000'000'000;
    maker.Host("first", HostKind::kOp, 1'000'000'000, 2'000'000'000);
    maker.Host("last", HostKind::kOp, 5 * kYear, 5 * kYear + 1);
    maker.Host("all of it", HostKind::kRange, 1'000'000'000, 5 * kYear + 2);
    maker.Work("last", 5 * kYear, 5 * kYear + 10);
    add("five years", maker);
  }
  {
    TraceMaker maker;
    maker.Host("alone", HostKind::kOp, 5, 6);
    add("no GPU", maker);
  }
  {
    TraceMaker maker;
    for (int i = 0; i < 5000; ++i) {
      maker.Host("launch", HostKind::kApi, 10 * i, 10 * i + 5, 1, static_cast<uint32_t>(i) + 1);
      maker.Work("kernel", 10 * i + 5, 10 * i + 500, i, static_cast<uint32_t>(i) + 1);
    }
    add("5000 streams", maker);
  }
  {
    TraceMaker maker;
    maker.Host("before", HostKind::kOp, -5'000'001, -1);
    maker.Host("across", HostKind::kApi, -500, 700, 1, 3);
    maker.Work("early", -7, 3, 7, 3);
    add("negative times", maker);
  }
  {
    TraceMaker maker;
    maker.Host("cudaGraphLaunch", HostKind::kApi, 0, 10, 1, 1);
    for (int i = 0; i < 3000; ++i) maker.Work("node", 20 + i, 21 + i, 7, 1);
    add("graph of 3000", maker);
  }
  {
    TraceMaker maker;
    for (int i = 0; i < 4000; ++i) {
      maker.Work("overlapping", i, 10000 - i, 7);
      maker.Host("staggered", HostKind::kRange, i, 5000 + i);
    }
    add("all overlap", maker);
  }
  {
    TraceMaker maker;
    add("nothing", maker);
  }
  return traces;
}

}  // namespace warpsight::testing
