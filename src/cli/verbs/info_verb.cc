#include <charconv>
#include <optional>
#include <string>
#include <system_error>
#include <vector>

#include "analysis/counters/counter_info_document.h"
#include "analysis/info_document.h"
#include "base/json_members.h"
#include "cli/verbs/verb_makers.h"
#include "formats/event_source.h"

namespace warpsight {
namespace {

using Json = nlohmann::ordered_json;

// Deeper than any recorder nests; what is deeper could not be printed, as printing goes down with it.
constexpr int kDeepest = 200;

// The event, or its text where it is no JSON or too deep.
Json ParseEvent(const std::string& text) {
  bool too_deep = false;
  const Json event = Json::parse(
      text,
      [&](int depth, Json::parse_event_t, Json&) {
        too_deep |= depth > kDeepest;
        return depth <= kDeepest;
      },
      false);
  return event.is_discarded() || too_deep ? Json(text) : event;
}

// All digits, as a parser of doubles would not keep them.
KeyValues FieldsOf(const std::string& text) {
  KeyValues fields;
  for (const JsonMember& member : JsonMembers(text)) {
    const std::vector<JsonMember> args = member.key == "args" ? JsonMembers(member.value) : std::vector<JsonMember>();
    for (const JsonMember& arg : args) fields.pairs.push_back({"args." + std::string(arg.key), JsonValueText(arg.value)});
    if (args.empty()) fields.pairs.push_back({std::string(member.key), JsonValueText(member.value)});
  }
  if (fields.pairs.empty()) fields.pairs.push_back({"text", text});
  return fields;
}

std::optional<uint64_t> ParseSource(const std::string& text) {
  uint64_t source = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), source);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return source;
}

class InfoVerb final : public Verb {
 public:
  std::string_view name() const override { return "info"; }
  std::string_view summary() const override {
    return "what is in the file: producer, versions, devices, counts, time range, ledger";
  }
  bool is_one_table() const override { return false; }
  std::vector<std::string> examples() const override {
    return {"warpsight info trace.json.gz", "warpsight info trace.json.gz --event 26027", "warpsight info kernels.ncu-rep"};
  }
  InputKind input_kind() const override { return InputKind::kEither; }
  FileCount files() const override { return {1, "the recording, or an Nsight Compute report; - is standard input"}; }
  void Configure(CLI::App& app) override {
    app.add_option(
        "--event", event_,
        "show all that the file says of one event, by its source: in JSON the byte where it starts, elsewhere what "
        "serve and \"after_source\" in JSON say");
  }
  Result<VerbOutput> Run(const Input& input) override {
    if (event_ && input.is_counters()) return LacksError("a counter report has no events: --event is for timelines");
    if (input.is_counters()) return VerbOutput{MakeCounterInfoDocument(input.counters())};
    if (!event_) return VerbOutput{MakeInfoDocument(input.trace())};
    const std::optional<uint64_t> source = ParseSource(*event_);
    if (!source) return UsageError("--event " + *event_ + ": give a whole number, such as 26027");
    const Result<std::string> text = ReadEventText(input.options().files.front(), *source);
    if (!text.ok()) return text.status();
    VerbOutput output;
    output.document.verb = "info";
    output.document.data = {{"event", ParseEvent(*text)}, {"source", *source}, {"text", *text}};
    output.document.blocks = {Heading{"Event"}, FieldsOf(*text)};
    return output;
  }

 private:
  std::optional<std::string> event_;
};

}  // namespace

std::unique_ptr<Verb> MakeInfoVerb() { return std::make_unique<InfoVerb>(); }

}  // namespace warpsight
