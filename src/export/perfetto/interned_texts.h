// InternedTexts: the texts of a trace by number, each said once, before the first event that needs it.
//
// Event names and values of annotations are numbered apart, as the format has it, in the order in which they are met: ids of
// the trace's own tables depend on the threads of its import, and a file must not. Call before the event begins: saying a
// text is a packet of its own. Memory: 8 bytes a text of the trace, 8 a launch configuration. Threads: one.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "base/string_pool.h"
#include "export/perfetto/packet_writer.h"
#include "trace/rows.h"
#include "trace/trace.h"

namespace warpsight::perfetto {

class InternedTexts {
 public:
  InternedTexts(const Trace& trace, PacketWriter& packets)
      : trace_(trace), packets_(packets), names_(trace.strings().size()), texts_(trace.strings().size()) {}

  // The number of an event name.
  uint64_t Name(StringId id) {
    uint32_t& number = names_[static_cast<uint32_t>(id)];
    if (number == 0) number = Say(interned::kEventNames, last_name_, trace_.Text(id));
    return number;
  }
  // The numbers of values; 0 for the empty text, which is not written.
  uint64_t Text(StringId id) {
    if (id == StringId::kEmpty) return 0;
    uint32_t& number = texts_[static_cast<uint32_t>(id)];
    if (number == 0) number = Say(interned::kAnnotationStrings, last_text_, trace_.Text(id));
    return number;
  }
  uint64_t Text(CopyKind kind);
  uint64_t Text(MemoryKind kind);
  // "16x1x1" of the blocks of a launch, and of the threads of a block.
  uint64_t Grid(LaunchIndex index) { return Launch(index).grid; }
  uint64_t Block(LaunchIndex index) { return Launch(index).block; }

 private:
  struct LaunchNumbers {
    uint32_t grid = 0;
    uint32_t block = 0;
  };
  const LaunchNumbers& Launch(LaunchIndex index);
  uint32_t Triple(const std::array<int32_t, 3>& triple);
  uint64_t Word(std::string_view word);
  uint32_t Say(uint32_t index, uint32_t& last, std::string_view text) {
    packets_.Intern(index, ++last, text);
    return last;
  }

  const Trace& trace_;
  PacketWriter& packets_;
  uint32_t last_name_ = 0;
  uint32_t last_text_ = 0;
  // 0 = not said yet.
  std::vector<uint32_t> names_;  // by StringId
  std::vector<uint32_t> texts_;
  std::vector<LaunchNumbers> launches_;  // by LaunchIndex
  std::map<std::array<int32_t, 3>, uint32_t> triples_;
  std::map<std::string_view, uint32_t> words_;
};

}  // namespace warpsight::perfetto
