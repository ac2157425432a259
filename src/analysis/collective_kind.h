// CollectiveKinds: what a collective is and how its bandwidth is counted, told from a name by the rows of
// data/collectives.toml.
//
// Place in the flow: recorded collective name, op or kernel name -> kind -> collectives pass, comparison of ranks. Match
// once a distinct name, not once a row. Units: bytes; the factor turns algorithm bandwidth into bus bandwidth. Errors: a
// damaged file is our bug (CHECK). Threads: immutable; the embedded table is built on first use, thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace warpsight {

enum class CollectiveBytes : uint8_t { kNone, kInput, kOutput, kLarger };
enum class BusFactor : uint8_t { kNone, kOne, kShare, kTwiceShare };  // none, 1, (n-1)/n, 2(n-1)/n

struct CollectiveKind {
  std::string kind;
  std::vector<std::string> patterns;  // letters and digits, lower case
  CollectiveBytes bytes = CollectiveBytes::kNone;
  BusFactor factor = BusFactor::kNone;
  bool same_bytes = false;  // every rank of the group shows the same byte count
  std::string source;
  std::vector<std::string> examples;

  // Bus bandwidth / algorithm bandwidth in a group of `ranks`. Absent where it means nothing: an unknown group, one rank.
  std::optional<double> Factor(int64_t ranks) const;
  // Bytes of a call that takes in and gives out so many elements (negative or 0 = not recorded). Absent when not known.
  std::optional<int64_t> Bytes(int64_t in_elements, int64_t out_elements, int64_t element_bytes) const;
};

class CollectiveKinds {
 public:
  explicit CollectiveKinds(std::string_view text);
  static const CollectiveKinds& Embedded();

  // Null when no row knows the name.
  const CollectiveKind* Match(std::string_view name) const;
  // Bytes of an element of a type, "BFloat16" or "c10::BFloat16"; absent when not known.
  std::optional<int64_t> ElementBytes(std::string_view type) const;

  const std::vector<CollectiveKind>& kinds() const { return kinds_; }
  const std::vector<std::pair<std::string, int64_t>>& elements() const { return elements_; }

 private:
  std::vector<CollectiveKind> kinds_;
  std::vector<std::pair<std::string, int64_t>> elements_;
};

}  // namespace warpsight
