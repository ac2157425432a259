// Document: the neutral report model, the one thing that every verb produces and every renderer reads.
//
// Place in the flow: analysis and diagnosis results -> Document -> text | JSON | CSV | HTML page. Renderers know no
// analysis. `data` is the body of the JSON document, already typed (keys in _ns hold integers, keys in _share hold 0..1,
// absent is null); `blocks` is what people read, in order. Both are built from the same typed result, neither from the
// other. Every text may contain foreign bytes (names from a trace): renderers neutralise control characters, a line feed
// included. Use one block or one evidence line per line wanted.
// Errors: none; OnlyTable returns a Status. Threads: plain values, thread-compatible.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/status.h"
#include "document/chart.h"
#include "document/table.h"

namespace warpsight {

// What a word beside it means. Only the page shows such notes.
struct TermNote {
  std::string name;
  std::string what;
  std::string remark;  // may be empty
};

struct Heading {
  std::string text;
  // 1 = section, 2 = part of a section, 3 = a part that the page folds: what follows up to the next heading.
  int level = 1;
  std::vector<TermNote> terms = {};  // words of the section
};

// Renderers put the words "Verdict:", "Note:" or "Warning:" before the text; leave them out of it.
enum class ParagraphKind { kPlain, kVerdict, kNote, kWarning };

struct Paragraph {
  std::string text;
  ParagraphKind kind = ParagraphKind::kPlain;
};

enum class Severity { kHigh, kMedium, kLow, kInfo };

// "high", "medium", "low", "info": the words of the JSON contract and of the text form.
std::string_view SeverityName(Severity severity);

struct FindingBlock {
  int number = 0;  // as the reader counts, from 1
  Severity severity = Severity::kInfo;
  std::string title;
  std::string gain;  // formatted, "up to 47.10 ms a step"; empty = not known
  std::vector<std::string> evidence;
  std::string advice;                // may be empty
  std::vector<TermNote> terms = {};  // what the finding is
};

// A line to paste into a shell: never broken by a renderer, which would change what it means. The page lets it go on below
// itself, without a line feed.
struct CommandBlock {
  std::string text;
};

struct KeyValue {
  std::string key;
  std::string value;  // formatted with document/units.h
};

struct KeyValues {
  std::vector<KeyValue> pairs;
};

// The run in a dozen facts, for those who keep records of runs: a section of its own on the page, left out of the text form,
// whose sections say the same.
struct RecordBlock {
  std::string title;
  std::vector<KeyValue> pairs;
};

using Block = std::variant<Heading, Paragraph, Table, FindingBlock, CommandBlock, KeyValues, RecordBlock, BarChart,
                           TimelineStrip, Scatter, ShareChart, FlowChart>;

// Blocks that only the page shows.
bool IsPageOnly(const Block& block);

struct Document {
  std::string verb;             // "ops": makes the schema name "warpsight.ops/1"
  nlohmann::ordered_json data;  // an object, or null when the verb has no body
  std::vector<Block> blocks;
};

// The table of a document that is one table (ops, kernels, steps): what --csv writes. A usage error when the document
// holds none or several. The pointer lives as long as the document is not changed.
Result<const Table*> OnlyTable(const Document& document);

}  // namespace warpsight
