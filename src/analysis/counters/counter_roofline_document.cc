#include "analysis/counters/counter_roofline_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

#include "analysis/counters/triage.h"
#include "counters/raw_page.h"
#include "document/absent.h"
#include "document/units.h"

namespace warpsight {
namespace {

using nlohmann::ordered_json;

constexpr double kTera = 1e12;

ordered_json RoofJson(const CounterRoof& roof, const char* amount, const char* rate) {
  ordered_json data = {{"id", roof.id},
                       {"name", roof.name},
                       {amount, OrNull(roof.amount)},
                       {rate, OrNull(roof.per_s)},
                       {std::string("peak_") + rate, OrNull(roof.peak_per_s)},
                       {"peak_source", TextOrNull(roof.peak_source)},
                       {"utilisation_share", OrNull(roof.utilisation)}};
  if (!roof.types.empty()) data["types"] = roof.types;
  if (roof.may_be_constants) data["may_be_constants"] = true;
  data["not_evaluated"] = TextOrNull(roof.not_evaluated);
  return data;
}

Cell InTera(std::optional<double> per_s) { return per_s ? Cell(*per_s / kTera) : Cell(); }

const RooflinePoint* PointOf(const CounterRoofline& roofline, size_t work, std::string_view memory) {
  for (const RooflinePoint& point : roofline.points) {
    if (point.work == work && roofline.memory[point.memory].id == memory) return &point;
  }
  return nullptr;
}

Cell ShareOfRoof(const CounterRoofline& roofline, std::string_view memory) {
  const auto roof = std::ranges::find(roofline.memory, memory, &CounterRoof::id);
  return roof == roofline.memory.end() ? Cell() : OrAbsent(roof->utilisation);
}

Cell IntensityCell(const RooflinePoint* point) { return point == nullptr ? Cell() : Cell(point->intensity); }

// What a row is of: one kernel.
struct JudgedKernel {
  const ProfiledKernel* kernel = nullptr;
  CounterRoofline roofline;
  std::optional<double> duration_ns;
  std::string judged;  // the verdict of its counters, short
};

void AddRow(const JudgedKernel& one, const CounterRoof* work, Table& table) {
  const ProfiledKernel& kernel = *one.kernel;
  const CounterRoofline& roofline = one.roofline;
  const size_t index = work == nullptr ? 0 : static_cast<size_t>(work - roofline.work.data());
  const auto intensity = [&](std::string_view memory) {
    return work == nullptr ? Cell() : IntensityCell(PointOf(roofline, index, memory));
  };
  const CounterRoof* nearest = roofline.Nearest();
  table.rows.push_back({kernel.id, std::string(kernel.full_name), work == nullptr ? Cell() : Cell(work->name),
                        work == nullptr ? Cell() : OrAbsent(work->amount), work == nullptr ? Cell() : InTera(work->per_s),
                        work == nullptr ? Cell() : InTera(work->peak_per_s),
                        work == nullptr ? Cell() : OrAbsent(work->utilisation), intensity("dram"), intensity("l2"),
                        intensity("l1"), ShareOfRoof(roofline, "dram"), ShareOfRoof(roofline, "l2"),
                        ShareOfRoof(roofline, "l1"), nearest == nullptr ? Cell() : Cell(nearest->name),
                        nearest == nullptr ? Cell() : OrAbsent(nearest->utilisation), TextOrAbsent(one.judged)});
}

// A row for each kind of arithmetic that was done, or for the one that was mostly done.
void AddRows(const JudgedKernel& one, bool all, Table& table) {
  const CounterRoof* const main = one.roofline.MainWork();
  if (!all || main == nullptr) return AddRow(one, main, table);
  for (const CounterRoof& work : one.roofline.work) {
    if (work.did_something()) AddRow(one, &work, table);
  }
}

Table RooflineTable(const CounterRooflineOptions& options) {
  Table table;
  table.columns = {CountColumn("id", "ID"),
                   options.full_names ? NameColumn("name", "Kernel") : KernelNameColumn("name", "Kernel"),
                   TextColumn("arithmetic", "Math"),
                   Hideable(NumberColumn("flops", "FLOP")),
                   NumberColumn("tflops_per_s", "TFLOP/s"),
                   Hideable(NumberColumn("peak_tflops_per_s", "Peak")),
                   ShareColumn("work_share", "Of peak"),
                   Hideable(NumberColumn("dram_intensity", "FLOP/B DRAM")),
                   Hideable(NumberColumn("l2_intensity", "FLOP/B L2")),
                   Hideable(NumberColumn("l1_intensity", "FLOP/B L1")),
                   Hideable(ShareColumn("dram_share", "DRAM")),
                   Hideable(ShareColumn("l2_share", "L2")),
                   Hideable(ShareColumn("l1_share", "L1")),
                   TextColumn("nearest", "Nearest"),
                   ShareColumn("efficiency_share", "Of the roof"),
                   TextColumn("judged", "Counters judge")};
  table.footnote =
      "Shares are of the peaks: of arithmetic, and of the bytes a second of DRAM, L2 and L1, of which the nearest roof has "
      "the largest. A roof counts arithmetic and bytes only: a kernel far below all of them may be at the limit of a pipe, "
      "of instruction issue, of bank conflicts or of uncoalesced accesses, or may wait. What warpsight counters says of all "
      "units stands beside it. Rates are those of the profiled run, at its clocks.";
  return table;
}

// Whether the counters leave it open what the kernel mostly did.
bool IsInDoubt(const CounterRoofline& roofline) {
  const CounterRoof* const main = roofline.MainWork();
  return std::ranges::any_of(roofline.work, [&](const CounterRoof& roof) {
    return roof.may_be_constants && main != nullptr && *roof.per_s >= main->per_s.value_or(0);
  });
}

// Kernels whose FP16 may be no arithmetic at all.
void AppendConstantsNote(const std::vector<JudgedKernel>& kernels, std::vector<Block>& blocks) {
  constexpr size_t kMostNamed = 12;
  std::string ids;
  size_t count = 0;
  for (const JudgedKernel& one : kernels) {
    if (!IsInDoubt(one.roofline)) continue;
    if (++count <= kMostNamed) ids += fmt::format("{}{}", ids.empty() ? "" : ", ", one.kernel->id);
  }
  if (count == 0) return;
  if (count > kMostNamed) ids += ", ...";
  blocks.push_back(Paragraph{
      fmt::format("Most FLOPs would be FP16 in kernels {}, but of HFMA2 instructions alone. Compilers load constants with "
                  "those, and the counters cannot tell which they were, so Math names the other arithmetic.",
                  ids),
      ParagraphKind::kNote});
}

void Sort(CounterRooflineSort sort, std::vector<JudgedKernel>& kernels) {
  const auto key = [sort](const JudgedKernel& one) {
    const CounterRoof* const nearest = one.roofline.Nearest();
    if (sort == CounterRooflineSort::kDuration) return one.duration_ns.value_or(-1);
    return nearest == nullptr ? -1 : nearest->utilisation.value_or(-1);
  };
  if (sort == CounterRooflineSort::kFile) return;
  std::ranges::stable_sort(kernels, [&](const JudgedKernel& a, const JudgedKernel& b) { return key(a) > key(b); });
}

// One line a reason, with the roofs that share it.
void AddReasons(const CounterRoofline& roofline, std::map<std::string, std::string>& reasons) {
  for (const std::vector<CounterRoof>* roofs : {&roofline.work, &roofline.memory}) {
    for (const CounterRoof& roof : *roofs) {
      if (!roof.not_evaluated.empty()) reasons.try_emplace(roof.name, roof.not_evaluated);
    }
  }
}

}  // namespace

ordered_json CounterRooflineJson(const CounterRoofline& roofline) {
  ordered_json data = {
      {"work", ordered_json::array()}, {"memory", ordered_json::array()}, {"points", ordered_json::array()}};
  for (const CounterRoof& roof : roofline.work) data["work"].push_back(RoofJson(roof, "flops", "flops_per_s"));
  for (const CounterRoof& roof : roofline.memory) data["memory"].push_back(RoofJson(roof, "bytes", "bytes_per_s"));
  for (const RooflinePoint& point : roofline.points) {
    data["points"].push_back(
        {{"arithmetic", roofline.work[point.work].id},
         {"memory", roofline.memory[point.memory].id},
         {"intensity", point.intensity},
         {"ridge_intensity", OrNull(point.ridge)},
         {"attainable_flops_per_s", OrNull(point.attainable)},
         {"efficiency_share", OrNull(point.efficiency)},
         {"bound", point.ridge ? ordered_json(point.is_memory_bound() ? "memory" : "compute") : ordered_json()}});
  }
  const CounterRoof* nearest = roofline.Nearest();
  const CounterRoof* const main = roofline.MainWork();
  data["main_arithmetic"] = main == nullptr ? ordered_json() : ordered_json(main->id);
  data["nearest"] = nearest == nullptr ? ordered_json() : ordered_json(nearest->id);
  data["efficiency_share"] = nearest == nullptr ? ordered_json() : OrNull(nearest->utilisation);
  return data;
}

Document MakeCounterRooflineDocument(const CounterReport& report, const CounterRooflineOptions& options,
                                     const Given& given) {
  Document document;
  document.verb = "roofline";
  document.data["producer"] = "Nsight Compute";
  document.data["kernels"] = ordered_json::array();
  Table table = RooflineTable(options);
  std::map<std::string, std::string> reasons;
  std::vector<JudgedKernel> kernels;
  for (const ProfiledKernel* kernel : options.kernels) {
    kernels.push_back(
        {kernel, MakeCounterRoofline(report, *kernel, given), report.Number(*kernel, "gpu__time_duration.sum"), {}});
  }
  Sort(options.sort, kernels);
  if (options.limit > 0 && kernels.size() > options.limit) kernels.resize(options.limit);
  for (JudgedKernel& one : kernels) {
    one.judged = TriageKernel(report, *one.kernel).in_short;
    ordered_json data = {{"id", one.kernel->id},     {"name", one.kernel->full_name}, {"device", one.kernel->device},
                         {"grid", one.kernel->grid}, {"block", one.kernel->block},    {"judged", TextOrNull(one.judged)}};
    data.update(CounterRooflineJson(one.roofline));
    document.data["kernels"].push_back(std::move(data));
    AddRows(one, options.all_arithmetic, table);
    AddReasons(one.roofline, reasons);
  }
  document.blocks.push_back(std::move(table));
  AppendConstantsNote(kernels, document.blocks);
  for (const auto& [roof, reason] : reasons)
    document.blocks.push_back(
        Paragraph{fmt::format("{}: not evaluated for some kernels: {}", roof, reason), ParagraphKind::kNote});
  if (!reasons.empty()) document.blocks.push_back(Paragraph{"ncu --set full collects all metrics.", ParagraphKind::kNote});
  return document;
}

std::optional<Scatter> CounterRooflineChart(const CounterRoofline& roofline) {
  Scatter chart;
  chart.title = "Roofline";
  chart.x_label = "FLOP/byte";
  chart.y_label = "FLOP/s";
  std::vector<bool> is_used(roofline.work.size());
  for (const CounterRoof& memory : roofline.memory) chart.series.push_back("over bytes of " + memory.name);
  // A kernel of floats has a few instructions of other types, which only make the picture wide.
  constexpr double kLeastOfLargest = 0.01;
  double largest = 0;
  for (const CounterRoof& work : roofline.work) largest = std::max(largest, work.per_s.value_or(0));
  for (const RooflinePoint& point : roofline.points) {
    const CounterRoof& work = roofline.work[point.work];
    if (*work.per_s < kLeastOfLargest * largest) continue;
    is_used[point.work] = true;
    chart.points.push_back(
        {point.intensity, *work.per_s, 0.2,
         fmt::format("{} over {}: {} of what its roofs allow", work.name, roofline.memory[point.memory].name,
                     point.efficiency ? FormatShare(*point.efficiency) : "-"),
         point.memory});
  }
  if (chart.points.empty()) return std::nullopt;
  double highest = 0;
  for (size_t i = 0; i < roofline.work.size(); ++i) {
    const CounterRoof& work = roofline.work[i];
    if (!is_used[i] || !work.peak_per_s) continue;
    highest = std::max(highest, *work.peak_per_s);
    chart.roofs.push_back({fmt::format("{}: {} TFLOP/s", work.name, FormatNumber(*work.peak_per_s / kTera)),
                           std::numeric_limits<double>::infinity(), *work.peak_per_s});
  }
  for (const CounterRoof& memory : roofline.memory) {
    if (!memory.peak_per_s || highest <= 0) continue;
    chart.roofs.push_back(
        {fmt::format("{}: {} TB/s", memory.name, FormatNumber(*memory.peak_per_s / kTera)), *memory.peak_per_s, highest});
  }
  chart.caption = "Peaks and rates at the clocks of the profiled run.";
  return chart;
}

Table CounterRoofsTable(const CounterRoofline& roofline) {
  Table table;
  table.title = "Roofs";
  table.columns = {TextColumn("roof", "Roof"),      NumberColumn("amount", "FLOP or bytes"),
                   NumberColumn("rate", "T/s"),     NumberColumn("peak", "Peak T/s"),
                   ShareColumn("share", "Of peak"), Hideable(TextColumn("source", "Peak from")),
                   NameColumn("note", "Note")};
  for (const std::vector<CounterRoof>* roofs : {&roofline.work, &roofline.memory}) {
    for (const CounterRoof& roof : *roofs) {
      table.rows.push_back({roof.name, OrAbsent(roof.amount), InTera(roof.per_s), InTera(roof.peak_per_s),
                            OrAbsent(roof.utilisation), TextOrAbsent(roof.peak_source),
                            TextOrAbsent(roof.not_evaluated.empty() ? roof.types : "not evaluated: " + roof.not_evaluated)});
    }
  }
  return table;
}

}  // namespace warpsight
