#include "analysis/counters/counter_info_document.h"
#include "analysis/info_document.h"
#include "cli/verbs/verb_makers.h"
#include "formats/event_source.h"

namespace warpsight {
namespace {

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
    app.add_option("--event", event_, "show all arguments of the event that starts at this byte of the (inflated) file");
  }
  Result<VerbOutput> Run(const Input& input) override {
    if (event_ && input.is_counters()) return LacksError("a counter report has no events: --event is for timelines");
    if (input.is_counters()) return VerbOutput{MakeCounterInfoDocument(input.counters())};
    if (!event_) return VerbOutput{MakeInfoDocument(input.trace())};
    const Result<std::string> text = ReadEventText(input.options().files.front(), *event_);
    if (!text.ok()) return text.status();
    VerbOutput output;
    output.document.verb = "info";
    output.document.data = {{"event", nlohmann::ordered_json::parse(*text, nullptr, false)}, {"source", *event_}};
    if (output.document.data["event"].is_discarded()) output.document.data["event"] = *text;
    const nlohmann::ordered_json& event = output.document.data["event"];
    KeyValues fields;
    for (const auto& [key, value] : event.items()) {
      if (key == "args" && value.is_object()) continue;
      fields.pairs.push_back({key, value.is_string()
                                       ? value.get<std::string>()
                                       : value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)});
    }
    if (event.is_object() && event.contains("args") && event["args"].is_object()) {
      for (const auto& [key, value] : event["args"].items()) {
        fields.pairs.push_back(
            {"args." + key, value.is_string()
                                ? value.get<std::string>()
                                : value.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace)});
      }
    }
    output.document.blocks = {Heading{"Event"}, std::move(fields)};
    return output;
  }

 private:
  std::optional<uint64_t> event_;
};

}  // namespace

std::unique_ptr<Verb> MakeInfoVerb() { return std::make_unique<InfoVerb>(); }

}  // namespace warpsight
