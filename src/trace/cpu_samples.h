// CPU samples: what threads were executing at moments of their processor time, and the tree of stacks that they share.
//
// Place in the flow: importers intern frames (LocalNames::InternStack) and append SampleRows -> sealing joins the trees and
// sorts the samples by thread and time. Samples are points, not durations: they are no part of any sum of times nor of the
// capture's time range. A stack is named by its innermost frame, whose parents lead to the outermost; a parent's index is
// smaller than its child's. Units: ns. Errors: none. Threads: sealed, any number may read.
#pragma once

#include <cstdint>

#include "base/large_vector.h"
#include "base/string_pool.h"
#include "base/time.h"
#include "trace/rows.h"

namespace warpsight {

using StackIndex = uint32_t;  // of a frame; 0 = no stack was recorded

enum class FrameKind : uint8_t {
  kNative,
  kPython,
  kKernel,  // of the operating system
};

struct SampleRow {
  Ns time_ns = 0;
  ThreadIndex thread = 0;
  StackIndex stack = 0;
};

struct StackFrame {
  StackIndex parent = 0;                 // the frame that called; 0 = none
  StringId function = StringId::kEmpty;  // "libfoo.so+0x1234" where it has no name
  StringId module = StringId::kEmpty;    // "libfoo.so"; empty = not known
  FrameKind kind = FrameKind::kNative;
  friend bool operator==(const StackFrame&, const StackFrame&) = default;
};

// By thread, then time, then file order. Thread::first_sample and end_sample are rows of these.
struct CpuSamples {
  LargeVector<Ns> time_ns;
  LargeVector<ThreadIndex> thread;
  LargeVector<StackIndex> stack;

  uint32_t size() const { return static_cast<uint32_t>(time_ns.size()); }
};

}  // namespace warpsight
