#include "server/api/json_text.h"

namespace warpsight::server {

std::string JsonText(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n'; }

Response JsonResponse(const Json& json) {
  Response response;
  response.body = JsonText(json);
  return response;
}

Response ErrorResponse(int status, std::string_view text) {
  Response response = JsonResponse({{"error", text}});
  response.status = status;
  return response;
}

Response ErrorResponse(const Status& status) {
  switch (status.kind()) {
    case StatusKind::kUsage:
      return ErrorResponse(kBadRequest, status.message());
    case StatusKind::kLacks:
    case StatusKind::kUnreadable:
      return ErrorResponse(kLacking, status.message());
    case StatusKind::kOk:
    case StatusKind::kInternal:
      break;
  }
  return ErrorResponse(kOurFault, status.message());
}

}  // namespace warpsight::server
