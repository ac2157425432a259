#include "formats/torch_json/gpu_fields.h"

#include <charconv>

namespace warpsight::torch_json {
namespace {

struct KindName {
  std::string_view text;
  CopyKind kind;
};

constexpr KindName kCopyKinds[] = {
    {"HtoD", CopyKind::kHostToDevice},         {"DtoH", CopyKind::kDeviceToHost},
    {"DtoD", CopyKind::kDeviceToDevice},       {"PtoP", CopyKind::kPeerToPeer},
    {"HtoH", CopyKind::kHostToHost},           {"HostToDevice", CopyKind::kHostToDevice},
    {"DeviceToHost", CopyKind::kDeviceToHost}, {"DeviceToDevice", CopyKind::kDeviceToDevice},
    {"PeerToPeer", CopyKind::kPeerToPeer},     {"HostToHost", CopyKind::kHostToHost},
};

MemoryKind MemoryNamed(std::string_view text) {
  if (text.find("Pageable") != std::string_view::npos) return MemoryKind::kPageable;
  if (text.find("Pinned") != std::string_view::npos) return MemoryKind::kPinned;
  if (text.find("Device") != std::string_view::npos) return MemoryKind::kDevice;
  if (text.find("Array") != std::string_view::npos) return MemoryKind::kArray;
  if (text.find("Managed") != std::string_view::npos || text.find("Unified") != std::string_view::npos)
    return MemoryKind::kManaged;
  return MemoryKind::kUnknown;
}

}  // namespace

std::array<int32_t, 3> ParseTriple(std::string_view text) {
  std::array<int32_t, 3> triple = {0, 0, 0};
  const char* at = text.data();
  const char* const end = at + text.size();
  for (int32_t& value : triple) {
    while (at != end && (*at < '0' || *at > '9')) ++at;
    const auto [past, error] = std::from_chars(at, end, value);
    if (error != std::errc()) return {0, 0, 0};
    at = past;
  }
  return triple;
}

CopyDescription DescribeCopy(std::string_view name) {
  CopyDescription copy;
  for (const KindName& row : kCopyKinds) {
    if (name.find(row.text) == std::string_view::npos) continue;
    copy.kind = row.kind;
    break;
  }
  const size_t arrow = name.find("->");
  const size_t open = name.find('(');
  if (arrow == std::string_view::npos || open == std::string_view::npos || open > arrow) return copy;
  copy.source = MemoryNamed(name.substr(open, arrow - open));
  copy.destination = MemoryNamed(name.substr(arrow));
  return copy;
}

MemoryKind DescribeMemset(std::string_view name) { return MemoryNamed(name); }

}  // namespace warpsight::torch_json
