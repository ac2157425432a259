#include "base/utf8.h"

#include <cstdint>
#include <cstring>

namespace warpsight {
namespace {

// Number of bytes and smallest code of a sequence with this first byte; 0 bytes = no sequence begins so.
struct Lead {
  std::size_t bytes;
  char32_t bits;
  char32_t smallest;
};

Lead ReadLead(unsigned char byte) {
  if (byte < 0x80) return {1, byte, 0};
  if (byte >= 0xC2 && byte <= 0xDF) return {2, byte & 0x1FU, 0x80};
  if (byte >= 0xE0 && byte <= 0xEF) return {3, byte & 0x0FU, 0x800};
  if (byte >= 0xF0 && byte <= 0xF4) return {4, byte & 0x07U, 0x10000};
  return {0, 0, 0};
}

// Where the first byte beyond ASCII is, from `at` on; text.size() when there is none.
std::size_t SkipAscii(std::string_view text, std::size_t at) {
  constexpr uint64_t kHighBits = 0x8080808080808080;
  for (; at + sizeof(uint64_t) <= text.size(); at += sizeof(uint64_t)) {
    uint64_t word = 0;
    std::memcpy(&word, text.data() + at, sizeof(word));
    if ((word & kHighBits) != 0) break;
  }
  while (at < text.size() && static_cast<unsigned char>(text[at]) < 0x80) ++at;
  return at;
}

}  // namespace

Character DecodeCharacter(std::string_view text, std::size_t at) {
  constexpr Character kMalformed = {0, 1, false};
  const Lead lead = ReadLead(static_cast<unsigned char>(text[at]));
  if (lead.bytes == 0 || text.size() - at < lead.bytes) return kMalformed;
  char32_t code = lead.bits;
  for (std::size_t i = 1; i < lead.bytes; ++i) {
    const auto byte = static_cast<unsigned char>(text[at + i]);
    if ((byte & 0xC0U) != 0x80U) return kMalformed;
    code = (code << 6U) | (byte & 0x3FU);
  }
  const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
  if (code < lead.smallest || is_surrogate || code > 0x10FFFF) return kMalformed;
  return {code, lead.bytes, true};
}

bool IsWholeUtf8(std::string_view text) {
  for (std::size_t at = SkipAscii(text, 0); at < text.size(); at = SkipAscii(text, at)) {
    const Character character = DecodeCharacter(text, at);
    if (!character.valid) return false;
    at += character.bytes;
  }
  return true;
}

std::string MendedUtf8(std::string_view text) {
  std::string mended;
  mended.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Character character = DecodeCharacter(text, at);
    mended += character.valid ? text.substr(at, character.bytes) : kReplacementCharacter;
    at += character.bytes;
  }
  return mended;
}

}  // namespace warpsight
