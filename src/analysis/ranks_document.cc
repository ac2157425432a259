#include "analysis/ranks_document.h"

#include <fmt/format.h>

#include <algorithm>

#include "analysis/collectives_document.h"
#include "document/absent.h"
#include "document/kernel_name.h"
#include "document/units.h"

namespace warpsight {
namespace {

using nlohmann::ordered_json;

constexpr size_t kTextRows = 10;  // of the collectives in text

bool HasSteps(const RanksResult& ranks) {
  return std::any_of(ranks.rows.begin(), ranks.rows.end(),
                     [](const RankRow& row) { return row.steps && row.steps->has_steps; });
}

// A sum of the rank's steps, per step.
template <typename Sum>
std::optional<Ns> OfSteps(const RankRow& row, const Sum& sum) {
  return row.steps ? std::optional<Ns>(row.steps->PerStep(sum(*row.steps))) : std::nullopt;
}
template <typename Sum>
std::optional<Ns> OfWaits(const RankRow& row, const Sum& sum) {
  return row.steps && row.waits ? std::optional<Ns>(row.steps->PerStep(sum(*row.waits))) : std::nullopt;
}

struct RankTimes {
  explicit RankTimes(const RankRow& row)
      : wall(OfSteps(row, [](const RankSteps& s) { return s.wall_ns; })),
        busy(OfSteps(row, [](const RankSteps& s) { return s.busy_ns; })),
        compute(OfSteps(row, [](const RankSteps& s) { return s.compute_ns; })),
        idle(OfSteps(row, [](const RankSteps& s) { return s.idle_ns; })),
        exposed(OfSteps(row, [](const RankSteps& s) { return s.exposed_collective_ns; })),
        collective(OfWaits(row, [](const RankWaits& w) { return w.collective_ns; })),
        wait(OfWaits(row, [](const RankWaits& w) { return w.wait_ns; })),
        exposed_wait(OfWaits(row, [](const RankWaits& w) { return w.exposed_wait_ns; })),
        transfer(OfWaits(row, [](const RankWaits& w) { return w.transfer_ns; })) {}
  std::optional<Ns> wall, busy, compute, idle, exposed, collective, wait, exposed_wait, transfer;
};

ordered_json ClockData(const RankRow& row) {
  if (!row.clock) return nullptr;
  return {{"collectives", row.clock->collectives},
          {"usable", row.clock->usable()},
          {"offset_ns", row.clock->usable() ? ordered_json(row.clock->offset_ns) : ordered_json(nullptr)},
          {"error_ns", row.clock->usable() ? ordered_json(row.clock->error_ns) : ordered_json(nullptr)},
          {"problem", row.clock->usable() ? ordered_json(nullptr) : ordered_json(row.clock->problem)}};
}

ordered_json RowData(const RankRow& row, const std::string* verdict) {
  const RankTimes times(row);
  ordered_json data;
  data["rank"] = row.rank;
  data["file"] = row.file;
  data["device"] = row.steps ? ordered_json(row.steps->device) : ordered_json(nullptr);
  data["steps"] = row.steps && row.steps->has_steps ? ordered_json(row.steps->steps) : ordered_json(nullptr);
  data["step_wall_ns"] = OrNull(times.wall);
  data["busy_ns"] = OrNull(times.busy);
  data["compute_ns"] = OrNull(times.compute);
  data["idle_ns"] = OrNull(times.idle);
  data["exposed_collective_ns"] = OrNull(times.exposed);
  data["collective_ns"] = OrNull(times.collective);
  data["wait_ns"] = OrNull(times.wait);
  data["exposed_wait_ns"] = OrNull(times.exposed_wait);
  data["transfer_ns"] = OrNull(times.transfer);
  data["matched_collectives"] = row.waits ? ordered_json(row.waits->collectives) : ordered_json(nullptr);
  data["total_collective_ns"] = row.waits ? ordered_json(row.waits->collective_ns) : ordered_json(nullptr);
  data["total_wait_ns"] = row.waits ? ordered_json(row.waits->wait_ns) : ordered_json(nullptr);
  data["total_transfer_ns"] = row.waits ? ordered_json(row.waits->transfer_ns) : ordered_json(nullptr);
  data["last"] = row.waits ? ordered_json(row.waits->last) : ordered_json(nullptr);
  data["late_median_ns"] = row.waits ? OrNull(row.waits->late_median_ns) : ordered_json(nullptr);
  data["clock"] = ClockData(row);
  data["verdict"] = verdict == nullptr ? ordered_json(nullptr) : ordered_json(*verdict);
  return data;
}

ordered_json CollectiveData(const RanksResult& ranks, const RankCollective& one) {
  ordered_json waits = ordered_json::array();
  for (size_t i = 0; i < one.wait_ns.size(); ++i) {
    if (one.wait_ns[i]) waits.push_back({{"rank", ranks.rows[i].rank}, {"total_wait_ns", *one.wait_ns[i]}});
  }
  ordered_json data;
  data["collective"] = CollectiveName(*one.row);
  data["dtype"] = TextOrNull(one.row->dtype);
  data["bytes"] = OrNull(one.row->bytes);
  data["group"] = one.group;
  data["group_size"] = OrNull(one.row->group_size);
  data["calls"] = one.calls;
  data["total_transfer_ns"] = one.transfer_ns;
  data["transfer_ns"] = one.transfer_ns / one.calls;
  data["busbw_bytes_per_s"] = OrNull(one.BusBytesPerSecond());
  data["waits"] = std::move(waits);
  return data;
}

ordered_json SlowData(const RanksResult& ranks) {
  if (!ranks.slow) return nullptr;
  const SlowRank& slow = *ranks.slow;
  return {{"rank", ranks.rows[slow.row].rank},
          {"wait_ns", slow.wait_ns},
          {"exposed_wait_ns", slow.exposed_wait_ns},
          {"wait_share", slow.share},
          {"last", slow.last},
          {"collectives", slow.collectives},
          {"causes", slow.causes}};
}

Table RowTable(const RanksResult& ranks) {
  Table table;
  table.columns = {CountColumn("rank", "Rank"),
                   Hideable(CountColumn("device", "GPU")),
                   DurationColumn("step_wall_ns", HasSteps(ranks) ? "Step" : "Window"),
                   Hideable(DurationColumn("busy_ns", "Busy")),
                   DurationColumn("compute_ns", "Compute"),
                   DurationColumn("idle_ns", "Idle"),
                   DurationColumn("exposed_collective_ns", "Exposed"),
                   DurationColumn("wait_ns", "Wait"),
                   DurationColumn("transfer_ns", "Transfer"),
                   CountColumn("last", "Last"),
                   Hideable(DurationColumn("exposed_wait_ns", "Exposed wait")),
                   Hideable(DurationColumn("late_median_ns", "Late, median")),
                   Hideable(NameColumn("file", "File"))};
  for (const RankRow& row : ranks.rows) {
    const RankTimes times(row);
    table.rows.push_back({int64_t{row.rank}, row.steps ? Cell(int64_t{row.steps->device}) : Cell(), OrAbsent(times.wall),
                          OrAbsent(times.busy), OrAbsent(times.compute), OrAbsent(times.idle), OrAbsent(times.exposed),
                          OrAbsent(times.wait), OrAbsent(times.transfer), row.waits ? Cell(row.waits->last) : Cell(),
                          OrAbsent(times.exposed_wait), row.waits ? OrAbsent(row.waits->late_median_ns) : Cell(), row.file});
  }
  table.footnote =
      std::string(HasSteps(ranks) ? "Times are means per step." : "Times are of the window: no steps were found.") +
      " Exposed: only collectives ran. Wait: until the last rank came. Last: collectives it came last to.";
  return table;
}

Table CollectiveTable(const RanksResult& ranks) {
  Table table;
  table.title = "Wait and transfer by collective";
  table.columns = {NameColumn("collective", "Collective"),
                   Hideable(TextColumn("dtype", "Type")),
                   BytesColumn("bytes", "Bytes"),
                   Hideable(TextColumn("group", "Group")),
                   CountColumn("calls", "Calls"),
                   DurationColumn("transfer_ns", "Transfer"),
                   NumberColumn("busbw", "Bus GB/s"),
                   DurationColumn("least_wait_ns", "Least wait"),
                   DurationColumn("most_wait_ns", "Most wait"),
                   CountColumn("most_wait_rank", "On rank")};
  const size_t shown = std::min(kTextRows, ranks.collectives.size());
  for (const RankCollective& one : std::span(ranks.collectives).first(shown)) {
    std::optional<Ns> least;
    std::optional<Ns> most;
    int64_t on_rank = 0;
    for (size_t i = 0; i < one.wait_ns.size(); ++i) {
      if (!one.wait_ns[i]) continue;
      const Ns mean = *one.wait_ns[i] / one.calls;
      if (!least || mean < *least) least = mean;
      if (!most || mean > *most) {
        most = mean;
        on_rank = ranks.rows[i].rank;
      }
    }
    const std::optional<double> bus = one.BusBytesPerSecond();
    table.rows.push_back({ShortKernelName(CollectiveName(*one.row)),
                          one.row->dtype.empty() ? Cell() : Cell(std::string(one.row->dtype)), OrAbsent(one.row->bytes),
                          one.group, one.calls, one.transfer_ns / one.calls, bus ? Cell(*bus / 1e9) : Cell(),
                          OrAbsent(least), OrAbsent(most), on_rank});
  }
  table.footnote = "Means per call. Bus bandwidth is of the transfer, without the wait.";
  if (shown < ranks.collectives.size())
    table.footnote +=
        fmt::format(" {} more rows: --json has all.", FormatCount(static_cast<int64_t>(ranks.collectives.size() - shown)));
  return table;
}

void AddNotes(const RanksResult& ranks, Document& document) {
  const auto note = [&](std::string text) { document.blocks.push_back(Paragraph{std::move(text), ParagraphKind::kNote}); };
  if (!ranks.ranks_recorded) note("the files do not say which ranks they are: numbered in the order given");
  if (ranks.matching.matched > 0 && ranks.world_size && static_cast<size_t>(*ranks.world_size) > ranks.rows.size()) {
    note(fmt::format("{} of {} ranks are given: waits for the others count as transfer",
                     FormatCount(static_cast<int64_t>(ranks.rows.size())), FormatCount(*ranks.world_size)));
  }
  for (const std::string& text : ranks.matching.notes) note(text);
  document.blocks.push_back(
      Paragraph{ranks.clocks, ranks.clocks_comparable ? ParagraphKind::kNote : ParagraphKind::kWarning});
}

}  // namespace

std::string SlowRankSentence(const RanksResult& ranks) {
  if (!ranks.slow) return ranks.no_slow_rank;
  const SlowRank& slow = *ranks.slow;
  const std::string waiting =
      ranks.rows.size() == 2 ? fmt::format("rank {} waits", ranks.rows[1 - slow.row].rank) : "the others wait";
  return fmt::format("rank {} is the slow one: {} {} {} for it, {} of that exposed; it came last to {} of {} collectives",
                     ranks.rows[slow.row].rank, waiting, FormatDuration(slow.wait_ns),
                     HasSteps(ranks) ? "a step" : "in the window", FormatDuration(slow.exposed_wait_ns),
                     FormatCount(slow.last), FormatCount(slow.collectives));
}

Document MakeRanksDocument(const RanksResult& ranks, std::span<const std::string> verdicts) {
  Document document;
  document.verb = "ranks";
  ordered_json& data = document.data;
  data["world_size"] = OrNull(ranks.world_size);
  data["main_rank"] = ranks.rows[ranks.main].rank;
  data["ranks_recorded"] = ranks.ranks_recorded;
  data["per"] = HasSteps(ranks) ? "step" : "window";
  data["rows"] = ordered_json::array();
  for (size_t i = 0; i < ranks.rows.size(); ++i)
    data["rows"].push_back(RowData(ranks.rows[i], i < verdicts.size() ? &verdicts[i] : nullptr));
  data["verdict"] = SlowRankSentence(ranks);
  data["slow_rank"] = SlowData(ranks);
  data["matched_collectives"] = ranks.matching.matched;
  data["unmatched_calls"] = ranks.matching.unmatched;
  data["collectives"] = ordered_json::array();
  for (const RankCollective& one : ranks.collectives) data["collectives"].push_back(CollectiveData(ranks, one));
  data["clocks"] = {{"comparable", ranks.clocks_comparable}, {"text", ranks.clocks}};
  data["notes"] = ranks.matching.notes;

  document.blocks.push_back(
      Paragraph{SlowRankSentence(ranks), ranks.slow ? ParagraphKind::kVerdict : ParagraphKind::kPlain});
  if (ranks.slow) {
    for (const std::string& cause : ranks.slow->causes) document.blocks.push_back(Paragraph{cause});
    if (ranks.slow->causes.empty()) document.blocks.push_back(Paragraph{"why is not to be seen in these recordings"});
  }
  document.blocks.push_back(RowTable(ranks));
  for (size_t i = 0; i < std::min(verdicts.size(), ranks.rows.size()); ++i)
    document.blocks.push_back(Paragraph{fmt::format("rank {}: {}", ranks.rows[i].rank, verdicts[i])});
  if (!ranks.collectives.empty()) document.blocks.push_back(CollectiveTable(ranks));
  AddNotes(ranks, document);
  return document;
}

}  // namespace warpsight
