#include "analysis/lint_document.h"

#include <fmt/format.h>

#include "document/absent.h"
#include "document/units.h"

namespace warpsight {
namespace {

using nlohmann::ordered_json;

ordered_json FindingData(const LintFinding& finding) {
  ordered_json data;
  data["id"] = finding.id;
  data["severity"] = LintSeverityName(finding.severity);
  data["count"] = finding.count;
  data["symptom"] = finding.symptom;
  data["effect"] = TextOrNull(finding.effect);
  data["advice"] = TextOrNull(finding.advice);
  data["examples"] = finding.examples;
  return data;
}

KeyValues MakeBlock(const LintFinding& finding) {
  KeyValues block;
  block.pairs.push_back({"found", finding.symptom});
  for (const std::string& example : finding.examples) block.pairs.push_back({"example", example});
  if (!finding.effect.empty()) block.pairs.push_back({"effect", finding.effect});
  if (!finding.advice.empty()) block.pairs.push_back({"advice", finding.advice});
  return block;
}

std::string Plural(int64_t count, std::string_view noun) {
  return fmt::format("{} {}{}", FormatCount(count), noun, count == 1 ? "" : "s");
}

}  // namespace

Document MakeLintDocument(const LintResult& lint) {
  Document document;
  document.verb = "lint";
  document.data["condition_holds"] = lint.condition_holds();
  document.data["checks"] = lint.checks;
  for (LintSeverity severity : {LintSeverity::kError, LintSeverity::kWarning, LintSeverity::kInfo}) {
    document.data["counts"][std::string(LintSeverityName(severity))] = lint.Count(severity);
  }
  document.data["findings"] = ordered_json::array();

  const std::string summary =
      lint.findings.empty() ? fmt::format("Nothing found by {} checks.", lint.checks)
                            : fmt::format("{}, {}, {} by {} checks.", Plural(lint.Count(LintSeverity::kError), "error"),
                                          Plural(lint.Count(LintSeverity::kWarning), "warning"),
                                          Plural(lint.Count(LintSeverity::kInfo), "note"), lint.checks);
  document.blocks.push_back(Paragraph{summary, ParagraphKind::kPlain});
  for (const LintFinding& finding : lint.findings) {
    document.data["findings"].push_back(FindingData(finding));
    document.blocks.push_back(Heading{fmt::format("{}: {}", LintSeverityName(finding.severity), finding.id), 1});
    document.blocks.push_back(MakeBlock(finding));
  }
  return document;
}

}  // namespace warpsight
