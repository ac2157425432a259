#include "formats/cupti_names.h"

#include <iterator>

namespace warpsight {
namespace {

constexpr CuptiCopy kCopies[] = {
    {"Memcpy", CopyKind::kOther},
    {"Memcpy HtoD", CopyKind::kHostToDevice},
    {"Memcpy DtoH", CopyKind::kDeviceToHost},
    {"Memcpy HtoA", CopyKind::kHostToDevice},
    {"Memcpy AtoH", CopyKind::kDeviceToHost},
    {"Memcpy AtoA", CopyKind::kDeviceToDevice},
    {"Memcpy AtoD", CopyKind::kDeviceToDevice},
    {"Memcpy DtoA", CopyKind::kDeviceToDevice},
    {"Memcpy DtoD", CopyKind::kDeviceToDevice},
    {"Memcpy HtoH", CopyKind::kHostToHost},
    {"Memcpy PtoP", CopyKind::kPeerToPeer},
    // Of Nsight Systems: migrations of managed memory, which CUPTI records otherwise.
    {"Memcpy unified HtoD", CopyKind::kHostToDevice},
    {"Memcpy unified DtoH", CopyKind::kDeviceToHost},
    {"Memcpy unified DtoD", CopyKind::kDeviceToDevice},
};

constexpr CuptiMemory kMemories[] = {
    {"Unknown", MemoryKind::kUnknown},      {"Pageable", MemoryKind::kPageable},
    {"Pinned", MemoryKind::kPinned},        {"Device", MemoryKind::kDevice},
    {"Array", MemoryKind::kArray},          {"Managed", MemoryKind::kManaged},
    {"Device static", MemoryKind::kDevice}, {"Managed static", MemoryKind::kManaged},
};

constexpr std::string_view kSyncs[] = {"Sync", "Event Sync", "Stream Wait Event", "Stream Sync", "Context Sync"};

// From 1 << 16 on, in steps of 1 << 16.
constexpr std::string_view kOverheads[] = {"Buffer Flush",
                                           "Instrumentation",
                                           "Resource",
                                           "Runtime Triggered Module Loading",
                                           "Lazy Function Loading",
                                           "Command Buffer Full",
                                           "Activity Buffer Request",
                                           "UVM Activity Init"};

template <typename Names>
const auto& EntryOr(const Names& names, uint32_t number, uint32_t otherwise) {
  return names[number < std::size(names) ? number : otherwise];
}

}  // namespace

CuptiCopy CopyOfCupti(uint32_t kind) { return EntryOr(kCopies, kind, 0); }
CuptiMemory MemoryOfCupti(uint32_t kind) { return EntryOr(kMemories, kind, 0); }
std::string_view SyncNameOfCupti(uint32_t type) { return EntryOr(kSyncs, type, 0); }

std::string OverheadNameOfCupti(uint32_t kind) {
  if (kind == 1) return "Driver Compiler";
  const uint32_t number = kind >> 16;
  if ((kind & 0xFFFF) == 0 && number >= 1 && number <= std::size(kOverheads)) return std::string(kOverheads[number - 1]);
  return "Overhead " + std::to_string(kind);
}

}  // namespace warpsight
