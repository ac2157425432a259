#include "server/api/document_answers.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "analysis/diff/diff.h"
#include "analysis/diff/diff_document.h"
#include "analysis/flame/flame_document.h"
#include "analysis/idle_document.h"
#include "analysis/info_document.h"
#include "analysis/kernels_document.h"
#include "analysis/ledger_document.h"
#include "analysis/lint_document.h"
#include "analysis/memory/memory_document.h"
#include "analysis/ops_document.h"
#include "analysis/parts_document.h"
#include "analysis/range.h"
#include "analysis/roofline_document.h"
#include "analysis/steps_document.h"
#include "base/process_memory.h"
#include "diagnosis/report_document.h"
#include "render/json_renderer.h"

namespace warpsight::server {
namespace {

using Limit = std::optional<int64_t>;

constexpr uint32_t kManyEvents = 500'000;
// Of a document that is asked for with a limit: more is for the command line.
constexpr int64_t kMostRows = 100'000;

Result<Document> Report(Analysis& analysis, Limit /*limit*/) { return MakeReportDocument(analysis, {}); }

Result<Document> Info(Analysis& analysis, Limit /*limit*/) { return MakeInfoDocument(analysis.trace()); }

Result<Document> Ops(Analysis& analysis, Limit limit) {
  WARPSIGHT_RETURN_IF_ERROR(CheckKeyAverages(analysis.trace(), {}));
  return MakeOpsDocument(ComputeKeyAverages(analysis.trace(), analysis.selection(), {}),
                         {OpsSort::kSelfGpu, limit.value_or(0)});
}

Result<Document> Kernels(Analysis& analysis, Limit limit) {
  const Result<KernelsResult>& kernels = analysis.Get<KernelsPass>();
  if (!kernels.ok()) return kernels.status();
  return MakeKernelsDocument(*kernels, {limit.value_or(0)});
}

Result<Document> Steps(Analysis& analysis, Limit /*limit*/) {
  const Result<StepsResult>& steps = analysis.Get<StepsPass>();
  if (!steps.ok()) return steps.status();
  WARPSIGHT_RETURN_IF_ERROR(CheckSteps(*steps));
  return MakeStepsDocument(*steps);
}

Result<Document> Idle(Analysis& analysis, Limit limit) {
  const Result<IdleResult>& idle = analysis.Get<IdlePass>();
  if (!idle.ok()) return idle.status();
  IdleDocumentOptions options;
  if (limit) options.json_gaps = *limit == 0 ? kMostRows : *limit;
  return MakeIdleDocument(analysis.trace(), *idle, options);
}

Result<Document> Parts(Analysis& analysis, Limit /*limit*/) {
  const Result<PartsResult>& parts = analysis.Get<PartsPass>();
  if (!parts.ok()) return parts.status();
  const Result<ModelResult>& model = analysis.Get<ModelPass>();
  if (!model.ok()) return model.status();
  return MakePartsDocument(*parts, *model, {});
}

Result<Document> Roofline(Analysis& analysis, Limit limit) {
  const Result<RooflineResult>& roofline = analysis.Get<RooflinePass>();
  if (!roofline.ok()) return roofline.status();
  return MakeRooflineDocument(*roofline, {RooflineSort::kLost, limit.value_or(0)});
}

Result<Document> Lint(Analysis& analysis, Limit /*limit*/) {
  const Result<LintResult>& lint = analysis.Get<LintPass>();
  if (!lint.ok()) return lint.status();
  return MakeLintDocument(*lint);
}

Result<Document> Memory(Analysis& analysis, Limit /*limit*/) {
  const Result<MemoryResult>& memory = analysis.Get<MemoryPass>();
  if (!memory.ok()) return memory.status();
  return MakeMemoryDocument(*memory);
}

template <FlameBy by, bool split>
Result<Document> FlameOf(Analysis& analysis, Limit limit) {
  const Result<Flame> flame = ComputeFlame(analysis, by, split);
  if (!flame.ok()) return flame.status();
  return MakeFlameDocument(*flame, limit.value_or(kUsualFlameFrames));
}

struct DocumentVerb {
  std::string_view name;
  Result<Document> (*make)(Analysis& analysis, Limit limit);
  bool has_limit = false;
};

constexpr DocumentVerb kVerbs[] = {{"report", Report}, {"info", Info},
                                   {"ops", Ops, true}, {"kernels", Kernels, true},
                                   {"steps", Steps},   {"idle", Idle, true},
                                   {"parts", Parts},   {"roofline", Roofline, true},
                                   {"lint", Lint},     {"flame", FlameOf<FlameBy::kHost, false>, true},
                                   {"memory", Memory}};

// The flame graphs by=, each whole and split=1.
struct FlameVerbs {
  std::string_view by;
  DocumentVerb whole;
  DocumentVerb split;
};
template <FlameBy by>
constexpr FlameVerbs kFlamesBy = {FlameByName(by), {"flame", FlameOf<by, false>, true}, {"flame", FlameOf<by, true>, true}};
constexpr FlameVerbs kFlames[] = {kFlamesBy<FlameBy::kHost>, kFlamesBy<FlameBy::kGpu>, kFlamesBy<FlameBy::kPython>,
                                  kFlamesBy<FlameBy::kSamples>};

const DocumentVerb* FindVerb(std::string_view name) {
  for (const DocumentVerb& verb : kVerbs) {
    if (verb.name == name) return &verb;
  }
  return nullptr;
}

// What the command line calls --range is range= here.
Status InQueryWords(const Status& status) {
  std::string text = status.message();
  for (const auto& [option, parameter] : {std::pair<std::string_view, std::string_view>{"--range ", "range="},
                                          {"--device ", "device="},
                                          {"--range", "range"},
                                          {"--step N", "a step's times"}}) {
    for (size_t at = text.find(option); at != std::string::npos; at = text.find(option, at))
      text.replace(at, option.size(), parameter);
  }
  return {status.kind(), std::move(text)};
}

Result<const DocumentVerb*> FindFlame(const Query& query) {
  const Result<int64_t> split = query.NumberOr("split", 0, 1, 0);
  if (!split.ok()) return split.status();
  const std::string_view by = query.Find("by").value_or(kFlames[0].by);
  for (const FlameVerbs& flame : kFlames) {
    if (flame.by == by) return *split == 1 ? &flame.split : &flame.whole;
  }
  return UsageError(fmt::format("by={}: give host, gpu, python or samples", by));
}

struct Question {
  const DocumentVerb* verb = nullptr;
  Selection selection;
  Limit limit;

