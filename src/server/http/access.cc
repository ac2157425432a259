#include "server/http/access.h"

#include <errno.h>
#include <fmt/format.h>
#include <string.h>
#include <sys/random.h>

#include <algorithm>
#include <array>

namespace warpsight::server {
namespace {

constexpr std::string_view kTokenParameter = "token=";
constexpr std::string_view kBearer = "Bearer ";

// In a time that does not tell how much of it was right.
bool IsToken(std::string_view given, std::string_view token) {
  if (given.size() != token.size()) return false;
  unsigned difference = 0;
  for (size_t i = 0; i < token.size(); ++i)
    difference |= static_cast<unsigned char>(given[i]) ^ static_cast<unsigned char>(token[i]);
  return difference == 0;
}

bool IsThisMachine(std::string_view host, int port) {
  const std::string end = fmt::format(":{}", port);
  // Browsers leave the port of http out.
  if (host.ends_with(end)) {
    host.remove_suffix(end.size());
  } else if (port != 80) {
    return false;
  }
  std::string lower(host);
  std::ranges::transform(lower, lower.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return lower == "localhost" || lower == "127.0.0.1" || lower == "[::1]";
}

// Calls `take` with each piece of `text` between separators, blanks before it left out.
template <typename Take>
void ForEachPiece(std::string_view text, char separator, const Take& take) {
  while (!text.empty()) {
    const size_t end = std::min(text.find(separator), text.size());
    std::string_view piece = text.substr(0, end);
    while (piece.starts_with(' ')) piece.remove_prefix(1);
    take(piece);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

}  // namespace

std::string CookieName(const AccessRules& rules) { return fmt::format("warpsight_{}", rules.port); }

Access CheckAccess(const AccessRules& rules, const Credentials& credentials) {
  if (rules.only_this_machine && !IsThisMachine(credentials.host, rules.port)) return Access::kForeignHost;
  if (rules.token.empty()) return Access::kAllowed;
  bool allowed = credentials.authorization.starts_with(kBearer) &&
                 IsToken(std::string_view(credentials.authorization).substr(kBearer.size()), rules.token);
  const std::string cookie = CookieName(rules) + "=";
  ForEachPiece(credentials.cookie, ';', [&](std::string_view piece) {
    allowed |= piece.starts_with(cookie) && IsToken(piece.substr(cookie.size()), rules.token);
  });
  bool by_query = false;
  ForEachPiece(credentials.query, '&', [&](std::string_view piece) {
    by_query |= piece.starts_with(kTokenParameter) && IsToken(piece.substr(kTokenParameter.size()), rules.token);
  });
  if (by_query) return Access::kAllowedByQuery;
  return allowed ? Access::kAllowed : Access::kNoToken;
}

std::string WithoutToken(std::string_view query) {
  std::string rest;
  ForEachPiece(query, '&', [&](std::string_view piece) {
    if (piece.starts_with(kTokenParameter)) return;
    if (!rest.empty()) rest += '&';
    rest += piece;
  });
  return rest;
}

Result<std::string> MakeToken() {
  std::array<unsigned char, 16> bytes{};
  if (getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    return InternalError(fmt::format("the system gives no random numbers for a token: {}", strerror(errno)));
  std::string token;
  for (const unsigned char byte : bytes) token += fmt::format("{:02x}", byte);
  return token;
}

}  // namespace warpsight::server
