// CPU samples: COMPOSITE_EVENTS has their times and threads, SAMPLING_CALLCHAINS one row for each function of each stack.
// The two tables may be read by different workers: JoinStacks puts them together once all is read.
#include <algorithm>
#include <array>
#include <map>
#include <utility>
#include <vector>

#include "formats/nsys_sqlite/finish_rows.h"
#include "formats/nsys_sqlite/table_readers.h"

namespace warpsight::nsys_sqlite {
namespace {

constexpr std::array<std::string_view, 3> kSampleColumns = {"start", "globalTid", "id"};
constexpr std::array<std::string_view, 5> kChainColumns = {"id", "symbol", "module", "kernelMode", "stackDepth"};

void ReadSamples(TableCursor& rows, RowSink& sink) {
  while (rows.Next()) {
    sink.Begin(rows);
    Ns time = 0;
    if (!sink.ReadTime(rows, 0, time)) continue;
    const std::optional<int64_t> thread = rows.Integer(1);
    if (!thread) {
      sink.Exclude("sample_without_thread", "a CPU sample that names no thread");
      continue;
    }
    sink.AddSample(time, sink.names().Thread(*thread), rows.IntegerOr(2, rows.rowid()));
  }
}

void ReadChains(TableCursor& rows, RowSink& sink) {
  while (rows.Next()) {
    sink.Begin(rows);
    RowSink::ChainRow frame;
    frame.sample = rows.IntegerOr(0, 0);
    frame.depth = rows.IntegerOr(4, 0);
    frame.function = sink.NameOf(rows, 1);
    frame.module = sink.names().Text(rows.IntegerOr(2, 0));
    frame.kind = rows.IntegerOr(3, 0) != 0 ? FrameKind::kKernel : FrameKind::kNative;
    sink.AddFact();
    sink.AddChain(frame);
  }
}

// A row of a stack, and whose names it is told in.
struct NamedChain {
  RowSink::ChainRow frame;
  const RowNames* names;
};

struct BySample {
  bool operator()(const NamedChain& chain, int64_t sample) const { return chain.frame.sample < sample; }
  bool operator()(int64_t sample, const NamedChain& chain) const { return sample < chain.frame.sample; }
};

// One worker's names of what another worker read.
class Translation {
 public:
  explicit Translation(const RowNames& to) : to_(to) {}

  StringId Of(const RowNames& from, StringId name) {
    if (&from == &to_) return name;
    const auto [found, added] = known_.try_emplace({&from, name}, StringId::kEmpty);
    if (added) found->second = to_.names()->strings.Intern(from.names()->strings.View(name));
    return found->second;
  }
  // The stack whose rows begin there; made once.
  StackIndex Stack(const std::vector<NamedChain>& chains, size_t first, size_t end) {
    const auto [found, added] = stacks_.try_emplace(first, StackIndex{0});
    if (!added) return found->second;
    StackFrame frame;
    for (size_t i = first; i < end; ++i) {
      frame.function = Of(*chains[i].names, chains[i].frame.function);
      frame.module = Of(*chains[i].names, chains[i].frame.module);
      frame.kind = chains[i].frame.kind;
      frame.parent = to_.names()->InternStack(frame);
    }
    return found->second = frame.parent;
  }

 private:
  const RowNames& to_;
  std::map<std::pair<const RowNames*, StringId>, StringId> known_;
  std::map<size_t, StackIndex> stacks_;
};

// By sample, the outermost function first.
std::vector<NamedChain> SortedChains(TableParts& parts) {
  std::vector<NamedChain> chains;
  for (TablePart& part : parts.parts) {
    for (const RowSink::ChainRow& frame : part.sink->chains()) chains.push_back({frame, part.names});
  }
  std::stable_sort(chains.begin(), chains.end(), [](const NamedChain& a, const NamedChain& b) {
    return a.frame.sample != b.frame.sample ? a.frame.sample < b.frame.sample : a.frame.depth > b.frame.depth;
  });
  return chains;
}

}  // namespace

void JoinStacks(TableParts& parts, ImportLog& log) {
  const std::vector<NamedChain> chains = SortedChains(parts);
  std::map<const RowNames*, Translation> translations;
  std::vector<bool> used(chains.size(), false);
  for (TablePart& part : parts.parts) {
    const std::vector<int64_t>& ids = part.sink->sample_ids();
    for (size_t i = 0; i < ids.size(); ++i) {
      const auto [first, end] = std::equal_range(chains.begin(), chains.end(), ids[i], BySample());
      if (first == end) continue;
      const auto begin = static_cast<size_t>(first - chains.begin());
      used[begin] = true;
      Translation& translation = translations.try_emplace(part.names, *part.names).first->second;
      part.sink->shard().samples[i].stack = translation.Stack(chains, begin, static_cast<size_t>(end - chains.begin()));
    }
  }
  int64_t unused = 0;
  for (size_t i = 0; i < chains.size(); ++i) {
    const bool is_first = i == 0 || chains[i - 1].frame.sample != chains[i].frame.sample;
    unused += is_first && !used[i] ? 1 : 0;
  }
  log.Add("stack_without_sample", ImportSeverity::kWarning, Effect::kNote,
          "a call stack of the file belongs to no CPU sample: it is not shown", -1, unused);
}

TableReader SampleReader() {
  return {[](const ColumnsOfTable& table) { return table.name == "COMPOSITE_EVENTS"; }, kSampleColumns, ReadSamples};
}

TableReader CallChainReader() {
  return {[](const ColumnsOfTable& table) { return table.name == "SAMPLING_CALLCHAINS"; }, kChainColumns, ReadChains};
}

}  // namespace warpsight::nsys_sqlite
