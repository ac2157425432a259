// Passes: one question each, asked of a sealed Trace.
//
// A pass is a type that describes itself:
//
//   struct IdlePass {
//     using Output = IdleResult;
//     static constexpr std::string_view kName = "idle";
//     static constexpr Needs kNeeds = Needs::kGpuWork;
//     static Result<Output> Run(Analysis& analysis);
//   };
//
// Analysis runs a pass once, on first use, and keeps its output: passes ask for one another through Get. A pass whose needs
// the trace does not meet is not run; its Result says which input is missing and how to record it (StatusKind::kLacks),
// and a report shows that as "not evaluated", never as zero.
// Thread-compatible: one thread drives an Analysis.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analysis/given.h"
#include "analysis/selection.h"
#include "base/status.h"
#include "trace/trace.h"

namespace warpsight {

enum class Needs : uint32_t {
  kNothing = 0,
  kHostEvents = 1u << 0,  // ops, ranges or API calls
  kGpuWork = 1u << 1,
  kApiCalls = 1u << 2,
  kShapes = 1u << 3,
  kFrames = 1u << 4,
};
constexpr Needs operator|(Needs a, Needs b) {
  return static_cast<Needs>(static_cast<uint32_t>(a) | static_cast<uint32_t>(b));
}
constexpr bool Has(Needs set, Needs one) { return (static_cast<uint32_t>(set) & static_cast<uint32_t>(one)) != 0; }

// OK when the trace holds all of `needs`, else kLacks with the text "the trace has no GPU work: ...".
Status CheckNeeds(const Trace& trace, Needs needs);

struct PassTiming {
  std::string_view pass;
  int64_t wall_ns = 0;
};

class Analysis {
 public:
  Analysis(const Trace& trace, Selection selection, Given given = {})
      : trace_(trace), selection_(selection), given_(std::move(given)) {}
  Analysis(const Analysis&) = delete;
  Analysis& operator=(const Analysis&) = delete;

  const Trace& trace() const { return trace_; }
  const Selection& selection() const { return selection_; }
  const Given& given() const { return given_; }
  // Adds to what the user stated; before the first pass that reads it.
  template <typename Change>
  void Give(const Change& change) {
    change(given_);
  }
  // The selected range, or the whole capture.
  Interval window() const { return selection_.range.value_or(trace_.capture()); }

  template <typename Pass>
  const Result<typename Pass::Output>& Get();

  // Takes over the outputs that `other` has and this one lacks, with their timings, and keeps its others as long as itself:
  // what is taken may point into them. Both must be of the same trace, selection and given facts.
  void Adopt(const Analysis& other);

  // Calls work(*this, 0) and, with two `threads`, beside it work(another, 1) on an Analysis of the same that has all outputs
  // of this one; then adopts what that one made. For passes that need nothing of one another. Not for passes that ask the
  // ranks that were given: their Analyses are one set for both.
  void Share(int threads, const std::function<void(Analysis& own, int worker)>& work);

  const std::vector<PassTiming>& timings() const { return timings_; }

 private:
  void Record(std::string_view pass, int64_t started_ns);
  static int64_t NowNs();

  const Trace& trace_;
  Selection selection_;
  Given given_;
  std::map<std::string_view, std::shared_ptr<void>> outputs_;
  std::vector<std::shared_ptr<void>> kept_for_others_;  // outputs that were adopted outputs were made from
  std::vector<PassTiming> timings_;
};

template <typename Pass>
const Result<typename Pass::Output>& Analysis::Get() {
  using Answer = Result<typename Pass::Output>;
  if (auto found = outputs_.find(Pass::kName); found != outputs_.end())
    return *static_cast<const Answer*>(found->second.get());
  const int64_t started_ns = NowNs();
  Status needs = CheckNeeds(trace_, Pass::kNeeds);
  auto answer = needs.ok() ? std::make_shared<Answer>(Pass::Run(*this)) : std::make_shared<Answer>(std::move(needs));
  Record(Pass::kName, started_ns);
  outputs_.emplace(Pass::kName, answer);
  return *answer;
}

}  // namespace warpsight
