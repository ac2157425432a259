// Small PyTorch-profiler traces as text, laid out as Kineto does, for tests that put one bad thing into a good file.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace warpsight::testing {

// One step with an op that launches a kernel, a copy, and the arrows and names that go with them. Times are the microseconds
// of a real recording, far from 0.
inline std::vector<std::string> GoodEvents() {
  return {
      R"({
    "ph": "X", "cat": "user_annotation", "name": "ProfilerStep#1", "pid": 545, "tid": 545,
    "ts": 5108452590000.000, "dur": 500.250,
    "args": {
      "External id": 1,"Record function id": 0, "Ev Idx": 0
    }
  })",
      R"({
    "ph": "X", "cat": "cpu_op", "name": "aten::mm", "pid": 545, "tid": 545,
    "ts": 5108452590010.100, "dur": 60.000,
    "args": {
      "External id": 2,"Record function id": 0, "Concrete Inputs": ["", ""], "Input type": ["float", "float"], "Input Strides": [[4, 1], [4, 1]], "Input Dims": [[4, 4], [4, 4]], "Ev Idx": 1
    }
  })",
      R"({
    "ph": "X", "cat": "cuda_runtime", "name": "cudaLaunchKernel", "pid": 545, "tid": 545,
    "ts": 5108452590020.000, "dur": 12.345,
    "args": {
      "External id": 2, "cbid": 211, "correlation": 101
    }
  })",
      R"({
    "ph": "s", "id": 101, "pid": 545, "tid": 545, "ts": 5108452590020.000,
    "cat": "ac2g", "name": "ac2g"
  })",
      R"json({
    "ph": "X", "cat": "kernel", "name": "void gemm<float, 4>(float*, int)", "pid": 0, "tid": 7,
    "ts": 5108452590040.000, "dur": 20.512,
    "args": {
      "External id": 2, "queued": 0, "device": 0, "context": 1, "stream": 7, "correlation": 101, "registers per thread": 32, "shared memory": 0, "blocks per SM": 0.12, "warps per SM": 0.48, "grid": [16, 1, 1], "block": [128, 1, 1], "est. achieved occupancy %": 1
    }
  })json",
      R"({
    "ph": "f", "id": 101, "pid": 0, "tid": 7, "ts": 5108452590040.000,
    "cat": "ac2g", "name": "ac2g", "bp": "e"
  })",
      R"({
    "ph": "X", "cat": "cuda_runtime", "name": "cudaMemcpyAsync", "pid": 545, "tid": 545,
    "ts": 5108452590100.000, "dur": 8.000,
    "args": {
      "External id": 1, "cbid": 41, "correlation": 102
    }
  })",
      R"json({
    "ph": "X", "cat": "gpu_memcpy", "name": "Memcpy DtoH (Device -> Pageable)", "pid": 0, "tid": 7,
    "ts": 5108452590120.000, "dur": 2.000,
    "args": {
      "External id": 1, "device": 0, "context": 1, "stream": 7, "correlation": 102, "bytes": 64, "memory bandwidth (GB/s)": 0.032
    }
  })json",
      R"({
    "name": "process_name", "ph": "M", "ts": 5108452590000.000, "pid": 545, "tid": 0,
    "args": {
      "name": "python3"
    }
  })",
  };
}

inline std::string TraceHead() {
  return R"(
  {
    "schemaVersion": 1,
    "deviceProperties": [
    {
      "id": 0, "name": "NVIDIA H200", "totalGlobalMem": 150109880320,
      "computeMajor": 9, "computeMinor": 0, "numSms": 132
    }
    ],
      "record_shapes": 1,
      "cupti_version": 130001,
  "displayTimeUnit": "ms",
  "baseTimeNanoseconds": 1790857026000000000,
  "traceEvents": [
  )";
}

inline std::string TraceTail() { return "\n  ],\n  \"traceName\": \"/tmp/hostile.pt.trace.json\"\n}\n"; }

// A whole file, and where each event lies in it.
struct TraceText {
  std::string text;
  std::vector<size_t> event_begin;
  std::vector<size_t> event_end;
};

inline TraceText MakeTrace(const std::vector<std::string>& events, std::string head = TraceHead(),
                           const std::string& tail = TraceTail()) {
  TraceText made;
  made.text = std::move(head);
  for (size_t i = 0; i < events.size(); ++i) {
    if (i > 0) made.text += ",\n  ";
    made.event_begin.push_back(made.text.size());
    made.text += events[i];
    made.event_end.push_back(made.text.size());
  }
  made.text += tail;
  return made;
}

// GoodEvents with `event` in their middle; kInserted is its index.
inline constexpr size_t kInserted = 4;
inline TraceText GoodTraceWith(const std::string& event) {
  std::vector<std::string> events = GoodEvents();
  events.insert(events.begin() + kInserted, event);
  return MakeTrace(events);
}

// An op with the given parts of text after its ids: `fields` is what stands between the braces.
inline std::string OpWith(std::string_view fields) {
  return fmt::format(R"({{ "ph": "X", "cat": "cpu_op", "name": "aten::odd", "pid": 545, "tid": 777, {} }})", fields);
}

// The same with the given text for ts and dur.
inline std::string OpAt(std::string_view ts, std::string_view dur) {
  return OpWith(fmt::format(R"("ts": {}, "dur": {}, "args": {{ "External id": 77, "Ev Idx": 9 }})", ts, dur));
}

}  // namespace warpsight::testing
