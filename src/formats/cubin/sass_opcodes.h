// The opcode of a SASS instruction, from its bits: data/sass_opcodes.toml.
//
// Errors: none; an opcode that is not in the data is "". Threads: the data is read once; thread-safe.
#pragma once

#include <cstdint>
#include <string_view>

namespace warpsight {

// Of a 16-byte instruction (compute capability 7.0 and newer), of which `low` is the first half.
std::string_view SassOpcode(uint64_t low);

}  // namespace warpsight
