#include "render/text_renderer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <variant>
#include <vector>

#include "render/display_text.h"
#include "render/table_text.h"

namespace warpsight {
namespace {

constexpr int kIndent = 2;
constexpr int kNarrowest = 20;  // narrower terminals are treated as this wide

Ink SeverityInk(Severity severity) {
  switch (severity) {
    case Severity::kHigh:
      return Ink::kRed;
    case Severity::kMedium:
      return Ink::kYellow;
    case Severity::kLow:
      return Ink::kCyan;
    case Severity::kInfo:
      return Ink::kDim;
  }
  return Ink::kPlain;
}

// The label carries the meaning, the ink only repeats it: output without colour must say the same.
struct ParagraphLook {
  std::string_view label;
  Ink label_ink;
  Ink text_ink;
};

ParagraphLook LookOf(ParagraphKind kind) {
  switch (kind) {
    case ParagraphKind::kPlain:
      return {"", Ink::kPlain, Ink::kPlain};
    case ParagraphKind::kVerdict:
      return {"Verdict:", Ink::kBold, Ink::kBold};
    case ParagraphKind::kNote:
      return {"Note:", Ink::kDim, Ink::kPlain};
    case ParagraphKind::kWarning:
      return {"Warning:", Ink::kYellow, Ink::kPlain};
  }
  return {"", Ink::kPlain, Ink::kPlain};
}

// Remarks in a row read as one list, without empty lines between them.
bool IsRemark(const Block& block) {
  const auto* paragraph = std::get_if<Paragraph>(&block);
  return paragraph != nullptr && (paragraph->kind == ParagraphKind::kNote || paragraph->kind == ParagraphKind::kWarning);
}

class TextWriter {
 public:
  explicit TextWriter(const TextStyle& style) : style_(style) { style_.width = std::max(style.width, kNarrowest); }

  std::string Write(const std::vector<Block>& blocks) {
    const Block* previous = nullptr;
    for (const Block& block : blocks) {
      if (IsPageOnly(block)) continue;
      const bool under_heading = previous != nullptr && std::holds_alternative<Heading>(*previous);
      const bool in_list = previous != nullptr && IsRemark(*previous) && IsRemark(block);
      if (previous != nullptr && !under_heading && !in_list) out_ += '\n';
      std::visit([this](const auto& one) { Add(one); }, block);
      previous = &block;
    }
    return std::move(out_);
  }

 private:
  // What a block may use, after the indent of its section.
  int width() const { return style_.width - indent_; }
  std::string Safe(std::string_view text) const { return Printable(text, style_.ascii); }

  void AddLine(std::string_view line) {
    if (!line.empty()) out_.append(static_cast<std::size_t>(indent_), ' ');
    out_ += line;
    out_ += '\n';
  }

  void Add(const Heading& heading) {
    indent_ = heading.level <= 1 ? 0 : kIndent;
    for (const std::string& line : Wrap(Safe(heading.text), width())) AddLine(Painted(line, Ink::kBold, style_));
    indent_ = kIndent;
  }

  void Add(const Paragraph& paragraph) {
    const ParagraphLook look = LookOf(paragraph.kind);
    if (look.label.empty()) {
      AddLabelled("", 0, paragraph.text, look.label_ink, look.text_ink);
    } else {
      AddLabelled(look.label, DisplayWidth(look.label) + 1, paragraph.text, look.label_ink, look.text_ink);
    }
  }

  void Add(const Table& table) {
    if (table.text_cut && table.text_cut->rows < table.rows.size()) return Add(Shown(table));
    for (const std::string& line : TableLines(table, style_, width())) AddLine(line);
  }
  static Table Shown(const Table& table) {
    const auto end = table.rows.begin() + static_cast<std::ptrdiff_t>(table.text_cut->rows);
    return {table.title, table.columns, {table.rows.begin(), end}, table.text_cut->footnote, {}};
  }

  // Longer than the terminal is wide it goes on below itself there, and is still one line for who copies it.
  void Add(const CommandBlock& command) { AddLine(Safe(command.text)); }

  // Pictures are for the page; their numbers stand in the tables.
  void Add(const RecordBlock& /*record*/) {}
  void Add(const BarChart& /*chart*/) {}
  void Add(const TimelineStrip& /*strip*/) {}
  void Add(const Scatter& /*scatter*/) {}
  void Add(const ShareChart& /*chart*/) {}
  void Add(const FlowChart& /*chart*/) {}

  void Add(const FindingBlock& finding) {
    const std::string number = fmt::format("{}. ", finding.number);
    const std::string tag = fmt::format("[{}]", SeverityName(finding.severity));
    const int number_width = DisplayWidth(number);
    const std::string first = number + Painted(tag, SeverityInk(finding.severity), style_);
    AddHanging(first, number_width + DisplayWidth(tag) + 1, number_width, finding.title, Ink::kBold);
    indent_ += number_width;
    constexpr int kLabelColumn = 10;  // "Evidence" and the gutter
    if (!finding.gain.empty()) AddLabelled("Gain", kLabelColumn, finding.gain, Ink::kDim, Ink::kPlain);
    std::string_view label = "Evidence";
    for (const std::string& line : finding.evidence) {
      AddLabelled(label, kLabelColumn, line, Ink::kDim, Ink::kPlain);
      label = "";  // once is enough
    }
    if (!finding.advice.empty()) AddLabelled("Advice", kLabelColumn, finding.advice, Ink::kDim, Ink::kPlain);
    indent_ -= number_width;
  }

  void Add(const KeyValues& values) {
    int label_width = 0;
    for (const KeyValue& pair : values.pairs) label_width = std::max(label_width, DisplayWidth(Safe(pair.key)));
    label_width = std::min(label_width, width() / 2);  // keys may be foreign and long; values need room
    for (const KeyValue& pair : values.pairs) {
      AddLabelled(ShortenMiddle(Safe(pair.key), label_width, style_.ascii), label_width + kIndent, pair.value, Ink::kDim,
                  Ink::kPlain);
    }
  }

  // `label`, then `text` wrapped in the space from column `text_column` on.
  void AddLabelled(std::string_view label, int text_column, std::string_view text, Ink label_ink, Ink text_ink) {
    const std::string padded = Pad("", text_column - DisplayWidth(label), false);
    AddHanging(Painted(label, label_ink, style_) + padded, text_column, text_column, text, text_ink);
  }

  // The first line starts with `first`, which takes `first_columns`; the following ones are indented by `hang`.
  void AddHanging(const std::string& first, int first_columns, int hang, std::string_view text, Ink ink) {
    const int gap = std::max(first_columns - hang, 0);
    // The words of the first line are wrapped behind a filler as wide as what stands before them.
    const std::string filler = gap > 1 ? std::string(static_cast<std::size_t>(gap - 1), '#') + ' ' : "";
    bool is_first = true;
    for (std::string& line : Wrap(filler + Safe(text), width() - hang)) {
      if (!is_first) {
        AddLine(Pad("", hang, false) + Painted(line, ink, style_));
        continue;
      }
      is_first = false;
      line.erase(0, filler.size());
      std::string whole = first;
      if (gap > 0 && !line.empty()) whole += ' ';
      whole += Painted(line, ink, style_);
      whole.erase(whole.find_last_not_of(' ') + 1);
      AddLine(whole);
    }
  }

  TextStyle style_;
  int indent_ = 0;
  std::string out_;
};

}  // namespace

std::string RenderText(const Document& document, const TextStyle& style) { return TextWriter(style).Write(document.blocks); }

}  // namespace warpsight
