#include "analysis/ledger_document.h"

#include <fmt/format.h>

#include <string>
#include <utility>

#include "document/units.h"

namespace warpsight {
namespace {

std::string_view SeverityWord(ImportSeverity severity) {
  switch (severity) {
    case ImportSeverity::kError:
      return "error";
    case ImportSeverity::kWarning:
      return "warning";
    case ImportSeverity::kInfo:
      break;
  }
  return "info";
}

std::string_view EffectWord(Effect effect) {
  switch (effect) {
    case Effect::kRepaired:
      return "repaired";
    case Effect::kExcluded:
      return "excluded";
    case Effect::kNote:
      break;
  }
  return "note";
}

}  // namespace

nlohmann::ordered_json LedgerJson(const ImportLog& log) {
  nlohmann::ordered_json causes = nlohmann::ordered_json::array();
  for (const ImportCause& cause : log.causes()) {
    causes.push_back(
        {{"cause", cause.cause},
         {"count", cause.count},
         {"severity", SeverityWord(cause.severity)},
         {"effect", EffectWord(cause.effect)},
         {"example", cause.example},
         {"first_place", cause.first_place < 0 ? nlohmann::ordered_json() : nlohmann::ordered_json(cause.first_place)}});
  }
  return {{"read", log.read()},
          {"kept", log.kept()},
          {"repaired", log.repaired()},
          {"excluded", log.excluded()},
          {"causes", std::move(causes)}};
}

void AppendLedger(const ImportLog& log, Document& document, std::string title) {
  document.blocks.push_back(Heading{std::move(title)});
  document.blocks.push_back(
      Paragraph{fmt::format("{} events read = {} kept + {} repaired + {} excluded", FormatCount(log.read()),
                            FormatCount(log.kept()), FormatCount(log.repaired()), FormatCount(log.excluded()))});
  for (const ImportCause& cause : log.causes()) {
    const std::string place = cause.first_place < 0 ? "" : fmt::format(" (first at byte {})", cause.first_place);
    document.blocks.push_back(Paragraph{fmt::format("{} {} x {}: {}{}", SeverityWord(cause.severity),
                                                    FormatCount(cause.count), cause.cause, cause.example, place)});
  }
}

}  // namespace warpsight
