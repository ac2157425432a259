// CpuSampler: what the process's threads execute, sampled by their processor time while the session records.
//
// Place in the flow: Session's writer -> this. ThreadTriggers make the kernel send each thread a signal; its handler
// (sample_signal) leaves the thread's stack in the StackRing; here, on the writer, addresses become functions
// (FunctionNames), a sample in Python's interpreter waits for the Python functions (PythonStacks), and frames and samples go
// to the encoder. Without --sample nothing of it is touched. Memory: 6 MB of ring, what the names take, 16384 waiting
// samples. Errors: notes. Threads: Follow, Drain, Finish and Stop from the writer; ForgetInChild in a forked child.
#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "capture/sampling/function_names.h"
#include "capture/sampling/python_stacks.h"
#include "capture/sampling/sample_signal.h"
#include "capture/sampling/stack_ring.h"
#include "capture/sampling/thread_triggers.h"
#include "capture/settings.h"
#include "wire/chunk_encoder.h"

namespace warpsight::capture::sampling {

class CpuSampler {
 public:
  using Note = std::function<void(std::string text)>;
  using AfterEach = std::function<void(uint64_t newest_ns)>;

  // `recording`: whether samples are taken now. It outlives this.
  CpuSampler(const Settings& settings, const std::atomic<bool>& recording, Note note);

  // Arms the threads that have come up, or disarms all when nothing is recorded.
  void Follow();
  // Encodes what was sampled. `after_each` as for ActivityReader.
  void Drain(wire::ChunkEncoder& encoder, const AfterEach& after_each);
  // Also what waits for an answer: the file is to be closed.
  void Finish(wire::ChunkEncoder& encoder, const AfterEach& after_each);
  void Stop();
  void ForgetInChild();
  uint64_t dropped() const { return ring_.dropped(); }

 private:
  using NodeNumber = uint32_t;  // of a frame in the tree of stacks; 0 = none
  struct Node {
    NodeNumber parent = 0;
    FunctionNumber function = 0;
    uint32_t in_chunk = 0;  // its number there; 0 = not defined
  };
  // A sample whose Python functions are not known yet.
  struct Waiting {
    uint64_t number = 0;
    uint64_t ident = 0;
    uint64_t time_ns = 0;
    uint32_t thread = 0;
    NodeNumber stack = 0;
  };

  void Take(const RawStack& stack, wire::ChunkEncoder& encoder, const AfterEach& after_each);
  void TakeAnswers(wire::ChunkEncoder& encoder, const AfterEach& after_each);
  void GiveUpWaiting(size_t first_kept, wire::ChunkEncoder& encoder, const AfterEach& after_each);
  NodeNumber Child(NodeNumber parent, FunctionNumber function);
  NodeNumber Joined(NodeNumber python, NodeNumber native);
  void Put(uint32_t thread, uint64_t time_ns, NodeNumber stack, wire::ChunkEncoder& encoder, const AfterEach& after_each);
  uint32_t NumberInChunk(NodeNumber node, wire::ChunkEncoder& encoder);
  void ForgetNodes();

  const bool wanted_;
  const std::atomic<bool>& recording_;
  const Note note_;
  StackRing ring_;
  PythonStacks python_;
  SampleTarget target_;
  ThreadTriggers triggers_;
  bool is_over_ = false;  // the program has taken the signal, or the session ends
  bool said_timers_ = false;

  FunctionNames names_;
  std::vector<FunctionNumber> python_functions_;  // by the numbers of PythonStacks
  std::vector<PythonStacks::Answer> answers_;
  std::deque<Waiting> waiting_;  // by number
  std::vector<Node> nodes_ = {Node{}};
  std::unordered_map<uint64_t, NodeNumber> children_;  // by parent << 32 | function
  uint64_t chunk_ = 0;                                 // that in_chunk is of
};

}  // namespace warpsight::capture::sampling
