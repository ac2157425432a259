#include "render/html_renderer.h"

#include <fmt/format.h>

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <variant>
#include <vector>

#include "base/embedded_data.h"
#include "document/units.h"
#include "render/html_chart.h"
#include "render/html_table.h"
#include "render/html_text.h"

namespace warpsight {
namespace {

constexpr std::string_view kStyle = "src/render/html/page.css";
constexpr std::string_view kScript = "src/render/html/page.js";

// A page beyond this gets no further block. With the largest table on top it stays below 3 MB.
constexpr std::size_t kMostBytes = 2'000'000;
constexpr std::size_t kLongestText = 4000;  // bytes of one paragraph, value or piece of evidence

// Sentences hold names, and names may be as long as a file.
std::string Sentence(std::string_view text) { return EscapedAndCut(text, kLongestText); }

struct Section {
  std::string id;
  std::string name;  // as in the document
};

class PageWriter {
 public:
  // The sections of the document, and `out` with all of them.
  void Write(const std::vector<Block>& blocks) {
    out_ += "<section class=\"lead\" aria-label=\"Verdict\">\n";
    std::size_t left_out = 0;
    for (const Block& block : blocks) {
      if (out_.size() > kMostBytes) {
        ++left_out;
      } else {
        std::visit([this](const auto& one) { Add(one); }, block);
      }
    }
    if (left_out > 0) {
      Add(Paragraph{
          fmt::format("{} parts of the report are left out to keep the page small: the text form and --json have all.",
                      FormatCount(static_cast<std::int64_t>(left_out))),
          ParagraphKind::kWarning});
    }
    CloseFold();
    out_ += "</section>\n";
  }

  const std::vector<Section>& sections() const { return sections_; }
  const std::string& body() const { return out_; }

 private:
  void CloseFold() {
    if (fold_is_open_) out_ += "</div></details>\n";
    fold_is_open_ = false;
  }

  void OpenSection(const std::string& name, std::string_view classes) {
    CloseFold();
    sections_.push_back({fmt::format("s{}", sections_.size() + 1), name});
    const std::string& id = sections_.back().id;
    out_ += fmt::format("</section>\n<section id=\"{}\" aria-labelledby=\"{}-h\"{}>\n<h2 id=\"{}-h\">{}</h2>\n", id, id,
                        classes.empty() ? "" : fmt::format(" class=\"{}\"", classes), id, Sentence(name));
  }

  void Add(const Heading& heading) {
    if (heading.level <= 1) {
      OpenSection(heading.text, "");
      AddTerms("What do the words mean?", heading.terms);
      return;
    }
    CloseFold();
    fold_is_open_ = heading.level > 2;
    if (fold_is_open_) {
      out_ += fmt::format("<details class=\"fold\"><summary>{}</summary><div>\n", Sentence(heading.text));
      return;
    }
    out_ += fmt::format("<h3>{}</h3>\n", Sentence(heading.text));
    AddTerms("What do the words mean?", heading.terms);
  }

  // Closed until someone asks.
  void AddTerms(std::string_view question, const std::vector<TermNote>& terms) {
    if (terms.empty()) return;
    out_ += fmt::format("<details class=\"terms\"><summary>{}</summary>\n<dl>", question);
    for (const TermNote& term : terms) {
      out_ += fmt::format("<dt>{}</dt><dd>{}", Sentence(term.name), Sentence(term.what));
      if (!term.remark.empty()) out_ += fmt::format("<span class=\"remark\">{}</span>", Sentence(term.remark));
      out_ += "</dd>\n";
    }
    out_ += "</dl></details>\n";
  }

  void Add(const Paragraph& paragraph) {
    const std::string text = Sentence(paragraph.text);
    switch (paragraph.kind) {
      case ParagraphKind::kPlain:
        out_ += fmt::format("<p>{}</p>\n", text);
        return;
      case ParagraphKind::kVerdict:
        out_ += fmt::format("<p class=\"verdict\"><b>Verdict</b>{}</p>\n", text);
        return;
      case ParagraphKind::kNote:
        out_ += fmt::format("<p class=\"remark\">Note: {}</p>\n", text);
        return;
      case ParagraphKind::kWarning:
        out_ += fmt::format("<p class=\"warning\">Warning: {}</p>\n", text);
        return;
    }
  }

  void Add(const Table& table) {
    AppendHtmlTable(table, NextId(), sections_.empty() ? "Table" : sections_.back().name, out_);
  }

