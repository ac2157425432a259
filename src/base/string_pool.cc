#include "base/string_pool.h"

#include <cstring>

#include "base/check.h"
#include "base/text_hash.h"

namespace warpsight {
namespace {

constexpr size_t kFirstSlots = 1024;
constexpr size_t kBlockBytes = size_t{1} << 16;
constexpr unsigned kRecentBits = 11;
constexpr size_t kRecent = size_t{1} << kRecentBits;

}  // namespace

StringPool::StringPool() : slots_(kFirstSlots), recent_(kRecent) { views_.emplace_back(); }

uint32_t& StringPool::Recent(std::string_view text) {
  namespace in = text_hash_internal;
  const char* const last = text.data() + text.size() - 8;
  const uint64_t words =
      in::Load64(text.data()) ^ in::Load64(text.data() + (text.size() - 8) / 2) * 3 ^ in::Load64(last) * 5;
  return recent_[(words + text.size()) * in::kOdd1 >> (64 - kRecentBits)];
}

StringId StringPool::Intern(std::string_view text) {
  if (text.size() < 8) return text.empty() ? StringId::kEmpty : InternHashed(text);
  uint32_t& recent = Recent(text);
  if (recent == 0 || !EqualText(views_[recent], text)) recent = static_cast<uint32_t>(InternHashed(text));
  return StringId{recent};
}

StringId StringPool::InternHashed(std::string_view text) {
  const uint64_t hash = HashText(text);
  const auto high = static_cast<uint32_t>(hash >> 32);
  const size_t mask = slots_.size() - 1;
  for (size_t at = hash & mask;; at = (at + 1) & mask) {
    Slot& slot = slots_[at];
    if (slot.id_plus_one == 0) {
      CHECK(views_.size() < UINT32_MAX);
      const auto id = static_cast<uint32_t>(views_.size());
      slot = {high, id + 1};
      views_.push_back(Copy(text));
      if (views_.size() * 2 > slots_.size()) Grow();
      return StringId{id};
    }
    if (slot.hash_high == high && EqualText(views_[slot.id_plus_one - 1], text)) return StringId{slot.id_plus_one - 1};
  }
}

StringId StringPool::Find(std::string_view text) const {
  if (text.empty()) return StringId::kEmpty;
  const uint64_t hash = HashText(text);
  const auto high = static_cast<uint32_t>(hash >> 32);
  const size_t mask = slots_.size() - 1;
  for (size_t at = hash & mask; slots_[at].id_plus_one != 0; at = (at + 1) & mask) {
    const Slot& slot = slots_[at];
    if (slot.hash_high == high && EqualText(views_[slot.id_plus_one - 1], text)) return StringId{slot.id_plus_one - 1};
  }
  return StringId::kEmpty;
}

std::string_view StringPool::Copy(std::string_view text) {
  text_bytes_ += text.size();
  if (text.size() > kBlockBytes / 4) {  // long texts get a block of their own, so that no block is left half empty
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(text.size()));
    std::memcpy(blocks_.back().get(), text.data(), text.size());
    return {blocks_.back().get(), text.size()};
  }
  if (text.size() > block_left_) {
    blocks_.push_back(std::make_unique_for_overwrite<char[]>(kBlockBytes));
    block_next_ = blocks_.back().get();
    block_left_ = kBlockBytes;
  }
  std::memcpy(block_next_, text.data(), text.size());
  const std::string_view copy(block_next_, text.size());
  block_next_ += text.size();
  block_left_ -= text.size();
  return copy;
}

void StringPool::Grow() {
  std::vector<Slot> bigger(slots_.size() * 2);
  const size_t mask = bigger.size() - 1;
  for (uint32_t id = 1; id < views_.size(); ++id) {
    const uint64_t hash = HashText(views_[id]);
    size_t at = hash & mask;
    while (bigger[at].id_plus_one != 0) at = (at + 1) & mask;
    bigger[at] = {static_cast<uint32_t>(hash >> 32), id + 1};
  }
  slots_ = std::move(bigger);
}

}  // namespace warpsight
