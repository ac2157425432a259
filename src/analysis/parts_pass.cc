#include "analysis/parts_pass.h"

#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "analysis/enclosing_events.h"
#include "analysis/fused_name.h"
#include "analysis/model_pass.h"
#include "analysis/steps_pass.h"

namespace warpsight {
namespace {

constexpr size_t kKinds = 3;

// One number for a name and the kind of work that has it.
size_t KindedName(StringId name, GpuKind kind) { return static_cast<size_t>(name) * kKinds + static_cast<size_t>(kind); }

class PartSums {
 public:
  PartSums(Analysis& analysis, const WorkParts& parts, size_t steps)
      : trace_(analysis.trace()), gpu_(trace_.gpu()), parts_(parts), selection_(analysis.selection()), steps_(steps) {}

  PartsResult Run() {
    const std::vector<WorkToken>& tokens = parts_.sequence.tokens();
    for (uint32_t t = 0; t < tokens.size(); ++t) AddToken(t, tokens[t]);
    MakeRows();
    MakeKernelRows();
    result_.alignment = parts_.alignment;
    return std::move(result_);
  }

 private:
  struct Sum {
    Ns ns = 0;
    int64_t kernels = 0;
    int64_t calls = 0;
    int64_t calls_in_steps = 0;
  };

  void AddToken(uint32_t index, const WorkToken& token) {
    const auto part = static_cast<size_t>(token.part);
    bool any = false;
    for (uint32_t i = 0; i < token.count; ++i) {
      const uint32_t row = parts_.sequence.row(token, i);
      if (selection_.device && trace_.device_of(row) != *selection_.device) continue;
      const Interval whole{gpu_.start_ns[row], gpu_.end_ns[row]};
      const bool starts = !selection_.range || selection_.range->Contains(whole.start);
      const Ns inside = (selection_.range ? Intersect(whole, *selection_.range) : whole).duration();
      any |= starts;
      Add(by_part_[part], inside, starts);
      Add(by_phase_[static_cast<size_t>(token.phase)], inside, starts);
      Add(by_confidence_[static_cast<size_t>(parts_.confidence[row])], inside, starts);
      if (token.part == Part::kBackward) Add(by_forward_[parts_.forward_part[index]], inside, starts);
      if (token.part == Part::kOther) AddOther(row, inside, starts);
      if (IsFused(gpu_.name[row])) AddFused(row, token.part, inside, starts);
    }
    if (!token.counts) return;
    by_part_[part].calls += any ? 1 : 0;
    by_part_[part].calls_in_steps += token.step >= 0 && OnDevice(token) ? 1 : 0;
  }

  bool OnDevice(const WorkToken& token) const {
    return !selection_.device || trace_.device_of(parts_.sequence.row(token, 0)) == *selection_.device;
  }

  static void Add(Sum& sum, Ns ns, bool starts) {
    sum.ns = SaturatingAdd(sum.ns, ns);
    sum.kernels += starts ? 1 : 0;
  }

  bool IsFused(StringId name) {
    if (parts_.sequence.fused().empty()) return false;
    if (fused_index_.empty()) {
      for (size_t i = 0; i < parts_.sequence.fused().size(); ++i)
        fused_index_[static_cast<uint32_t>(parts_.sequence.fused()[i].name)] = i;
    }
    return fused_index_.contains(static_cast<uint32_t>(name));
  }

  void AddFused(uint32_t row, Part part, Ns inside, bool starts) {
    Add(fused_[{fused_index_[static_cast<uint32_t>(gpu_.name[row])], part}], inside, starts);
  }

  void AddOther(uint32_t row, Ns inside, bool starts) {
    const size_t key = KindedName(gpu_.name[row], gpu_.kind[row]);
    const auto [slot, added] = other_of_name_.try_emplace(key, result_.other.size());
    if (added) {
      PartKernel kernel;
      kernel.name = trace_.Text(gpu_.name[row]);
      kernel.kind = gpu_.kind[row];
      kernel.op = OutermostOp(row);
      result_.other.push_back(kernel);
    }
    PartKernel& kernel = result_.other[slot->second];
    kernel.gpu_ns = SaturatingAdd(kernel.gpu_ns, inside);
    kernel.calls += starts ? 1 : 0;
  }

  std::string_view OutermostOp(uint32_t row) const {
    const Trace& trace = parts_.sequence.attribution().OpsOf(row, trace_);
    const HostEvents& host = trace.host();
    std::string_view name;
    for (const uint32_t op : EnclosingEvents(host, parts_.sequence.attribution().op[row])) {
      if (host.kind[op] == HostKind::kOp) name = trace.Text(host.name[op]);
    }
    return name;
  }

  double Share(Ns ns) const { return all_ns_ > 0 ? static_cast<double>(ns) / all_ns_ : 0; }