  void Add(const FindingBlock& finding) {
    const std::string_view severity = SeverityName(finding.severity);
    out_ += fmt::format("<article class=\"finding\"><header><h3>{}. {}</h3><span class=\"pill {}\">{}</span>",
                        finding.number, Sentence(finding.title), severity, severity);
    if (!finding.gain.empty()) out_ += fmt::format("<span class=\"gain\">Gain {}</span>", Sentence(finding.gain));
    out_ += "</header>\n";
    if (!finding.evidence.empty()) {
      out_ += "<ul aria-label=\"Evidence\">";
      for (const std::string& line : finding.evidence) out_ += fmt::format("<li>{}</li>\n", Sentence(line));
      out_ += "</ul>\n";
    }
    if (!finding.advice.empty()) out_ += fmt::format("<p class=\"advice\"><b>Advice</b> {}</p>\n", Sentence(finding.advice));
    AddTerms("What is this?", finding.terms);
    out_ += "</article>\n";
  }

  void Add(const CommandBlock& command) {
    out_ += fmt::format("<pre class=\"command\"><code>{}</code></pre>\n", Sentence(command.text));
  }

  void Add(const KeyValues& values) {
    out_ += "<dl>";
    for (const KeyValue& pair : values.pairs) {
      out_ += fmt::format("<dt>{}</dt><dd>{}</dd>\n", Sentence(pair.key), Sentence(pair.value));
    }
    out_ += "</dl>\n";
  }

  void Add(const RecordBlock& record) {
    OpenSection(record.title, "record");
    Add(KeyValues{record.pairs});
  }

  template <typename Chart>
  void Add(const Chart& chart) {
    AppendHtmlChart(chart, NextId(), out_);
  }

  std::string NextId() { return fmt::format("b{}", ++blocks_); }

  std::vector<Section> sections_;
  int blocks_ = 0;
  bool fold_is_open_ = false;
  std::string out_;
};

void AppendHead(const HtmlOptions& options, std::string& page) {
  const EmbeddedDataFile& script = FindEmbeddedFile(kScript);
  page += "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n";
  page += fmt::format(
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; script-src "
      "'sha256-{}'; base-uri 'none'; form-action 'none'\">\n",
      Base64OfHex(script.sha256));
  page += "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n";
  page += "<meta name=\"color-scheme\" content=\"light dark\">\n<meta name=\"referrer\" content=\"no-referrer\">\n";
  page +=
      fmt::format("<meta name=\"generator\" content=\"warpsight " WARPSIGHT_VERSION "\">\n<title>{} - warpsight</title>\n",
                  Escaped(options.title));
  page += fmt::format("<style>\n{}</style>\n</head>\n", EmbeddedFile(kStyle));
}

// A row of links; of very many a list that opens.
void AppendSectionLinks(const std::vector<Section>& sections, std::string& page) {
  constexpr std::size_t kMostInARow = 20;
  const bool folds = sections.size() > kMostInARow;
  page += folds ? fmt::format(
                      "<nav aria-label=\"Sections\"><details class=\"picker\"><summary>{} sections: choose "
                      "one</summary><ul>",
                      sections.size())
                : "<nav aria-label=\"Sections\"><ul>";
  for (const Section& section : sections) {
    page += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", section.id, EscapedAndCut(section.name, 120));
  }
  page += folds ? "</ul></details></nav>\n" : "</ul></nav>\n";
}

void AppendTop(const HtmlOptions& options, const std::vector<Section>& sections, std::string& page) {
  page += "<body>\n<a class=\"skip\" href=\"#main\">Skip to the report</a>\n<header class=\"top\"><div class=\"wrap\">\n";
  page += fmt::format("<div class=\"brand\"><span>warpsight {}</span>", Escaped(options.verb));
  page +=
      "<button type=\"button\" class=\"theme\" hidden>Theme: "
      "auto</button></div>\n";
  page += fmt::format("<h1>{}</h1>\n", Escaped(options.title));
  AppendSectionLinks(sections, page);
  page += "</div></header>\n";
}

}  // namespace

std::string RenderHtml(const Document& document, const HtmlOptions& options) {
  PageWriter writer;
  writer.Write(document.blocks);
  std::string page;
  page.reserve(writer.body().size() + 32'768);
  AppendHead(options, page);
  AppendTop(options, writer.sections(), page);
  page += "<main id=\"main\" class=\"wrap\" tabindex=\"-1\">\n";
  page += writer.body();
  page += "<footer>warpsight " WARPSIGHT_VERSION ". This page is one file and loads nothing.</footer>\n</main>\n";
  page += "<p id=\"say\" class=\"hush\" role=\"status\"></p>\n";
  page += fmt::format("<script>{}</script>\n</body>\n</html>\n", EmbeddedFile(kScript));
  return page;
}

}  // namespace warpsight
