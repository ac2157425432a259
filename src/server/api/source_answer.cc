#include "server/api/source_answer.h"

#include <mutex>
#include <utility>

#include "base/process_memory.h"
#include "formats/event_source.h"
#include "server/api/event_answer.h"

namespace warpsight::server {
namespace {

SourceOffset SourceOf(const Trace& trace, EventId event) {
  switch (event.kind) {
    case EventKind::kHost:
      return trace.host().source[event.row];
    case EventKind::kGpu:
      return trace.gpu().source[event.row];
    case EventKind::kSpan:
      return trace.gpu_spans().source[event.row];
    case EventKind::kStep:
      break;
  }
  return kNoSource;
}

Json AnswerOf(SourceOffset source, std::string text) {
  const bool is_cut = text.size() > kMostSourceBytes;
  if (is_cut) text.resize(kMostSourceBytes);
  return Json{{"source", std::to_string(source)}, {"text", std::move(text)}, {"cut", is_cut}};
}

}  // namespace

Result<Json> SourceAnswer(const TraceStore& traces, size_t number, const TraceView& view, const Query& query) {
  const Result<EventId> event = ParseEvent(view.tracks(), query);
  if (!event.ok()) return event.status();
  const SourceOffset source = SourceOf(view.trace(), *event);
  if (source == kNoSource) return LacksError("this event was worked out: the file holds no record of it");
  static std::mutex reading;
  const std::lock_guard<std::mutex> lock(reading);
  WARPSIGHT_RETURN_IF_ERROR(traces.CheckFile(number));
  Result<std::string> text = ReadEventText(traces.FileOf(number), source);
  if (text.ok()) {
    const bool is_large = text.value().size() > kMostSourceBytes;
    Json answer = AnswerOf(source, std::move(text).value());
    if (is_large) ReturnFreeMemory();
    return answer;
  }
  if (text.status().kind() == StatusKind::kUsage) return LacksError("the file has no event where this one was read");
  return LacksError(text.status().message());
}

}  // namespace warpsight::server
