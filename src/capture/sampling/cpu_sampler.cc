#include "capture/sampling/cpu_sampler.h"

#include <algorithm>
#include <utility>

#include "capture/monotonic_clock.h"
#include "capture/sampling/stack_walk.h"

namespace warpsight::capture::sampling {
namespace {

constexpr size_t kMostWaiting = 16384;
// Python answers when it next runs Python code: a call that takes longer than this has no Python functions.
constexpr uint64_t kLongestWaitNs = 5'000'000'000;
// Frames that are kept apart; beyond, the tree begins anew.
constexpr size_t kMostNodes = size_t{1} << 20;

}  // namespace

CpuSampler::CpuSampler(const Settings& settings, const std::atomic<bool>& recording, Note note)
    : wanted_(settings.sample_hz != 0),
      recording_(recording),
      note_(std::move(note)),
      ring_(wanted_ ? settings.sample_stacks : 0),
      python_(settings.python_sampling ? settings.sample_hz : 0, ring_, note_),
      triggers_(SampleSignal::kSignal, settings.sample_hz) {
  target_ = {&ring_, &python_, &recording_};
}

void CpuSampler::Follow() {
  if (!wanted_ || is_over_) return;
  if (!recording_) {
    if (triggers_.armed()) triggers_.DisarmAll();
    return;
  }
  if (triggers_.armed() ? !SampleSignal::IsOurs() : !SampleSignal::Take(target_)) {
    note_("CPU samples end where the program handles SIGURG itself, the signal that they are taken with");
    triggers_.DisarmAll();
    is_over_ = true;
    return;
  }
  triggers_.Follow();
  python_.Follow();
  if (triggers_.used_timers() && !said_timers_) {
    said_timers_ = true;
    note_(
        "CPU samples of some threads come from timers, since perf_event_open is not allowed or has no room: the kernel "
        "looks at them with its ticks only, often 250 times a second");
  }
}

void CpuSampler::Stop() {
  if (!wanted_) return;
  is_over_ = true;
  triggers_.DisarmAll();
  SampleSignal::Leave();
  python_.Stop();
}

void CpuSampler::ForgetInChild() {
  if (!wanted_) return;
  SampleSignal::Leave();
  triggers_.CloseInChild();
}

void CpuSampler::Drain(wire::ChunkEncoder& encoder, const AfterEach& after_each) {
  if (!wanted_) return;
  if (names_.FollowLibraries()) ForgetWalkedCode();
  ring_.TakeAll([&](const RawStack& stack) { Take(stack, encoder, after_each); });
  TakeAnswers(encoder, after_each);
  const uint64_t now = MonotonicNs();
  size_t old = waiting_.size() > kMostWaiting ? waiting_.size() - kMostWaiting : 0;
  while (old < waiting_.size() && now - waiting_[old].time_ns > kLongestWaitNs && waiting_[old].time_ns < now) ++old;
  GiveUpWaiting(old, encoder, after_each);
  if (nodes_.size() > kMostNodes) {
    GiveUpWaiting(waiting_.size(), encoder, after_each);
    ForgetNodes();
  }
}

void CpuSampler::Finish(wire::ChunkEncoder& encoder, const AfterEach& after_each) {
  if (!wanted_) return;
  Drain(encoder, after_each);
  GiveUpWaiting(waiting_.size(), encoder, after_each);
}

void CpuSampler::Take(const RawStack& stack, wire::ChunkEncoder& encoder, const AfterEach& after_each) {
  NodeNumber node = 0;
  for (size_t i = stack.depth; i-- > 0;) {
    // A return address may be the first of the next function.
    node = Child(node, names_.At(stack.frames[i] - (i == 0 ? 0 : 1)));
  }
  if (stack.in_python) {
    waiting_.push_back({stack.number, stack.ident, stack.time_ns, stack.thread, node});
  } else {
    Put(stack.thread, stack.time_ns, node, encoder, after_each);
  }
}

// An answer is kept until all samples that it is for have come out of the ring.
void CpuSampler::TakeAnswers(wire::ChunkEncoder& encoder, const AfterEach& after_each) {
  std::vector<PythonStacks::Function> functions;
  python_.Take(functions, answers_);
  for (PythonStacks::Function& function : functions) {
    python_functions_.push_back(
        names_.Intern({std::move(function.text), std::move(function.file), wire::FrameKind::kPython, false}));
  }
  for (const PythonStacks::Answer& answer : answers_) {
    NodeNumber python = 0;
    for (const uint32_t function : answer.functions) python = Child(python, python_functions_[function]);
    const auto is_answered = [&](const Waiting& waiting) {
      if (waiting.ident != answer.ident || waiting.number >= answer.before) return false;
      Put(waiting.thread, waiting.time_ns, Joined(python, waiting.stack), encoder, after_each);
      return true;
    };
    waiting_.erase(std::remove_if(waiting_.begin(), waiting_.end(), is_answered), waiting_.end());
  }
  std::erase_if(answers_, [&](const PythonStacks::Answer& answer) { return answer.before <= ring_.taken(); });
}

void CpuSampler::GiveUpWaiting(size_t first_kept, wire::ChunkEncoder& encoder, const AfterEach& after_each) {
  for (size_t i = 0; i < first_kept; ++i)
    Put(waiting_[i].thread, waiting_[i].time_ns, waiting_[i].stack, encoder, after_each);
  waiting_.erase(waiting_.begin(), waiting_.begin() + static_cast<ptrdiff_t>(first_kept));
}

CpuSampler::NodeNumber CpuSampler::Child(NodeNumber parent, FunctionNumber function) {
  const auto [found, added] =
      children_.try_emplace(uint64_t{parent} << 32 | function, static_cast<NodeNumber>(nodes_.size()));
  if (added) nodes_.push_back({parent, function, 0});
  return found->second;
}

// Python's functions, then what the innermost of them calls that is not Python. What calls the interpreter, and what lies
// between two of its functions, is left out.
CpuSampler::NodeNumber CpuSampler::Joined(NodeNumber python, NodeNumber native) {
  std::vector<FunctionNumber> called;  // innermost first
  for (NodeNumber node = native; node != 0; node = nodes_[node].parent) {
    if (names_.name(nodes_[node].function).is_interpreter) break;
    called.push_back(nodes_[node].function);
  }
  for (auto function = called.rbegin(); function != called.rend(); ++function) python = Child(python, *function);
  return python;
}

void CpuSampler::Put(uint32_t thread, uint64_t time_ns, NodeNumber stack, wire::ChunkEncoder& encoder,
                     const AfterEach& after_each) {
  encoder.Add(wire::SampleRecord{thread, time_ns, NumberInChunk(stack, encoder)});
  after_each(time_ns);
}

uint32_t CpuSampler::NumberInChunk(NodeNumber node, wire::ChunkEncoder& encoder) {
  if (encoder.chunk_number() != chunk_) {
    for (Node& one : nodes_) one.in_chunk = 0;
    chunk_ = encoder.chunk_number();
  }
  std::vector<NodeNumber> missing;
  for (; node != 0 && nodes_[node].in_chunk == 0; node = nodes_[node].parent) missing.push_back(node);
  uint32_t number = nodes_[node].in_chunk;
  for (auto at = missing.rbegin(); at != missing.rend(); ++at) {
    const FunctionName& name = names_.name(nodes_[*at].function);
    number = encoder.AddFrame({number, name.function, name.module, name.kind});
    nodes_[*at].in_chunk = number;
  }
  return number;
}

void CpuSampler::ForgetNodes() {
  nodes_.assign(1, Node{});
  children_.clear();
}

}  // namespace warpsight::capture::sampling
