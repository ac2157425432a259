#include "export/row_words.h"

#include <array>
#include <cstddef>

namespace warpsight {
namespace {

template <typename Kind, size_t N>
std::string_view WordOf(const std::array<std::string_view, N>& words, Kind kind) {
  const auto at = static_cast<size_t>(kind);
  return at < N ? words[at] : std::string_view();
}

}  // namespace

std::string_view HostKindWord(HostKind kind) {
  constexpr std::array<std::string_view, kHostKinds> kWords = {"op",    "range",     "api",         "overhead",
                                                               "other", "recording", "python_frame"};
  return WordOf(kWords, kind);
}

std::string_view GpuKindWord(GpuKind kind) {
  constexpr std::array<std::string_view, 3> kWords = {"kernel", "memcpy", "memset"};
  return WordOf(kWords, kind);
}

std::string_view GpuSpanKindWord(GpuSpanKind kind) {
  constexpr std::array<std::string_view, 3> kWords = {"annotation", "sync", "other"};
  return WordOf(kWords, kind);
}

std::string_view CopyKindWord(CopyKind kind) {
  constexpr std::array<std::string_view, 7> kWords = {
      "", "host_to_device", "device_to_host", "device_to_device", "peer_to_peer", "host_to_host", "other"};
  return WordOf(kWords, kind);
}

std::string_view MemoryKindWord(MemoryKind kind) {
  constexpr std::array<std::string_view, 6> kWords = {"", "pageable", "pinned", "device", "array", "managed"};
  return WordOf(kWords, kind);
}

}  // namespace warpsight
