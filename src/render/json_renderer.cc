#include "render/json_renderer.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "base/check.h"

namespace warpsight {

std::string RenderJson(Document document) {
  CHECK(document.data.is_object() || document.data.is_null());
  nlohmann::ordered_json whole;
  whole["schema"] = "warpsight." + document.verb + "/1";
  if (document.data.is_object()) {
    for (auto& [key, value] : document.data.items()) whole[key] = std::move(value);
  }
  constexpr int kSpaces = 2;
  return whole.dump(kSpaces, ' ', /*ensure_ascii=*/false, nlohmann::ordered_json::error_handler_t::replace) + '\n';
}

}  // namespace warpsight
