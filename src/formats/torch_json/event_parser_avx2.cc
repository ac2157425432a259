// The copy of the event walk for processors with AVX2; event_parser.cc has the plain one.
#include "formats/torch_json/event_parser.h"
#include "formats/torch_json/field_keys.h"
#include "formats/torch_json/scan_avx2.h"

#if defined(WARPSIGHT_HAS_AVX2_COPY)

namespace warpsight::torch_json {
namespace avx2 {

WARPSIGHT_AVX2_BEGIN

#include "formats/torch_json/event_walk.h"

ParsedEvent WalkEvent(KeyGuess& guess, const char* at, const char* end, EventFields& fields) {
  return EventWalk(guess, end, fields).Parse(at);
}

WARPSIGHT_AVX2_END

}  // namespace avx2

EventWalkFunction Avx2EventWalk() { return avx2::HasAvx2() ? avx2::WalkEvent : nullptr; }

}  // namespace warpsight::torch_json

#else

namespace warpsight::torch_json {

EventWalkFunction Avx2EventWalk() { return nullptr; }

}  // namespace warpsight::torch_json

#endif
