#include "analysis/counters/source_json.h"

#include <cmath>
#include <string>
#include <utility>

#include "analysis/counters/source_page.h"
#include "document/absent.h"

namespace warpsight {
namespace {

// Chains of calls in honest programs are short.
constexpr int kMostInlined = 64;

// Whole numbers without a fraction.
nlohmann::ordered_json SourceNumber(double number) {
  constexpr double kExactLimit = 9007199254740992.0;  // 2^53
  if (!std::isfinite(number)) return nullptr;
  if (number == std::floor(number) && std::abs(number) < kExactLimit) return static_cast<int64_t>(number);
  return number;
}

nlohmann::ordered_json SourceNumber(const std::optional<double>& number) {
  return number ? SourceNumber(*number) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json StallData(const SourceView& view, const std::vector<uint32_t>& instructions, bool not_issued) {
  nlohmann::ordered_json data = nlohmann::ordered_json::object();
  for (const StallShare& stall : view.Stalls(instructions, not_issued)) {
    data[std::string(stall.reason)] = SourceNumber(stall.samples);
  }
  return data;
}

nlohmann::ordered_json InlinedAtData(const FunctionCode& code, const CodePlace& place) {
  nlohmann::ordered_json chain = nlohmann::ordered_json::array();
  const CodePlace* at = &place;
  for (int i = 0; i < kMostInlined && at->caller != 0; ++i) {
    const std::string_view function = code.InlinedFunction(*at);
    at = &code.places[at->caller - 1];
    nlohmann::ordered_json call = {{"file", nullptr}, {"line", nullptr}, {"function", TextOrNull(function)}};
    if (at->line != 0) {
      call["file"] = code.files[at->file].path;
      call["line"] = at->line;
    }
    chain.push_back(std::move(call));
  }
  return chain;
}

// Per-instruction counters by their names, except the stall reasons.
nlohmann::ordered_json InstructionMetrics(const SourceView& view, uint32_t instruction) {
  nlohmann::ordered_json::object_t metrics;
  for (const SourceColumn& column : view.columns()) {
    if (!column.stall.reason.empty()) continue;
    const CounterValue value = view.Value(column, instruction);
    nlohmann::ordered_json number;
    if (column.kind == SourceColumnData::Kind::kFlags) {
      if (!IsAbsent(value)) number = PrintedSourceCell(view, column, instruction);
    } else {
      number = SourceNumber(NumberOf(value).value_or(0));
    }
    metrics.push_back({column.metric, std::move(number)});
  }
  return metrics;
}

nlohmann::ordered_json LineMetrics(const SourceView& view, const SourceLine& line) {
  nlohmann::ordered_json::object_t metrics;
  for (const SourceColumn& column : view.columns()) {
    if (!column.stall.reason.empty() || column.kind != SourceColumnData::Kind::kCount) continue;
    metrics.push_back({column.metric, SourceNumber(view.Sum(column, line.instructions))});
  }
  return metrics;
}

nlohmann::ordered_json LineData(const SourceView& view, const SourceLine& line) {
  const SourceCounts counts = view.Counts(line.instructions);
  const std::optional<double> total = view.total_samples();
  nlohmann::ordered_json share;
  if (counts.samples && total && *total > 0) share = *counts.samples / *total;
  return {{"file", view.files()[line.file]->path},
          {"line", line.line},
          {"text", TextOrNull(view.LineText(line))},
          {"instructions", line.instructions.size()},
          {"samples", SourceNumber(counts.samples)},
          {"samples_share", std::move(share)},
          {"lane_share", OrNull(counts.lane_share())},
          {"stalls", StallData(view, line.instructions, false)},
          {"stalls_not_issued", StallData(view, line.instructions, true)},
          {"metrics", LineMetrics(view, line)}};
}

nlohmann::ordered_json InstructionData(const SourceView& view, uint32_t number) {
  const SourceInstruction& instruction = view.instructions()[number];
  const SourceCounts counts = view.Counts({number});
  nlohmann::ordered_json data = {{"address", instruction.address},
                                 {"address_hex", AddressText(instruction.address)},
                                 {"function", nullptr},
                                 {"offset", nullptr},
                                 {"file", nullptr},
                                 {"line", nullptr},
                                 {"opcode", TextOrNull(instruction.opcode)},
                                 {"text", TextOrNull(instruction.text)}};
  if (instruction.function != SourceInstruction::kNone) {
    const KernelCode::Function& function = view.code().functions[instruction.function];
    data["function"] = function.code.name;
    data["offset"] = instruction.address - function.base_address;
    if (instruction.line != SourceInstruction::kNone) {
      const SourceLine& line = view.lines()[instruction.line];
      data["file"] = view.files()[line.file]->path;
      data["line"] = line.line;
      data["inlined_at"] = InlinedAtData(function.code, function.code.places[instruction.place - 1]);
    }
  }
  data["samples"] = SourceNumber(counts.samples);
  data["lane_share"] = OrNull(counts.lane_share());
  data["stalls"] = StallData(view, {number}, false);
  data["stalls_not_issued"] = StallData(view, {number}, true);
  data["metrics"] = InstructionMetrics(view, number);
  return data;
}

}  // namespace

std::string_view OriginWord(SourceText::Origin origin) {
  switch (origin) {
    case SourceText::Origin::kReport:
      return "report";
    case SourceText::Origin::kDisk:
      return "disk";
    case SourceText::Origin::kChangedOnDisk:
      return "changed on disk";
    case SourceText::Origin::kMissing:
      break;
  }
  return {};
}

nlohmann::ordered_json SourceKernelData(const SourceView& view) {
  const ProfiledKernel& kernel = view.kernel();
  nlohmann::ordered_json data = {{"name", kernel.full_name},
                                 {"id", kernel.id},
                                 {"mangled_name", TextOrNull(kernel.mangled_name)},
                                 {"device", kernel.device},
                                 {"grid", kernel.grid},
                                 {"block", kernel.block},
                                 {"samples", SourceNumber(view.total_samples())},
                                 {"has_lines", !view.lines().empty()},
                                 {"disassembler", TextOrNull(view.code().disassembler)},
                                 {"problems", view.code().problems}};
  data["files"] = nlohmann::ordered_json::array();
  for (const SourceText* text : view.files())
    data["files"].push_back({{"path", text->path}, {"text_from", TextOrNull(OriginWord(text->origin))}});
  data["lines"] = nlohmann::ordered_json::array();
  for (const SourceLine& line : view.lines()) data["lines"].push_back(LineData(view, line));
  data["instructions"] = nlohmann::ordered_json::array();
  for (uint32_t i = 0; i < view.instructions().size(); ++i) data["instructions"].push_back(InstructionData(view, i));
  return data;
}

}  // namespace warpsight
