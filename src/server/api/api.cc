#include "server/api/api.h"

#include <fmt/format.h>

#include <exception>
#include <new>

#include "server/api/event_answer.h"
#include "server/api/name_answers.h"
#include "server/api/page_answer.h"
#include "server/api/query.h"
#include "server/api/source_answer.h"
#include "server/api/tile.h"

namespace warpsight::server {
namespace {

constexpr std::string_view kStatePath = "/api/v1/state";
constexpr std::string_view kRanksPath = "/api/v1/ranks";
constexpr std::string_view kTracesPath = "/api/v1/traces/";
constexpr std::string_view kApiPath = "/api/";
constexpr std::string_view kDocuments = "documents/";
constexpr std::string_view kDiffPath = "documents/diff";
constexpr std::string_view kSourcePath = "source";

Response JsonOf(const Result<Json>& json) { return json.ok() ? JsonResponse(*json) : ErrorResponse(json.status()); }

Response BytesOf(Result<std::string> bytes, std::string_view content_type) {
  if (!bytes.ok()) return ErrorResponse(bytes.status());
  Response response;
  response.content_type = content_type;
  response.body = std::move(bytes).value();
  return response;
}

Response Tracks(TraceView& view, const Query& /*query*/) { return BytesOf(view.tracks_json(), "application/json"); }

Response Tile(TraceView& view, const Query& query) {
  return BytesOf(TileAnswer(view.trace(), view.tracks(), query), "application/octet-stream");
}

Response Names(TraceView& view, const Query& query) { return JsonOf(NamesAnswer(view.tracks(), query)); }
Response Event(TraceView& view, const Query& query) { return JsonOf(EventAnswer(view, query)); }
Response Search(TraceView& view, const Query& query) { return JsonOf(SearchAnswer(view.tracks(), query)); }
Response Same(TraceView& view, const Query& query) { return JsonOf(SameAnswer(view.tracks(), query)); }

struct Path {
  std::string_view name;
  Response (*answer)(TraceView& view, const Query& query);
};
constexpr Path kPaths[] = {{"tracks", Tracks}, {"tile", Tile},     {"names", Names},
                           {"event", Event},   {"search", Search}, {"same", Same}};

bool IsKnown(std::string_view path) {
  if (path.starts_with(kDocuments)) return DocumentAnswers::IsVerb(path.substr(kDocuments.size()));
  for (const Path& known : kPaths) {
    if (known.name == path) return true;
  }
  return path == kSourcePath;
}

Response AnswerOf(TraceView& view, std::string_view path, const Query& query) {
  if (path.starts_with(kDocuments))
    return BytesOf(view.documents().Answer(path.substr(kDocuments.size()), query), "application/json");
  for (const Path& known : kPaths) {
    if (known.name == path) return known.answer(view, query);
  }
  return ErrorResponse(kNotFound, "there is no such path");
}

}  // namespace

Response Api::Answer(const Request& request) const {
  try {
    return Route(request);
  } catch (const std::bad_alloc&) {
    return ErrorResponse(kBusy, "out of memory: ask for less");
  } catch (const std::exception& error) {
    return ErrorResponse(kOurFault, std::string("internal error: ") + error.what() + "; please report this");
  }
}

Response Api::Route(const Request& request) const {
  if (request.path == kStatePath) return JsonResponse(traces_.StateJson());
  if (request.path == kRanksPath) return JsonResponse(ranks_.Answer());
  if (request.path.starts_with(kTracesPath))
    return AnswerAboutTrace(std::string_view(request.path).substr(kTracesPath.size()), request);
  if (request.path.starts_with(kApiPath)) return ErrorResponse(kNotFound, "there is no such path");
  return PageAnswer(request, PageFiles());
}

Response Api::AnswerAboutTrace(std::string_view rest, const Request& request) const {
  const size_t slash = std::min(rest.find('/'), rest.size());
  const std::optional<int64_t> number = ParseWholeNumber(rest.substr(0, slash));
  const std::string_view path = rest.substr(std::min(slash + 1, rest.size()));
  if (!IsKnown(path)) return ErrorResponse(kNotFound, "there is no such path");
  Response refused;
  TraceView* const view = FindView(number, refused);
  if (view == nullptr) return refused;
  const Result<Query> query = Query::Parse(request.query);
  if (!query.ok()) return ErrorResponse(query.status());
  if (path == kDiffPath) return AnswerDiff(*view, *query);
  if (path == kSourcePath) return JsonOf(SourceAnswer(traces_, static_cast<size_t>(*number), *view, *query));
  return AnswerOf(*view, path, *query);
}

TraceView* Api::FindView(std::optional<int64_t> number, Response& refused) const {
  if (!number || *number < 0 || *number >= static_cast<int64_t>(traces_.size())) {
    refused = ErrorResponse(kNotFound, "there is no such trace: /api/v1/state lists them");
    return nullptr;
  }
  TraceStore::ReadStatus status{};
  std::string error;
  TraceView* const view = traces_.Find(static_cast<size_t>(*number), status, error);
  if (status == TraceStore::ReadStatus::kReading) {
    refused = ErrorResponse(kConflict, "the trace is still being read: ask for /api/v1/state until it is ready");
    return nullptr;
  }
  if (view == nullptr) refused = ErrorResponse(kLacking, error);
  return view;
}

Response Api::AnswerDiff(TraceView& view, const Query& query) const {
  const Result<int64_t> with = query.Number("with", 0, static_cast<int64_t>(traces_.size()) - 1);
  if (!with.ok()) return ErrorResponse(with.status());
  Response refused;
  TraceView* const other = FindView(*with, refused);
  if (other == nullptr) return refused;
  return BytesOf(view.documents().AnswerDiff(other->trace(), *with, query), "application/json");
}

}  // namespace warpsight::server
