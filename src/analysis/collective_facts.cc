#include "analysis/collective_facts.h"

#include <charconv>

#include "analysis/nccl_call.h"

namespace warpsight {
namespace {

// How far above the launching op the op that names the collective may be: c10d wraps it in a few.
constexpr int kMostAncestors = 6;

bool StartsWith(std::string_view text, std::string_view prefix) { return text.substr(0, prefix.size()) == prefix; }

// Elements of one operand, "[2, 3]" or "[[2, 3], [4]]"; `at` is left behind it. -1: no shape in it, or too large.
int64_t OperandElements(std::string_view text, size_t& at) {
  int64_t sum = 0;
  int64_t product = 1;
  bool numbers = false;
  bool any = false;
  int depth = 0;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c == '[') {
      ++depth;
      product = 1;
      numbers = false;
    } else if (c == ']') {
      if (numbers && __builtin_add_overflow(sum, product, &sum)) return -1;
      any = any || numbers;
      numbers = false;
      if (--depth == 0) break;
    } else if (c >= '0' && c <= '9') {
      int64_t size = 0;
      const auto [end, error] = std::from_chars(text.data() + at, text.data() + text.size(), size);
      if (error != std::errc() || __builtin_mul_overflow(product, size, &product)) return -1;
      numbers = true;
      at = static_cast<size_t>(end - text.data()) - 1;
    }
  }
  if (at < text.size()) ++at;
  return any && sum > 0 ? sum : -1;
}

}  // namespace

std::optional<OperandSize> FirstOperandSize(std::string_view shapes) {
  size_t at = shapes.find('[');
  if (at == std::string_view::npos) return std::nullopt;
  ++at;
  for (size_t operand = 0;; ++operand) {
    at = shapes.find('[', at);
    if (at == std::string_view::npos) return std::nullopt;
    const int64_t elements = OperandElements(shapes, at);
    if (elements > 0) return OperandSize{operand, elements};
  }
}

std::string_view OperandType(std::string_view types, size_t index) {
  size_t at = 0;
  for (size_t element = 0;; ++element) {
    const size_t open = types.find('"', at);
    const size_t close = open == std::string_view::npos ? open : types.find('"', open + 1);
    if (close == std::string_view::npos) return {};
    if (element == index) return types.substr(open + 1, close - open - 1);
    at = close + 1;
  }
}

std::optional<int64_t> CountRanks(std::string_view ranks) {
  if (ranks.size() < 2 || ranks.front() != '[' || ranks.back() != ']') return std::nullopt;
  int64_t count = 0;
  bool in_number = false;
  for (const char c : ranks.substr(1, ranks.size() - 2)) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit && c != ',' && c != ' ') return std::nullopt;
    if (digit && !in_number) ++count;
    in_number = digit;
  }
  return count > 0 ? std::optional<int64_t>(count) : std::nullopt;
}

CollectiveFactsOf::CollectiveFactsOf(const Trace& trace) : trace_(trace), kinds_(CollectiveKinds::Embedded()) {}

const CollectiveKind* CollectiveFactsOf::KindOf(StringId name) {
  const auto [at, added] = kind_of_name_.try_emplace(name, nullptr);
  if (added) at->second = kinds_.Match(trace_.Text(name));
  return at->second;
}

CollectiveFacts CollectiveFactsOf::Facts(uint32_t gpu_row) {
  if (trace_.gpu().collective[gpu_row] != 0) return Recorded(gpu_row);
  CollectiveFacts facts = FromOp(gpu_row);
  if (!facts.bytes) ReadCall(gpu_row, facts);
  return facts;
}

CollectiveFacts CollectiveFactsOf::Recorded(uint32_t gpu_row) {
  const Collective& collective = trace_.collective(trace_.gpu().collective[gpu_row]);
  CollectiveFacts facts;
  facts.recorded = true;
  facts.name = collective.name;
  facts.kind = KindOf(collective.name);
  // "coalesced" and the like name no collective; the kernel may.
  if (facts.kind == nullptr) facts.kind = KindOf(trace_.gpu().name[gpu_row]);
  facts.dtype = trace_.Text(collective.dtype);
  facts.group = collective.group_name;
  facts.group_ranks = collective.group_ranks;
  if (collective.group_size > 0) {
    facts.group_size = collective.group_size;
  } else {
    facts.group_size = CountRanks(trace_.Text(collective.group_ranks));
  }
  const std::optional<int64_t> element = kinds_.ElementBytes(facts.dtype);
  if (facts.kind != nullptr && element) {
    facts.bytes = facts.kind->Bytes(collective.in_elements, collective.out_elements, *element);
  }
  return facts;
}

// The op must name the same collective as the kernel, or be one that does nothing else, so that no kernel inherits the facts
// of an op that merely holds it.
CollectiveFacts CollectiveFactsOf::FromOp(uint32_t gpu_row) {
  const HostEvents& host = trace_.host();
  CollectiveFacts facts;
  facts.name = trace_.gpu().name[gpu_row];
  facts.kind = KindOf(facts.name);
  const bool certain = facts.kind != nullptr && facts.kind->kind != "send_recv";
  uint32_t row = trace_.gpu().op[gpu_row];
  for (int level = 0; level < kMostAncestors && row != kNoRow; ++level, row = host.parent[row]) {
    const CollectiveKind* kind = KindOf(host.name[row]);
    const std::string_view name = trace_.Text(host.name[row]);
    if (kind == nullptr || StartsWith(name, "c10d::")) continue;  // its operands come in another order
    if (certain ? kind != facts.kind : !StartsWith(name, "nccl:")) continue;
    facts.kind = kind;
    facts.name = host.name[row];
    ReadOperands(row, facts);
    break;
  }
  return facts;
}

// The call around the launch, when it is of the same collective as the kernel.
void CollectiveFactsOf::ReadCall(uint32_t gpu_row, CollectiveFacts& facts) {
  const HostEvents& host = trace_.host();
  uint32_t row = trace_.gpu().launch[gpu_row];
  for (int level = 0; level < kMostAncestors && row != kNoRow; ++level, row = host.parent[row]) {
    const std::string_view name = trace_.Text(host.name[row]);
    if (host.kind[row] != HostKind::kOther || !StartsWith(name, "nccl")) continue;
    const CollectiveKind* const kind = KindOf(host.name[row]);
    const std::optional<NcclCall> call = ReadNcclCall(name, trace_.Text(host.shapes[row]));
    if (kind == nullptr || kind != facts.kind || !call) return;
    facts.name = host.name[row];
    facts.dtype = call->dtype;
    facts.group_size = call->ranks;
    facts.bytes = kind->Bytes(call->in_elements, call->out_elements, call->element_bytes);
    return;
  }
}

void CollectiveFactsOf::ReadOperands(uint32_t host_row, CollectiveFacts& facts) {
  const std::optional<OperandSize> size = FirstOperandSize(trace_.Text(trace_.host().shapes[host_row]));
  if (!size) return;
  facts.dtype = OperandType(trace_.Text(trace_.host().types[host_row]), size->operand);
  const std::optional<int64_t> element = kinds_.ElementBytes(facts.dtype);
  if (StartsWith(facts.dtype, "c10::")) facts.dtype.remove_prefix(5);
  // Only what goes in is seen here.
  if (element) facts.bytes = facts.kind->Bytes(size->elements, -1, *element);
}

}  // namespace warpsight
