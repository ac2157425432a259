// StringPool: every distinct text of a trace once, named by a small id.
//
// Texts live in blocks that never move, so a view stays valid as long as the pool. Ids are dense, in order of first
// appearance; id 0 is the empty text. The pool is append only; one thread writes, and after that any number may read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

namespace warpsight {

// Index into a StringPool. 0 is the empty text, which also stands for "not recorded".
enum class StringId : uint32_t { kEmpty = 0 };

class StringPool {
 public:
  StringPool();
  StringPool(StringPool&&) noexcept = default;
  StringPool& operator=(StringPool&&) noexcept = default;

  // The id of `text`, which is copied on first sight.
  StringId Intern(std::string_view text);
  // The id of `text` when it was interned before, else kEmpty.
  StringId Find(std::string_view text) const;
  std::string_view View(StringId id) const { return views_[static_cast<uint32_t>(id)]; }
  // Number of ids, the empty one included.
  size_t size() const { return views_.size(); }
  // Bytes of text held.
  size_t text_bytes() const { return text_bytes_; }

 private:
  struct Slot {
    uint32_t hash_high = 0;
    uint32_t id_plus_one = 0;  // 0 = free
  };

  // Texts come back again and again: most are found by a glance at three of their words, before any hash of the whole.
  uint32_t& Recent(std::string_view text);
  StringId InternHashed(std::string_view text);
  std::string_view Copy(std::string_view text);
  void Grow();

  std::vector<Slot> slots_;
  std::vector<uint32_t> recent_;  // ids; 0 = none
  std::vector<std::string_view> views_;
  std::vector<std::unique_ptr<char[]>> blocks_;
  char* block_next_ = nullptr;
  size_t block_left_ = 0;
  size_t text_bytes_ = 0;
};

}  // namespace warpsight
