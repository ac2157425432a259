// Access: who may ask the server (docs/design/http-api.md).
//
// Place in the flow: headers of a request -> CheckAccess -> Api or a refusal. On loopback the Host header must name this
// machine and this port, so that no page of another origin reads the server through a name of its own (DNS rebinding). With
// a token each request has to bring it: in the query, in the cookie that it sets, or as a bearer. Thread-safe.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace warpsight::server {

struct AccessRules {
  bool only_this_machine = true;  // check Host
  std::string token = {};         // empty: none is asked for
  int port = 0;
};

// What of a request decides. Empty when it was not sent.
struct Credentials {
  std::string host;
  std::string authorization;
  std::string cookie;
  std::string query;
};

enum class Access { kAllowed, kAllowedByQuery, kForeignHost, kNoToken };

Access CheckAccess(const AccessRules& rules, const Credentials& credentials);

// The name of the cookie; servers on several ports of a machine share a browser's cookies.
std::string CookieName(const AccessRules& rules);
// The query without its token.
std::string WithoutToken(std::string_view query);
// 128 bits from the system's generator, as hex digits.
Result<std::string> MakeToken();

}  // namespace warpsight::server
