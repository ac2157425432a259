// TraceView: an opened recording with all that the answers about it need.
//
// Place in the flow: Trace -> TraceView -> answers. The trace, its tracks and the JSON of the tracks never change, so any
// number of threads may ask. What takes long and not everyone asks for (parts and bounds of GPU work, which work a call
// launched) is worked out on first use, once. Units: ns. Errors: none. Thread-safe.
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "server/api/document_answers.h"
#include "server/api/track_list.h"
#include "server/api/work_counters.h"
#include "server/api/work_facts.h"
#include "trace/trace.h"

namespace warpsight::server {

class TraceView {
 public:
  // What is borrowed by `given` outlives the view.
  explicit TraceView(Trace trace, Given given = {});
  TraceView(const TraceView&) = delete;
  TraceView& operator=(const TraceView&) = delete;

  const Trace& trace() const { return trace_; }
  const TrackList& tracks() const { return tracks_; }
  const std::string& tracks_json() const { return tracks_json_; }
  DocumentAnswers& documents() { return documents_; }
  const WorkFacts& work_facts();
  const WorkCounters& work_counters();
  // Rows of GPU work that a host event launched, sorted by its row.
  const std::vector<uint32_t>& work_by_launch();

 private:
  const Trace trace_;
  const Given given_;
  const TrackList tracks_;
  std::string tracks_json_;
  DocumentAnswers documents_;
  std::once_flag facts_once_;
  std::unique_ptr<const WorkFacts> facts_;
  std::once_flag counters_once_;
  std::unique_ptr<const WorkCounters> counters_;
  std::once_flag launches_once_;
  std::vector<uint32_t> work_by_launch_;
};

}  // namespace warpsight::server
