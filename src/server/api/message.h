// Request and Response: what the interface is asked and answers, without sockets.
//
// Place in the flow: server/http -> Request -> Api -> Response -> server/http. Threads: plain values.
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/status.h"

namespace warpsight::server {

struct Request {
  std::string path;   // as sent: nothing in it is decoded
  std::string query;  // behind the question mark, as sent
  bool accepts_gzip = false;
};

struct Response {
  int status = 200;
  std::string content_type = "application/json";
  std::string body = {};
  bool is_gzip = false;
};

inline constexpr int kOkStatus = 200;
inline constexpr int kBadRequest = 400;
inline constexpr int kNotFound = 404;
inline constexpr int kConflict = 409;
inline constexpr int kLacking = 422;
inline constexpr int kOurFault = 500;
inline constexpr int kBusy = 503;

// {"error": text}
Response ErrorResponse(int status, std::string_view text);
// By the kind of what went wrong: a bad question, what the trace lacks, ours.
Response ErrorResponse(const Status& status);

}  // namespace warpsight::server
