#include "analysis/counters/source_document.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>

#include "analysis/counters/source_json.h"
#include "analysis/counters/source_page.h"
#include "analysis/counters/stall_reasons.h"
#include "document/absent.h"
#include "document/kernel_name.h"
#include "document/units.h"

namespace warpsight {
namespace {

constexpr size_t kShownLines = 10;
constexpr size_t kShownLinesOfMany = 5;
constexpr size_t kDetailedLines = 3;
constexpr size_t kShownInstructions = 16;
constexpr size_t kShownStalls = 4;
// A line with less of the samples gets no details, unless it is the first.
constexpr double kDetailedShare = 0.05;

double StallTotal(const std::vector<StallShare>& stalls) {
  double total = 0;
  for (const StallShare& stall : stalls) total += stall.samples;
  return total;
}

Cell CountCell(const std::optional<double>& count) { return count ? Cell(static_cast<int64_t>(*count)) : Cell(); }

Cell SampleShareCell(const SourceView& view, const SourceCounts& counts) {
  const std::optional<double> total = view.total_samples();
  return counts.samples && total && *total > 0 ? Cell(*counts.samples / *total) : Cell();
}

Cell TopStallCell(const SourceView& view, const std::vector<uint32_t>& instructions) {
  const std::vector<StallShare> stalls = view.Stalls(instructions, false);
  return stalls.empty() ? Cell() : Cell(StallWords(stalls.front().reason));
}

Table LineTableOf(const SourceView& view, size_t shown) {
  Table table;
  table.title = "Hot lines";
  table.columns = {NameColumn("line", "Line"),
                   Minor(CountColumn("samples", "Samples")),
                   ShareColumn("samples_share", "Share"),
                   Hideable(CountColumn("executed", "Executed")),
                   Minor(ShareColumn("lane_share", "Lanes")),
                   TextColumn("wait", "Main wait"),
                   NameColumn("text", "Source")};
  for (const SourceLine& line : view.lines()) {
    const SourceCounts counts = view.Counts(line.instructions);
    table.rows.push_back({LinePlace(view, line), CountCell(counts.samples), SampleShareCell(view, counts),
                          CountCell(counts.executed), OrAbsent(counts.lane_share()), TopStallCell(view, line.instructions),
                          TextOrAbsent(view.LineText(line))});
  }
  if (table.rows.size() > shown)
    table.text_cut = TextCut{shown, fmt::format("{} more lines: --all has them.", table.rows.size() - shown)};
  return table;
}

Table InstructionTable(const SourceView& view, const std::vector<uint32_t>& instructions, bool with_lines) {
  Table table;
  table.columns = {TextColumn("offset", "Offset"),
                   NameColumn("instruction", "Instruction"),
                   CountColumn("samples", "Samples"),
                   Hideable(CountColumn("executed", "Executed")),
                   Hideable(ShareColumn("lane_share", "Lanes")),
                   TextColumn("wait", "Main wait")};
  if (with_lines) table.columns.push_back(NameColumn("line", "Line"));
  for (const uint32_t i : instructions) {
    const SourceInstruction& instruction = view.instructions()[i];
    const SourceCounts counts = view.Counts({i});
    const bool has_function = instruction.function != SourceInstruction::kNone;
    const uint64_t base = has_function ? view.code().functions[instruction.function].base_address : 0;
    Row row = {AddressText(instruction.address - base),
               TextOrAbsent(PrintedInstruction(instruction)),
               CountCell(counts.samples),
               CountCell(counts.executed),
               OrAbsent(counts.lane_share()),
               TopStallCell(view, {i})};
    if (with_lines) {
      const bool has_line = instruction.line != SourceInstruction::kNone;
      row.push_back(has_line ? Cell(LinePlace(view, view.lines()[instruction.line])) : Cell());
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

// The most sampled ones (or, without samples, the most executed ones), in the order of their addresses.
std::vector<uint32_t> Hottest(const SourceView& view, std::vector<uint32_t> instructions, size_t most) {
  if (instructions.size() <= most) return instructions;
  std::vector<std::pair<double, uint32_t>> ranked;
  for (const uint32_t i : instructions) {
    const SourceCounts counts = view.Counts({i});
    ranked.emplace_back(-counts.samples.value_or(counts.executed.value_or(0)), i);
  }
  std::ranges::sort(ranked);
  instructions.clear();
  for (size_t i = 0; i < most; ++i) instructions.push_back(ranked[i].second);
  std::ranges::sort(instructions);
  return instructions;
}

// Without padding and paths that were never taken.
std::vector<uint32_t> UsedInstructions(const SourceView& view, const std::vector<uint32_t>& instructions) {
  std::vector<uint32_t> used;
  for (const uint32_t i : instructions) {
    const SourceCounts counts = view.Counts({i});
    if (counts.samples.value_or(0) > 0 || counts.executed.value_or(0) > 0) used.push_back(i);
  }
  return used;
}

std::string RatioText(double actual, double ideal) {
  if (actual <= ideal) return FormatNumber(actual) + ", no more than needed";
  const std::string text = FormatNumber(actual) + ", ideal " + FormatNumber(ideal);
  return ideal > 0 ? fmt::format("{} ({} times)", text, FormatNumber(actual / ideal)) : text;
}

// Where the hottest instruction of inlined code was called from, outwards.
std::string CallersText(const SourceView& view, const SourceLine& line) {
  const SourceInstruction& instruction = view.instructions()[Hottest(view, line.instructions, 1).front()];
  const FunctionCode& code = view.code().functions[instruction.function].code;
  constexpr int kMostCallers = 4;
  std::string text;
  const CodePlace* place = &code.places[instruction.place - 1];
  for (int i = 0; i < kMostCallers && place->caller != 0; ++i) {
    place = &code.places[place->caller - 1];
    if (place->line == 0) break;
    const std::string file = std::filesystem::path(code.files[place->file].path).filename().string();
    text += fmt::format("{}{}:{}", text.empty() ? "" : " < ", file, place->line);
  }
  return text;
}

std::string_view LocalWords(const SourceView& view) {
  if (!view.spill_requests()) return "spilled registers or an array of the thread";
  return *view.spill_requests() > 0 ? "spilled registers" : "an array of the thread, indexed at run time";
}

KeyValues LineFacts(const SourceView& view, const SourceLine& line) {
  KeyValues facts;
  if (const std::string_view text = view.LineText(line); !text.empty()) facts.pairs.push_back({"Source", std::string(text)});
  if (const std::string callers = CallersText(view, line); !callers.empty()) facts.pairs.push_back({"Inlined at", callers});
  const std::vector<StallShare> stalls = view.Stalls(line.instructions, false);
  const double total = StallTotal(stalls);
  for (size_t i = 0; i < std::min(stalls.size(), kShownStalls); ++i) {
    facts.pairs.push_back({i == 0 ? "Warps" : "", fmt::format("{} {} ({})", FormatShare(stalls[i].samples / total),
                                                              StallWords(stalls[i].reason), StallName(stalls[i].reason))});
  }
  const SourceCounts counts = view.Counts(line.instructions);
  if (counts.sectors && counts.ideal_sectors && *counts.sectors > 0)
    facts.pairs.push_back({"L2 sectors", RatioText(*counts.sectors, *counts.ideal_sectors)});
  if (counts.wavefronts && counts.ideal_wavefronts && *counts.wavefronts > 0)
    facts.pairs.push_back({"Shared wavefronts", RatioText(*counts.wavefronts, *counts.ideal_wavefronts)});
  if (counts.local_sectors && *counts.local_sectors > 0)
    facts.pairs.push_back({"Local sectors", fmt::format("{} ({})", FormatNumber(*counts.local_sectors), LocalWords(view))});
  return facts;
}

void AppendLineDetails(const SourceView& view, const SourceLine& line, std::vector<Block>& blocks) {
  const SourceCounts counts = view.Counts(line.instructions);
  const std::optional<double> total = view.total_samples();
  std::string title = LinePlace(view, line);
  if (counts.samples && total && *total > 0) title += ": " + FormatShare(*counts.samples / *total) + " of the samples";
  blocks.push_back(Heading{std::move(title), 2});
  blocks.push_back(LineFacts(view, line));
  Table table = InstructionTable(view, Hottest(view, UsedInstructions(view, line.instructions), kShownInstructions), false);
  if (table.rows.size() < line.instructions.size()) {
    table.footnote =
        fmt::format("The {} hottest of {} instructions: --all has them all.", table.rows.size(), line.instructions.size());
  }
  blocks.push_back(std::move(table));
}

std::string SamplesText(const SourceView& view) {
  if (!view.total_samples()) return "not collected";
  size_t sampled = 0;
  for (uint32_t i = 0; i < view.instructions().size(); ++i) {
    if (view.Counts({i}).samples.value_or(0) > 0) ++sampled;
  }
  return fmt::format("{} at {} of {} instructions", FormatCount(static_cast<int64_t>(*view.total_samples())), sampled,
                     view.instructions().size());
}

std::string OriginText(const SourceView& view) {
  size_t from_report = 0;
  size_t from_disk = 0;
  size_t changed = 0;
  for (const SourceText* text : view.files()) {
    if (text->origin == SourceText::Origin::kReport) ++from_report;
    if (text->origin == SourceText::Origin::kDisk) ++from_disk;
    if (text->origin == SourceText::Origin::kChangedOnDisk) ++changed;
  }
  const bool is_one = view.files().size() == 1;
  std::string text = is_one ? view.files().front()->path : fmt::format("{} files", view.files().size());
  const auto add = [&](size_t count, std::string_view what) {
    if (count > 0) text += is_one ? fmt::format(", text {}", what) : fmt::format(", text of {} {}", count, what);
  };
  add(from_report, "from the report");
  add(from_disk, "from this disk");
  add(changed, "from this disk, which has changed since it was compiled: lines may be off");
  if (from_report + from_disk + changed == 0) text += ", text not at hand (ncu --import-source yes keeps it)";
  return text;
}

std::string InstructionsText(const SourceView& view) {
  if (!view.code().disassembler.empty()) return "text by " + view.code().disassembler;
  const bool has_opcodes =
      std::ranges::any_of(view.instructions(), [](const SourceInstruction& one) { return !one.opcode.empty(); });
  return fmt::format("{} (nvdisasm or cuobjdump on PATH gives the whole text)", has_opcodes ? "opcodes" : "addresses");
}

// What is to be said of kernels, each thing once, with the kernels that it is about.
class SourceNotes {
 public:
  void Add(const SourceView& view) {
    for (const Block& block : NotesOf(view)) {
      const auto& note = std::get<Paragraph>(block);
      const auto same = std::ranges::find(notes_, note.text, [](const Note& known) { return known.paragraph.text; });
      Note& known = same == notes_.end() ? notes_.emplace_back(note) : *same;
      known.kernels.push_back(view.kernel().id);
    }
  }
  void Append(size_t views, std::vector<Block>& blocks) const {
    constexpr size_t kMostNamed = 12;
    for (const Note& note : notes_) {
      Paragraph paragraph = note.paragraph;
      if (note.kernels.size() < views) {
        std::string ids;
        for (size_t i = 0; i < std::min(note.kernels.size(), kMostNamed); ++i)
          ids += fmt::format("{}{}", i == 0 ? "" : ", ", note.kernels[i]);
        if (note.kernels.size() > kMostNamed) ids += ", ...";
        paragraph.text = fmt::format("{} {}: {}", note.kernels.size() == 1 ? "kernel" : "kernels", ids, paragraph.text);
      }
      blocks.push_back(std::move(paragraph));
    }
  }

 private:
  struct Note {
    explicit Note(Paragraph text) : paragraph(std::move(text)) {}
    Paragraph paragraph;
    std::vector<int64_t> kernels;
  };
  static std::vector<Block> NotesOf(const SourceView& view);

  std::vector<Note> notes_;
};

std::vector<Block> SourceNotes::NotesOf(const SourceView& view) {
  std::vector<Block> blocks;
  for (const std::string& problem : view.code().problems) blocks.push_back(Paragraph{problem, ParagraphKind::kWarning});
  if (view.code().functions.empty() && !view.kernel().instruction_texts.empty()) {
    blocks.push_back(Paragraph{"A source page in CSV has no line numbers: give the .ncu-rep itself to see source lines.",
                               ParagraphKind::kNote});
  }
  if (view.lines().empty() && !view.code().functions.empty()) {
    blocks.push_back(
        Paragraph{"The program has no line table for this kernel: compile with -lineinfo (nvcc; Triton has it unless "
                  "TRITON_DISABLE_LINE_INFO is set) to see source lines, and record with ncu --import-source yes to keep "
                  "their text.",
                  ParagraphKind::kNote});
  }
  return blocks;
}

void AppendSource(const SourceView& view, const SourceDocumentOptions& options, size_t views, std::vector<Block>& blocks) {
  blocks.push_back(Heading{fmt::format("{}: {}", view.kernel().id, ShortKernelName(view.kernel().full_name))});
  KeyValues facts;
  facts.pairs = {{"Samples", SamplesText(view)}};
  if (!view.lines().empty()) facts.pairs.push_back({"Source", OriginText(view)});
  if (!view.code().functions.empty()) facts.pairs.push_back({"Instructions", InstructionsText(view)});
  blocks.push_back(std::move(facts));
  const size_t shown = options.all ? view.lines().size() : views > 1 ? kShownLinesOfMany : kShownLines;
  if (!view.lines().empty()) blocks.push_back(LineTableOf(view, shown));
  if (!options.instructions && !options.all) return;

  std::vector<uint32_t> all(view.instructions().size());
  for (uint32_t i = 0; i < all.size(); ++i) all[i] = i;
  if (!options.all && !view.lines().empty()) {
    for (size_t i = 0; i < std::min(view.lines().size(), kDetailedLines); ++i) {
      const double samples = view.Counts(view.lines()[i].instructions).samples.value_or(0);
      if (i > 0 && samples < kDetailedShare * view.total_samples().value_or(1)) break;
      AppendLineDetails(view, view.lines()[i], blocks);
    }
    return;
  }
  Table table = InstructionTable(view, options.all ? all : Hottest(view, all, kShownInstructions), !view.lines().empty());
  table.title = options.all ? "Instructions" : "Hottest instructions";
  if (table.rows.size() < all.size())
    table.footnote = fmt::format("{} of {} instructions: --all has them all.", table.rows.size(), all.size());
  blocks.push_back(std::move(table));
}

}  // namespace

Document MakeSourceDocument(const std::vector<SourceView>& views, const SourceDocumentOptions& options) {
  Document document;
  document.verb = "source";
  if (options.data) document.data["kernels"] = nlohmann::ordered_json::array();
  SourceNotes notes;
  for (const SourceView& view : views) {
    if (options.data) document.data["kernels"].push_back(SourceKernelData(view));
    AppendSource(view, options, views.size(), document.blocks);
    notes.Add(view);
  }
  notes.Append(views.size(), document.blocks);
  if (views.size() > 1 && !options.instructions && !options.all) {
    document.blocks.push_back(Paragraph{
        fmt::format("The instructions of the hot lines are shown of one kernel: choose it with -k NAME or -k NUMBER "
                    "(-k {}).",
                    views.front().kernel().id),
        ParagraphKind::kNote});
  }
  return document;
}

}  // namespace warpsight
