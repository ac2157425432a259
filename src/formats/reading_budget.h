// ReadingBudget: how much memory the parts of one file may cost, by the bytes that the file has.
//
// Place in the flow: the readers of counter reports (ncu_rep, ncu_csv) take from it before they append a part to the report.
// A message of protobuf or a cell of CSV may take two bytes and become a part of hundreds (an empty kernel, a section
// without a name), so a small file of nothing but such would fill any memory. What recorders write costs less than its own
// bytes several times over; a file that passes its budget is no recording. Errors: TooLargeToHold, which the importer turns
// into a Status. Threads: one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <utility>
#include <vector>

namespace warpsight {

class TooLargeToHold : public std::exception {
 public:
  const char* what() const noexcept override { return "more parts than its bytes can hold"; }
};

class ReadingBudget {
 public:
  // Whatever the size of the file.
  static constexpr uint64_t kFreeBytes = uint64_t{64} << 20;

  ReadingBudget(uint64_t file_bytes, uint64_t most_per_byte) : left_(kFreeBytes + file_bytes * most_per_byte) {}

  void Take(uint64_t bytes) {
    if (bytes > left_) throw TooLargeToHold();
    left_ -= bytes;
  }
  template <typename Part>
  Part& Append(std::vector<Part>& parts, Part part) {
    Take(sizeof(Part));
    return parts.emplace_back(std::move(part));
  }

 private:
  uint64_t left_;
};

}  // namespace warpsight
