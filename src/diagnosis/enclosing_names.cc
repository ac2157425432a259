#include "diagnosis/enclosing_names.h"

namespace warpsight {

std::vector<bool> RowsInside(const Trace& trace, const std::function<bool(std::string_view name)>& wanted) {
  const StringPool& strings = trace.strings();
  std::vector<bool> is_wanted(strings.size(), false);
  bool any = false;
  for (uint32_t id = 0; id < strings.size(); ++id) {
    if (!wanted(strings.View(static_cast<StringId>(id)))) continue;
    is_wanted[id] = true;
    any = true;
  }
  if (!any) return {};
  const HostEvents& host = trace.host();
  std::vector<bool> inside(host.size(), false);
  any = false;
  for (uint32_t row = 0; row < host.size(); ++row) {
    if (IsFrame(host.kind[row])) continue;
    // A parent stands before its children.
    const bool own = (host.kind[row] == HostKind::kOp || host.kind[row] == HostKind::kRange) &&
                     is_wanted[static_cast<uint32_t>(host.name[row])];
    inside[row] = own || (host.parent[row] != kNoRow && inside[host.parent[row]]);
    any = any || own;
  }
  if (!any) inside.clear();
  return inside;
}

}  // namespace warpsight
