#include "analysis/flame/flame_document.h"

#include <algorithm>
#include <string>

#include "document/absent.h"

namespace warpsight {
namespace {

using Json = nlohmann::ordered_json;

Json FrameData(const FlameFrame& frame, const std::string& unit) {
  Json data;
  data["name"] = frame.kind == FlameKind::kRest ? Json(nullptr) : Json(frame.name);
  data["kind"] = FlameKindName(frame.kind);
  data["parent"] = frame.parent == kNoRow ? Json(nullptr) : Json(frame.parent);
  data["total_" + unit] = frame.total;
  data["self_" + unit] = frame.self;
  data["count"] = frame.count;
  if (frame.kind == FlameKind::kRest) data["frames_left_out"] = frame.frames_left_out;
  return data;
}

}  // namespace

Document MakeFlameDocument(const Flame& flame, int64_t limit) {
  const auto wanted = limit <= 0 ? kMostFlameFrames : std::min<uint64_t>(static_cast<uint64_t>(limit), kMostFlameFrames);
  const std::string unit = flame.by == FlameBy::kSamples ? "samples" : "ns";
  Document document;
  document.verb = "flame";
  document.data["by"] = FlameByName(flame.by);
  document.data["split"] = flame.split;
  document.data["unit"] = unit;
  document.data["window_ns"] = flame.window.duration();
  document.data["total_" + unit] = flame.total;
  document.data["frames_total"] = flame.frames.size();
  Json frames = Json::array();
  for (const FlameFrame& frame : LargestFrames(flame.frames, wanted)) frames.push_back(FrameData(frame, unit));
  document.data["frames"] = std::move(frames);
  return document;
}

}  // namespace warpsight
