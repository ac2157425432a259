// ReadWhole: an input taken into memory as one text, for formats that jump about in their file.
//
// Place in the flow: ByteSource -> ReadWhole -> importer. Formats that read from front to back (torch_json) take their
// ByteSource as it comes and need no bound; what is held whole does, since a few kB of gzip or zstd may inflate to more
// than any machine has. The rule is here once, for all of them:
//   - a compressed input may inflate to kMostExpansion times its stored bytes, and to kFreeBytes whatever it is stored in.
//     Recordings shrink to a fifth or a fiftieth (docs/formats/README.md has the figures), a bomb to a thousandth;
//   - no input may take more than three quarters of the machine's memory, nor more than its format allows.
// Errors: kUnreadable when a bound is passed, or when the memory is not given; damage of the container is the source's
// problem(), as ever: the text is what came before it. Threads: one.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "base/byte_source.h"
#include "base/status.h"

namespace warpsight {

struct WholeInputLimits {
  uint64_t most_expansion = 100;
  uint64_t free_bytes = uint64_t{256} << 20;
  // Of the inflated text: what a file of the format can have at most.
  uint64_t most_bytes = UINT64_MAX;
};

// `progress`, when given, is called now and then with the stored bytes read and in all (-1 unknown).
Result<std::unique_ptr<std::string>> ReadWhole(
    ByteSource& source, const WholeInputLimits& limits = {},
    const std::function<void(int64_t done_bytes, int64_t total_bytes)>& progress = nullptr);

}  // namespace warpsight
