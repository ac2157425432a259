// JSON of answers: compact, in UTF-8 whatever bytes names have.
//
// Threads: pure functions.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "server/api/message.h"

namespace warpsight::server {

using Json = nlohmann::ordered_json;

std::string JsonText(const Json& json);
Response JsonResponse(const Json& json);

}  // namespace warpsight::server
