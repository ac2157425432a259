#include "formats/cubin/sass_opcodes.h"

#include <toml++/toml.h>

#include <array>
#include <string>

#include "base/check.h"
#include "base/embedded_data.h"

namespace warpsight {
namespace {

constexpr std::string_view kOpcodeFile = "data/sass_opcodes.toml";
constexpr uint64_t kOpcodeBits = 0x1FF;
using OpcodeNames = std::array<std::string, kOpcodeBits + 1>;

OpcodeNames ParseOpcodes(std::string_view text) {
  OpcodeNames names;
  for (const auto& [name, node] : toml::parse(text, kOpcodeFile)) {
    const toml::array* bits = node.as_array();
    CHECK(bits != nullptr && !bits->empty());
    for (const toml::node& one : *bits) {
      const auto value = static_cast<uint64_t>(one.value_or(int64_t{-1}));
      CHECK(value <= kOpcodeBits && names[value].empty());
      names[value] = name.str();
    }
  }
  return names;
}

}  // namespace

std::string_view SassOpcode(uint64_t low) {
  static const OpcodeNames& names = *new OpcodeNames(ParseOpcodes(EmbeddedFile(kOpcodeFile)));
  return names[low & kOpcodeBits];
}

}  // namespace warpsight
