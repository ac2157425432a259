#include "export/perfetto/interned_texts.h"

#include <fmt/format.h>

#include "export/row_words.h"

namespace warpsight::perfetto {

uint64_t InternedTexts::Word(std::string_view word) {
  if (word.empty()) return 0;
  uint32_t& number = words_[word];
  if (number == 0) number = Say(interned::kAnnotationStrings, last_text_, word);
  return number;
}

uint64_t InternedTexts::Text(CopyKind kind) { return Word(CopyKindWord(kind)); }
uint64_t InternedTexts::Text(MemoryKind kind) { return Word(MemoryKindWord(kind)); }

const InternedTexts::LaunchNumbers& InternedTexts::Launch(LaunchIndex index) {
  if (index >= launches_.size()) launches_.resize(size_t{index} + 1);
  LaunchNumbers& numbers = launches_[index];
  if (numbers.grid == 0) {
    const LaunchConfig& config = trace_.launch_config(index);
    numbers = {Triple(config.grid), Triple(config.block)};
  }
  return numbers;
}

// Equal ones have one number, however many indices the import gave them.
uint32_t InternedTexts::Triple(const std::array<int32_t, 3>& triple) {
  uint32_t& number = triples_[triple];
  if (number == 0) {
    number = Say(interned::kAnnotationStrings, last_text_, fmt::format("{}x{}x{}", triple[0], triple[1], triple[2]));
  }
  return number;
}

}  // namespace warpsight::perfetto