  void MakeRows() {
    for (const Sum& sum : by_part_) {
      result_.gpu_work_ns = SaturatingAdd(result_.gpu_work_ns, sum.ns);
      all_ns_ += static_cast<double>(sum.ns);
    }
    for (size_t i = 0; i < by_part_.size(); ++i) {
      const Sum& sum = by_part_[i];
      if (sum.ns == 0 && sum.kernels == 0) continue;
      PartRow row{static_cast<Part>(i), sum.ns, Share(sum.ns), sum.kernels, sum.calls, {}};
      if (steps_ > 0) row.calls_per_step = static_cast<double>(sum.calls_in_steps) / static_cast<double>(steps_);
      result_.rows.push_back(row);
    }
    std::stable_sort(result_.rows.begin(), result_.rows.end(), [](const PartRow& a, const PartRow& b) {
      if ((a.part == Part::kOther) != (b.part == Part::kOther)) return b.part == Part::kOther;
      return a.gpu_ns > b.gpu_ns;
    });
    for (size_t i = 0; i < by_phase_.size(); ++i) {
      const Sum& sum = by_phase_[i];
      if (sum.ns > 0 || sum.kernels > 0)
        result_.phases.push_back({static_cast<Phase>(i), sum.ns, Share(sum.ns), sum.kernels});
    }
    for (size_t i = 0; i < by_confidence_.size(); ++i)
      result_.confidence.push_back({static_cast<Confidence>(i), by_confidence_[i].kernels, by_confidence_[i].ns});
    for (const auto& [part, sum] : by_forward_) result_.backward.push_back({part, sum.ns, Share(sum.ns), sum.kernels});
    std::stable_sort(result_.backward.begin(), result_.backward.end(),
                     [](const ForwardPartRow& a, const ForwardPartRow& b) { return a.gpu_ns > b.gpu_ns; });
  }

  void MakeKernelRows() {
    std::erase_if(result_.other, [](const PartKernel& kernel) { return kernel.gpu_ns == 0 && kernel.calls == 0; });
    for (PartKernel& kernel : result_.other) kernel.gpu_share = Share(kernel.gpu_ns);
    std::stable_sort(result_.other.begin(), result_.other.end(),
                     [](const PartKernel& a, const PartKernel& b) { return a.gpu_ns > b.gpu_ns; });
    for (const auto& [key, sum] : fused_) {
      const WorkSequence::FusedKernel& kernel = parts_.sequence.fused()[key.first];
      if (sum.ns == 0 && sum.kernels == 0) continue;
      result_.fused.push_back(
          {trace_.Text(kernel.name), kernel.ops, FusedMeaning(kernel.ops), key.second, sum.ns, sum.kernels});
    }
    std::stable_sort(result_.fused.begin(), result_.fused.end(),
                     [](const FusedKernelRow& a, const FusedKernelRow& b) { return a.gpu_ns > b.gpu_ns; });
  }

  const Trace& trace_;
  const GpuWork& gpu_;
  const WorkParts& parts_;
  const Selection& selection_;
  size_t steps_;
  std::array<Sum, kPartCount> by_part_;
  std::array<Sum, kPhaseCount> by_phase_;
  std::array<Sum, kConfidenceCount> by_confidence_;
  std::map<std::optional<Part>, Sum> by_forward_;
  std::map<std::pair<size_t, Part>, Sum> fused_;
  std::unordered_map<uint32_t, size_t> fused_index_;
  std::unordered_map<uint64_t, size_t> other_of_name_;
  PartsResult result_;
  double all_ns_ = 0;  // of the rows; shares of it add up to 1 where the sum in ns is held at its end
};

}  // namespace

Result<PartsResult> PartsPass::Run(Analysis& analysis) {
  const Result<WorkParts>& parts = analysis.Get<WorkPartsPass>();
  if (!parts.ok()) return parts.status();
  const Result<ModelResult>& model = analysis.Get<ModelPass>();
  if (!model.ok()) return model.status();
  const Result<StepsResult>& steps = analysis.Get<StepsPass>();
  PartsResult result = PartSums(analysis, *parts, steps.ok() ? steps->steps.size() : 0).Run();
  result.accounting = Account(*parts, *model, steps.ok() ? steps->steps.size() : 0);
  return result;
}

PartOfKernel::PartOfKernel(const WorkParts& parts) : by_name_(parts.sequence.trace().strings().size() * kKinds) {
  const GpuWork& gpu = parts.sequence.trace().gpu();
  struct Spent {
    size_t key = 0;
    std::array<Ns, kPartCount> by_part = {};
  };
  std::vector<uint32_t> slot_of(by_name_.size(), kNoRow);
  std::vector<Spent> spent;
  for (uint32_t row = 0; row < gpu.size(); ++row) {
    const size_t key = KindedName(gpu.name[row], gpu.kind[row]);
    if (slot_of[key] == kNoRow) {
      slot_of[key] = static_cast<uint32_t>(spent.size());
      spent.push_back({.key = key});
    }
    Ns& sum = spent[slot_of[key]].by_part[static_cast<size_t>(parts.part(row))];
    sum = SaturatingAdd(sum, gpu.duration_ns(row));
  }
  for (const auto& [key, by_part] : spent) {
    const auto most = std::max_element(by_part.begin(), by_part.end());
    Ns all = 0;
    for (const Ns ns : by_part) all = SaturatingAdd(all, ns);
    if (*most >= all - *most && all > 0) by_name_[key] = PartName(static_cast<Part>(most - by_part.begin()));
  }
}

std::string_view PartOfKernel::part(StringId name, GpuKind kind) const { return by_name_[KindedName(name, kind)]; }

}  // namespace warpsight