  std::string key() const {
    const auto side = [](const auto& value) { return value ? std::to_string(*value) : std::string("-"); };
    const Interval range = selection.range.value_or(Interval{});
    const std::string what = verb != nullptr ? fmt::format("{}", fmt::ptr(verb)) : std::string(DocumentAnswers::kDiff);
    return fmt::format("{} {} {} {} {} {}", what, selection.range.has_value(), range.start, range.end,
                       side(selection.device), side(limit));
  }
};

// A + that was not escaped came as a blank.
std::string RangeText(std::string_view range) {
  std::string text(range);
  std::replace(text.begin(), text.end(), ' ', '+');
  return text;
}

Result<Question> ParseQuestion(const Trace& trace, std::string_view name, const Query& query) {
  Question question;
  question.verb = FindVerb(name);  // null for diff
  if (name == "flame") {
    const Result<const DocumentVerb*> flame = FindFlame(query);
    if (!flame.ok()) return flame.status();
    question.verb = *flame;
  }
  if (const auto range = query.Find("range"); range && !range->empty()) {
    const Result<Interval> interval = ParseRange(RangeText(*range), trace.capture());
    if (!interval.ok()) return InQueryWords(interval.status());
    question.selection.range = *interval;
  }
  if (query.Find("device")) {
    const Result<int64_t> device = query.Number("device", 0, std::numeric_limits<int32_t>::max());
    if (!device.ok()) return device.status();
    if (const Status known = CheckDevice(trace, static_cast<int32_t>(*device)); !known.ok()) return InQueryWords(known);
    question.selection.device = static_cast<int32_t>(*device);
  }
  if (query.Find("limit")) {
    if (question.verb == nullptr || !question.verb->has_limit)
      return UsageError(fmt::format("limit: {} shows all it has: leave it out", name));
    const Result<int64_t> limit = query.Number("limit", 0, kMostRows);
    if (!limit.ok()) return limit.status();
    question.limit = *limit;
  }
  return question;
}

Result<std::string> Make(const Question& question, const Trace& trace, const Given& given) {
  Analysis analysis(trace, question.selection, given);
  Result<Document> document = question.verb->make(analysis, question.limit);
  if (!document.ok()) return InQueryWords(document.status());
  document->data["ledger"] = LedgerJson(trace.log());
  return RenderJson(std::move(document).value());
}

Result<std::string> MakeDiff(const Question& question_a, const Trace& a, const Question& question_b, const Trace& b) {
  Analysis analysis_a(a, question_a.selection);
  Analysis analysis_b(b, question_b.selection);
  const Result<DiffResult> diff = CompareRecordings(analysis_a, analysis_b);
  if (!diff.ok()) return InQueryWords(diff.status());
  Document document = MakeDiffDocument(*diff, {}, {});
  document.data["ledger"] = LedgerJson(a.log());
  return RenderJson(std::move(document));
}

bool HasManyEvents(const Trace& trace) { return trace.host().size() + trace.gpu().size() > kManyEvents; }

}  // namespace

bool DocumentAnswers::IsVerb(std::string_view verb) { return verb == kDiff || FindVerb(verb) != nullptr; }

Result<std::string> DocumentAnswers::Answer(std::string_view verb, const Query& query) {
  const Result<Question> question = ParseQuestion(trace_, verb, query);
  if (!question.ok()) return question.status();
  return KeptOr(question->key(), [&] {
    Result<std::string> made = Make(*question, trace_, given_);
    // Threads of the server take turns: each would keep the memory of an analysis for itself.
    if (HasManyEvents(trace_)) ReturnFreeMemory();
    return made;
  });
}

Result<std::string> DocumentAnswers::AnswerDiff(const Trace& other, int64_t with, const Query& query) {
  if (const Status range = CheckRangeOfTwo(RangeText(query.Find("range").value_or(""))); !range.ok())
    return InQueryWords(range);
  const Result<Question> own = ParseQuestion(trace_, kDiff, query);
  if (!own.ok()) return own.status();
  const Result<Question> others = ParseQuestion(other, kDiff, query);
  if (!others.ok()) return others.status();
  return KeptOr(fmt::format("{} {} {}", own->key(), with, others->key()), [&] {
    Result<std::string> made = MakeDiff(*own, trace_, *others, other);
    if (HasManyEvents(trace_) || HasManyEvents(other)) ReturnFreeMemory();
    return made;
  });
}

std::optional<std::string> DocumentAnswers::FindKept(const std::string& key) {
  const std::lock_guard<std::mutex> lock(mutex_);
  for (auto kept = kept_.begin(); kept != kept_.end(); ++kept) {
    if (kept->first != key) continue;
    kept_.splice(kept_.begin(), kept_, kept);
    return kept_.front().second;
  }
  return std::nullopt;
}

void DocumentAnswers::Keep(const std::string& key, const std::string& text) {
  if (text.size() > kMostKeptBytes / 2) return;
  const std::lock_guard<std::mutex> lock(mutex_);
  kept_bytes_ += text.size();
  kept_.emplace_front(key, text);
  while (kept_bytes_ > kMostKeptBytes) {
    kept_bytes_ -= kept_.back().second.size();
    kept_.pop_back();
  }
}

Result<std::string> DocumentAnswers::KeptOr(const std::string& key, const std::function<Result<std::string>()>& make) {
  if (std::optional<std::string> kept = FindKept(key)) return std::move(*kept);
  const std::lock_guard<std::mutex> lock(making_);
  // It may have been made while this waited.
  if (std::optional<std::string> kept = FindKept(key)) return std::move(*kept);
  Result<std::string> made = make();
  if (made.ok()) Keep(key, made.value());
  return made;
}

size_t DocumentAnswers::kept_bytes() {
  const std::lock_guard<std::mutex> lock(mutex_);
  return kept_bytes_;
}

}  // namespace warpsight::server
