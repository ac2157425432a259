// The conservation ledger as every document shows it: events read = kept + repaired + excluded, by cause.
//
// Place in the flow: ImportLog -> JSON "ledger" and a short block of text. Errors: none. Threads: pure functions.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "document/document.h"
#include "trace/import_log.h"

namespace warpsight {

// {"read","kept","repaired","excluded","causes":[{"cause","count","severity","effect","example","first_place"}]}
nlohmann::ordered_json LedgerJson(const ImportLog& log);

// Appends the ledger to the text of `document`: one line when nothing happened, else one line a cause.
void AppendLedger(const ImportLog& log, Document& document, std::string title = "Ledger");

}  // namespace warpsight
