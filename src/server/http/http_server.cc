#include "server/http/http_server.h"

#include <fmt/format.h>
#include <httplib.h>
#include <sys/socket.h>

#include <string_view>
#include <utility>

namespace warpsight::server {
namespace {

// A connection that is kept holds a thread.
constexpr size_t kThreads = 128;
constexpr size_t kMostRequestsOfConnection = 100'000;
constexpr time_t kIdleSeconds = 5;
constexpr int kPortsTried = 50;
constexpr int kForbidden = 403;
constexpr int kUnauthorized = 401;
constexpr int kWrongMethod = 405;
constexpr int kSeeOther = 303;
constexpr int kMostPort = 65535;

constexpr std::pair<const char*, const char*> kHeaders[] = {
    {"Content-Security-Policy",
     "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; "
     "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"},
    {"X-Frame-Options", "DENY"},
    {"X-Content-Type-Options", "nosniff"},
    {"Referrer-Policy", "no-referrer"},
    {"Cross-Origin-Resource-Policy", "same-origin"},
    {"Cross-Origin-Opener-Policy", "same-origin"},
    {"Cache-Control", "no-store"}};

bool IsQuestion(const httplib::Request& request) { return request.method == "GET" || request.method == "HEAD"; }

Request RequestOf(const httplib::Request& from) {
  // As it was sent: nothing has been decoded in it.
  const std::string_view target = from.target;
  const size_t question = std::min(target.find('?'), target.size());
  Request request;
  request.path = target.substr(0, question);
  request.query = target.substr(std::min(question + 1, target.size()));
  request.query.resize(std::min(request.query.find('#'), request.query.size()));
  request.accepts_gzip = from.get_header_value("Accept-Encoding").find("gzip") != std::string::npos;
  return request;
}

// The library packs what it is given as a text, and takes seconds for some; it sends what it asks a function for as it is.
void Write(Response from, httplib::Response& to) {
  to.status = from.status;
  if (from.is_gzip) to.set_header("Content-Encoding", "gzip");
  if (from.status != kOkStatus || from.body.empty()) return to.set_content(from.body, from.content_type);
  const auto body = std::make_shared<const std::string>(std::move(from.body));
  to.set_content_provider(body->size(), from.content_type, [body](size_t offset, size_t length, httplib::DataSink& sink) {
    return sink.write(body->data() + offset, length);
  });
}

void Refuse(int status, std::string_view text, httplib::Response& to) { Write(ErrorResponse(status, text), to); }

void RefuseMethod(httplib::Response& to) {
  to.set_header("Allow", "GET, HEAD");
  Refuse(kWrongMethod, "only GET and HEAD are answered", to);
}

void Answer(const Api& api, const AccessRules& rules, const httplib::Request& from, httplib::Response& to) {
  if (!IsQuestion(from)) return RefuseMethod(to);
  Request request = RequestOf(from);
  const Access access = CheckAccess(rules, {from.get_header_value("Host"), from.get_header_value("Authorization"),
                                            from.get_header_value("Cookie"), request.query});
  if (access == Access::kForeignHost)
    return Refuse(kForbidden, "the Host of the request is not this machine: use the address that the server printed", to);
  if (access == Access::kNoToken) {
    to.set_header("WWW-Authenticate", "Bearer");
    return Refuse(kUnauthorized, "the token is missing or wrong: use the whole address that the server printed", to);
  }
  if (access == Access::kAllowedByQuery) {
    to.set_header("Set-Cookie", fmt::format("{}={}; HttpOnly; SameSite=Strict; Path=/", CookieName(rules), rules.token));
    request.query = WithoutToken(request.query);
    if (request.path == "/") {
      // So that the token stays neither in the address bar nor in the browser's history.
      to.status = kSeeOther;
      to.set_header("Location", request.query.empty() ? "/" : "/?" + request.query);
      return;
    }
  }
  // Parts of an answer are not given: many of them at once would take memory without bound.
  if (from.has_header("Range")) return Refuse(kBadRequest, "parts of an answer are not given: leave Range out", to);
  Write(api.Answer(request), to);
}

}  // namespace

struct HttpServer::Library {
  httplib::Server server;
};

HttpServer::HttpServer(const Api& api, AccessRules rules)
    : library_(std::make_unique<Library>()), api_(api), rules_(std::move(rules)) {
  httplib::Server& server = library_->server;
  server.new_task_queue = [] { return new httplib::ThreadPool(kThreads); };
  server.set_keep_alive_max_count(kMostRequestsOfConnection);
  server.set_keep_alive_timeout(kIdleSeconds);
  server.set_read_timeout(kIdleSeconds);
  server.set_write_timeout(kIdleSeconds);
  // Header and body are written one after the other: without this the second would wait for the client.
  server.set_tcp_nodelay(true);
  server.set_payload_max_length(0);
  // The library would let another server take the same port.
  server.set_socket_options([](socket_t socket) {
    const int yes = 1;
    setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
  });
  server.set_pre_routing_handler([this](const httplib::Request& from, httplib::Response& to) {
    // A body that stays unread would be taken for the next request: the library reads it, then the error handler answers.
    const bool has_body = from.has_header("Content-Length") || from.has_header("Transfer-Encoding");
    if (!IsQuestion(from) && has_body) return httplib::Server::HandlerResponse::Unhandled;
    Answer(api_, rules_, from, to);
    return httplib::Server::HandlerResponse::Handled;
  });
  // What the library itself refuses: a body, a request that is none, one that is too long.
  server.set_error_handler([](const httplib::Request& from, httplib::Response& to) {
    if (!to.body.empty()) return;
    if (!from.method.empty() && !IsQuestion(from)) return RefuseMethod(to);
    Refuse(to.status, "the request is not understood or too long", to);
  });
  httplib::Headers headers;
  for (const auto& [name, value] : kHeaders) headers.emplace(name, value);
  server.set_default_headers(std::move(headers));
}

HttpServer::~HttpServer() = default;

Result<int> HttpServer::Bind(const std::string& address, int port) {
  httplib::Server& server = library_->server;
  const int bound = port == 0 ? server.bind_to_any_port(address) : server.bind_to_port(address, port) ? port : -1;
  if (bound < 0) {
    return UsageError(
        port == 0
            ? fmt::format("--listen {}: this machine can't listen there", address)
            : fmt::format("--port {}: is taken or not allowed on {}: give another, or 0 for any free one", port, address));
  }
  rules_.port = bound;
  return bound;
}

Result<int> HttpServer::BindNear(const std::string& address, int port) {
  for (int near = port; near < std::min(port + kPortsTried, kMostPort); ++near) {
    if (Result<int> bound = Bind(address, near); bound.ok()) return bound;
  }
  return Bind(address, 0);
}

void HttpServer::Run() { library_->server.listen_after_bind(); }

void HttpServer::Stop() { library_->server.stop(); }

}  // namespace warpsight::server
