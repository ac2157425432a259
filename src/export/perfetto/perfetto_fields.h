// Field numbers of the Perfetto trace messages that are written here, from protos/perfetto/trace of google/perfetto
// (trace.proto, trace_packet.proto, track_event/*.proto, interned_data.proto).
#pragma once

#include <cstdint>

namespace warpsight::perfetto {

inline constexpr uint32_t kTracePacket = 1;  // of Trace

namespace packet {
inline constexpr uint32_t kClockSnapshot = 6;
inline constexpr uint32_t kTimestamp = 8;
inline constexpr uint32_t kSequenceId = 10;
inline constexpr uint32_t kTrackEvent = 11;
inline constexpr uint32_t kInternedData = 12;
inline constexpr uint32_t kSequenceFlags = 13;
inline constexpr uint32_t kPreviousPacketDropped = 42;
inline constexpr uint32_t kTrackDescriptor = 60;
inline constexpr uint32_t kFirstPacketOnSequence = 87;
}  // namespace packet

// Values of packet::kSequenceFlags.
inline constexpr uint32_t kIncrementalStateCleared = 1;
inline constexpr uint32_t kNeedsIncrementalState = 2;

namespace clock_snapshot {
inline constexpr uint32_t kClocks = 1;
inline constexpr uint32_t kClockId = 1;
inline constexpr uint32_t kClockTimestamp = 2;
inline constexpr uint32_t kRealtime = 1;
inline constexpr uint32_t kBoottime = 6;  // what timestamps count in when a packet does not say
}  // namespace clock_snapshot

namespace event {
inline constexpr uint32_t kCategoryIids = 3;
inline constexpr uint32_t kDebugAnnotations = 4;
inline constexpr uint32_t kType = 9;
inline constexpr uint32_t kNameIid = 10;
inline constexpr uint32_t kTrackUuid = 11;
inline constexpr uint32_t kCounterValue = 30;
inline constexpr uint32_t kDoubleCounterValue = 44;
inline constexpr uint32_t kFlowIds = 47;
inline constexpr uint32_t kTerminatingFlowIds = 48;
}  // namespace event

// Values of event::kType.
inline constexpr uint32_t kSliceBegin = 1;
inline constexpr uint32_t kSliceEnd = 2;
inline constexpr uint32_t kInstantEvent = 3;
inline constexpr uint32_t kCounterEvent = 4;

namespace annotation {
inline constexpr uint32_t kNameIid = 1;
inline constexpr uint32_t kUnsigned = 3;
inline constexpr uint32_t kInteger = 4;
inline constexpr uint32_t kStringIid = 17;
}  // namespace annotation

namespace interned {
inline constexpr uint32_t kCategories = 1;
inline constexpr uint32_t kEventNames = 2;
inline constexpr uint32_t kAnnotationNames = 3;
inline constexpr uint32_t kAnnotationStrings = 29;
// Of each entry.
inline constexpr uint32_t kIid = 1;
inline constexpr uint32_t kText = 2;
}  // namespace interned

namespace track {
inline constexpr uint32_t kUuid = 1;
inline constexpr uint32_t kName = 2;
inline constexpr uint32_t kProcess = 3;
inline constexpr uint32_t kThread = 4;
inline constexpr uint32_t kParentUuid = 5;
inline constexpr uint32_t kCounter = 8;
inline constexpr uint32_t kChildOrdering = 11;
inline constexpr uint32_t kSiblingOrderRank = 12;
inline constexpr uint32_t kSiblingMergeBehavior = 15;
inline constexpr uint32_t kExplicitOrdering = 3;  // of kChildOrdering: by rank
inline constexpr uint32_t kNeverMerge = 2;        // of kSiblingMergeBehavior: equal names stay two tracks

inline constexpr uint32_t kProcessPid = 1;
inline constexpr uint32_t kProcessName = 6;
inline constexpr uint32_t kThreadPid = 1;
inline constexpr uint32_t kThreadTid = 2;
inline constexpr uint32_t kThreadName = 5;
inline constexpr uint32_t kCounterUnitName = 6;
}  // namespace track

}  // namespace warpsight::perfetto
