// Api: the HTTP interface of docs/design/http-api.md without HTTP: a request is answered by bytes.
//
// Place in the flow: server/http -> Api -> TraceStore, answers -> server/http. Nothing that a request says reaches the file
// system. Errors: every request has an answer; what goes wrong in one (memory included) is its answer alone. Thread-safe.
#pragma once

#include <optional>

#include "server/api/message.h"
#include "server/api/query.h"
#include "server/api/rank_axis.h"
#include "server/api/trace_store.h"

namespace warpsight::server {

class Api {
 public:
  // The store is borrowed.
  explicit Api(const TraceStore& traces) : traces_(traces), ranks_(traces) {}

  Response Answer(const Request& request) const;

 private:
  Response Route(const Request& request) const;
  Response AnswerAboutTrace(std::string_view rest, const Request& request) const;
  // Null, and `refused` is the answer, when the trace is not there or not ready.
  TraceView* FindView(std::optional<int64_t> number, Response& refused) const;
  Response AnswerDiff(TraceView& view, const Query& query) const;

  const TraceStore& traces_;
  mutable RankAxis ranks_;  // thread-safe
};

}  // namespace warpsight::server
