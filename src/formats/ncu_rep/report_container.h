// The container of an Nsight Compute report: blocks of entries, by reference.
//
//   "NVR\0"  u32 size of the file header  file header {1 format version}
//   blocks until the end of the file, each:
//     u32 size of the block header  block header {1 sources, 2 results, 3 session, 4 strings, 5 payload bytes, 6 process}
//     payload: sources, then results, each u32 size + message
//
// There is no index, no checksum and no end mark: a cut file is seen only by running out of bytes. What is whole is kept.
// Errors: `problem` says what ended the walk early, where; TooLargeToHold when there are more entries than the file's budget
// allows. Threads: pure function.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "formats/reading_budget.h"

namespace warpsight {

inline constexpr std::string_view kReportMagic{"NVR\0", 4};
inline constexpr uint64_t kReportVersion = 7;

struct ReportContainer {
  uint64_t version = 0;
  std::vector<std::string_view> headers;  // of blocks
  std::vector<std::string_view> sources;
  std::vector<std::string_view> results;
  std::vector<size_t> header_of_result;  // the block that each one stands in
  std::string problem;  // "the block at byte 41000 should have 900 bytes, the file has 397 more"; empty = whole
  size_t problem_byte = 0;
};

// Views point into `bytes`.
ReportContainer ReadReportContainer(std::string_view bytes, ReadingBudget& budget);

}  // namespace warpsight
