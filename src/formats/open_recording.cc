#include "formats/open_recording.h"

#include <fmt/format.h>

#include <utility>

#include "base/byte_source.h"
#include "formats/file_head.h"
#include "formats/registry.h"

namespace warpsight {

Result<Recording> OpenRecording(const std::string& path, const ImportOptions& options) {
  Result<std::unique_ptr<ByteSource>> opened = OpenByteSource(path);
  if (!opened.ok()) return opened.status();
  std::unique_ptr<ByteSource> source = std::move(opened).value();
  const std::string head = ReadHead(*source);
  Recording recording;
  for (const std::unique_ptr<CounterImporter>& importer : CounterImporters()) {
    if (!importer->Recognises(head)) continue;
    recording.description = importer->description();
    Result<CounterReport> counters = importer->Import(std::move(source));
    if (!counters.ok()) return counters.status();
    recording.counters = std::make_unique<CounterReport>(std::move(counters).value());
    return recording;
  }
  for (const std::unique_ptr<Importer>& importer : Importers()) {
    if (!importer->Recognises(head)) continue;
    recording.description = importer->description();
    Result<Trace> trace = importer->Import(std::move(source), options);
    if (!trace.ok()) return trace.status();
    recording.trace = std::make_unique<Trace>(std::move(trace).value());
    return recording;
  }
  return UnreadableError(NotRecognised(*source, head));
}

Status NoTimelineError(std::string_view file, std::string_view description) {
  return LacksError(
      fmt::format("{}: is {}: counters of single kernels, without a timeline: use warpsight counters", file, description));
}

}  // namespace warpsight
