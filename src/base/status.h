// Status and Result: how functions of warpsight say "cannot do it".
//
// There are few kinds on purpose; each maps to one exit status of the program (see ExitCode). The text of a status is one
// line that tells what failed, where (file, byte offset), and what the user can do. No exception crosses a module border.
// Imperfect data is not an error: it is counted in the ImportLog (trace/import_log.h). A broken invariant of our own is
// not an error either: it is a CHECK (base/check.h).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/check.h"

namespace warpsight {

enum class StatusKind {
  kOk,
  kUsage,       // the caller asked for something that makes no sense: exit 2
  kUnreadable,  // the input is missing, not a trace, or damaged beyond use: exit 3
  kLacks,       // a valid input without what the request needs: exit 4
  kInternal,    // our bug: exit 5
};

// Process exit status for a kind, as the command line contract fixes it.
int ExitCode(StatusKind kind);

class [[nodiscard]] Status {
 public:
  Status() = default;
  Status(StatusKind kind, std::string message) : kind_(kind), message_(std::move(message)) {}

  bool ok() const { return kind_ == StatusKind::kOk; }
  StatusKind kind() const { return kind_; }
  const std::string& message() const { return message_; }

 private:
  StatusKind kind_ = StatusKind::kOk;
  std::string message_;
};

inline Status OkStatus() { return {}; }
inline Status UsageError(std::string message) { return {StatusKind::kUsage, std::move(message)}; }
inline Status UnreadableError(std::string message) { return {StatusKind::kUnreadable, std::move(message)}; }
inline Status LacksError(std::string message) { return {StatusKind::kLacks, std::move(message)}; }
inline Status InternalError(std::string message) { return {StatusKind::kInternal, std::move(message)}; }

// A value or the reason why there is none.
template <typename T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}         // NOLINT(google-explicit-constructor): reads like a return of T
  Result(Status status) : status_(std::move(status)) {  // NOLINT(google-explicit-constructor)
    CHECK(!status_.ok());
  }

  bool ok() const { return value_.has_value(); }
  const Status& status() const { return status_; }
  const T& value() const& {
    CHECK(ok());
    return *value_;
  }
  T& value() & {
    CHECK(ok());
    return *value_;
  }
  T&& value() && {
    CHECK(ok());
    return std::move(*value_);
  }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }
  const T& operator*() const& { return value(); }
  T& operator*() & { return value(); }

 private:
  std::optional<T> value_;
  Status status_;
};

}  // namespace warpsight

// Returns from the enclosing function when `expression` (a Status) is not ok.
#define WARPSIGHT_RETURN_IF_ERROR(expression)                                      \
  do {                                                                             \
    if (::warpsight::Status status_ = (expression); !status_.ok()) return status_; \
  } while (false)
