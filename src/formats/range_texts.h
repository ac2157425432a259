// RangeTexts: the text of a range as the names that its row refers to: of an op when it is one (op_range_name.h), else
// itself.
//
// Place in the flow: NVTX ranges of a recording -> RangeTexts -> host rows. A long text is read once and then known by where
// it stands: any number of ranges may share one text of a file, and reading it for each of them would take the square of
// the file's size. So texts handed to OfShared must stay where they are for the life of this. Errors: none. Threads: one.
#pragma once

#include <optional>
#include <string_view>
#include <unordered_map>

#include "base/string_pool.h"
#include "formats/op_range_name.h"

namespace warpsight {

struct RangeNames {
  bool is_op = false;
  StringId name = StringId::kEmpty;    // of the op, or the whole text
  StringId shapes = StringId::kEmpty;  // of an op
  StringId types = StringId::kEmpty;   // of an op
  uint32_t sequence_plus_one = 0;
  uint16_t forward_thread = 0;
  uint32_t op_id = 0;
};

class RangeTexts {
 public:
  // Shorter ones are read as fast as they are looked up.
  static constexpr size_t kLongText = 256;

  explicit RangeTexts(StringPool& strings) : strings_(strings) {}

  RangeNames Of(std::string_view text, bool may_be_op) {
    RangeNames read;
    const std::optional<OpRangeName> op = may_be_op ? ParseOpRange(text) : std::nullopt;
    read.is_op = op.has_value();
    read.name = strings_.Intern(op ? op->name : text);
    if (!op) return read;
    read.shapes = strings_.Intern(op->shapes);
    read.types = strings_.Intern(op->types);
    read.sequence_plus_one = op->sequence_plus_one;
    read.forward_thread = op->forward_thread;
    read.op_id = op->op_id;
    return read;
  }
  RangeNames OfShared(std::string_view text, bool may_be_op) {
    if (text.size() < kLongText) return Of(text, may_be_op);
    auto& known = may_be_op ? maybe_ops_ : plain_;
    const auto found = known.find(text.data());
    return found != known.end() ? found->second : known.emplace(text.data(), Of(text, may_be_op)).first->second;
  }
  // A name that is no range's.
  StringId NameOfShared(std::string_view text) { return OfShared(text, false).name; }

 private:
  StringPool& strings_;
  std::unordered_map<const char*, RangeNames> plain_;  // by where the text begins
  std::unordered_map<const char*, RangeNames> maybe_ops_;
};

}  // namespace warpsight
