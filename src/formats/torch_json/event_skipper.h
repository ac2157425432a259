// EventSkipper: finds the end of one object in text that comes in pieces, holding nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace warpsight::torch_json {

class EventSkipper {
 public:
  static constexpr size_t kNotYet = ~size_t{0};

  void Reset() { *this = EventSkipper(); }

  // Feeds the next piece. Returns the byte after the object's closing brace in this piece, kNotYet when it lies further on.
  size_t Feed(std::string_view piece) {
    for (size_t at = 0; at < piece.size(); ++at) {
      const char c = piece[at];
      if (escaped_) {
        escaped_ = false;
      } else if (in_string_) {
        escaped_ = c == '\\';
        in_string_ = c != '"';
      } else if (c == '"') {
        in_string_ = true;
      } else if (c == '{' || c == '[') {
        ++depth_;
      } else if ((c == '}' || c == ']') && --depth_ <= 0) {
        return at + 1;
      }
    }
    return kNotYet;
  }

 private:
  int64_t depth_ = 0;
  bool in_string_ = false;
  bool escaped_ = false;
};

}  // namespace warpsight::torch_json
