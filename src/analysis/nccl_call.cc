#include "analysis/nccl_call.h"

#include <algorithm>
#include <charconv>

namespace warpsight {
namespace {

// The number behind "KEY=" in a text of words; 0 = there is none.
int64_t NumberOf(std::string_view text, std::string_view key) {
  while (!text.empty()) {
    const std::string_view word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    if (!word.starts_with(key)) continue;
    int64_t number = 0;
    const auto [end, error] = std::from_chars(word.data() + key.size(), word.data() + word.size(), number);
    return error == std::errc() && end == word.data() + word.size() ? number : 0;
  }
  return 0;
}

// The word behind the count.
std::string_view TypeIn(std::string_view text) {
  text.remove_prefix(std::min(text.find(' '), text.size()));
  text.remove_prefix(std::min<size_t>(1, text.size()));
  return text.substr(0, text.find(' '));
}

}  // namespace

std::optional<NcclCall> ReadNcclCall(std::string_view function, std::string_view sizes) {
  const int64_t count = NumberOf(sizes, "count=");
  const int64_t bytes = NumberOf(sizes, "bytes=");
  NcclCall call;
  call.ranks = NumberOf(sizes, "ranks=");
  if (count <= 0 || bytes <= 0 || bytes % count != 0 || call.ranks <= 0) return std::nullopt;
  call.element_bytes = bytes / count;
  call.dtype = TypeIn(sizes);
  int64_t of_all = 0;
  if (__builtin_mul_overflow(count, call.ranks, &of_all)) return std::nullopt;
  const bool gives_to_each = function == "ncclReduceScatter" || function == "ncclAlltoAll" || function == "ncclScatter";
  const bool gets_of_each = function == "ncclAllGather" || function == "ncclAlltoAll" || function == "ncclGather";
  call.in_elements = gives_to_each ? of_all : count;
  call.out_elements = gets_of_each ? of_all : count;
  return call;
}

}  // namespace warpsight
