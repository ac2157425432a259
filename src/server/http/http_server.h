// HttpServer: sockets and HTTP around an Api.
//
// Place in the flow: bytes of a connection -> (cpp-httplib) -> Access -> Api -> bytes. Only GET and HEAD are answered; what
// a request may be long is bounded, and so is the number of connections that are served at a time. Every answer has the
// headers that keep it from other pages. Errors: kUsage when the port or address can't be had. Threads: Bind and Run from
// one thread; Stop from any, after Bind.
#pragma once

#include <memory>
#include <string>

#include "base/status.h"
#include "server/api/api.h"
#include "server/http/access.h"

namespace warpsight::server {

class HttpServer {
 public:
  // The API is borrowed. `rules.port` is filled in by Bind.
  HttpServer(const Api& api, AccessRules rules);
  ~HttpServer();
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  // Takes the port, any free one when it is 0. Returns its number.
  Result<int> Bind(const std::string& address, int port);
  // The port, or the next free one of a few behind it, else any.
  Result<int> BindNear(const std::string& address, int port);
  // Serves until Stop.
  void Run();
  void Stop();

 private:
  struct Library;
  std::unique_ptr<Library> library_;
  const Api& api_;
  AccessRules rules_;
};

}  // namespace warpsight::server
