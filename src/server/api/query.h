// Query: the parameters of a request, taken apart and checked.
//
// Place in the flow: Request::query -> Query -> answers. Percent escapes are decoded, + is a blank. Errors: kUsage that
// names the parameter, what was given and what may be. Threads: immutable.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/status.h"

namespace warpsight::server {

class Query {
 public:
  static Result<Query> Parse(std::string_view text);

  // The text of a parameter; nullopt when it is not given.
  std::optional<std::string_view> Find(std::string_view name) const;
  Result<std::string_view> Text(std::string_view name) const;
  // A whole number within [least, most].
  Result<int64_t> Number(std::string_view name, int64_t least, int64_t most) const;
  Result<int64_t> NumberOr(std::string_view name, int64_t least, int64_t most, int64_t otherwise) const;

 private:
  std::vector<std::pair<std::string, std::string>> values_;
};

// A whole number, nothing before or behind it.
std::optional<int64_t> ParseWholeNumber(std::string_view text);

}  // namespace warpsight::server
