#include "diagnosis/enclosing_names.h"

namespace warpsight {

std::vector<uint8_t> RowsInside(const Trace& trace, const std::function<bool(std::string_view name)>& wanted) {
  const StringPool& strings = trace.strings();
  std::vector<uint8_t> is_wanted(strings.size(), 0);
  bool any = false;
  for (uint32_t id = 0; id < strings.size(); ++id) {
    if (!wanted(strings.View(static_cast<StringId>(id)))) continue;
    is_wanted[id] = 1;
    any = true;
  }
  if (!any) return {};
  const HostEvents& host = trace.host();
  std::vector<uint8_t> inside(host.size(), 0);
  any = false;
  for (uint32_t row = 0; row < host.size(); ++row) {
    const HostKind kind = host.kind[row];
    if (IsFrame(kind)) continue;
    const bool own =
        (kind == HostKind::kOp || kind == HostKind::kRange) && is_wanted[static_cast<uint32_t>(host.name[row])] != 0;
    // A parent stands before its children.
    const uint32_t parent = host.parent[row];
    inside[row] = own || (parent != kNoRow && inside[parent] != 0) ? 1 : 0;
    any = any || own;
  }
  if (!any) inside.clear();
  return inside;
}

}  // namespace warpsight
