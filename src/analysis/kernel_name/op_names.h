// OpNames: ATen operator names that hold an underscore (data/aten_op_names.toml), to cut the joined names of fused kernels.
//
// Threads: immutable after construction.
#pragma once

#include <string>
#include <string_view>
#include <unordered_set>
#include <vector>

namespace warpsight {

class OpNames {
 public:
  explicit OpNames(std::string_view toml_text);
  static const OpNames& Embedded();

  // "_to_copy_add_mean_mul_pow" -> _to_copy, add, mean, mul, pow. The longest known name that fits is taken, else the text
  // up to the next underscore. Linear: a name has at most a few words.
  std::vector<std::string> Split(std::string_view joined) const;

 private:
  std::unordered_set<std::string> names_;
  size_t most_underscores_ = 0;
};

}  // namespace warpsight
