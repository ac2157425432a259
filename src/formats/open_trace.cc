#include "formats/open_trace.h"

#include <utility>

#include "base/byte_source.h"
#include "formats/file_head.h"
#include "formats/open_recording.h"
#include "formats/registry.h"

namespace warpsight {
namespace {

Result<Trace> Import(Result<std::unique_ptr<ByteSource>> opened, const ImportOptions& options) {
  if (!opened.ok()) return opened.status();
  std::unique_ptr<ByteSource> source = std::move(opened).value();
  const std::string head = ReadHead(*source);
  for (const std::unique_ptr<Importer>& importer : Importers()) {
    if (importer->Recognises(head)) return importer->Import(std::move(source), options);
  }
  for (const std::unique_ptr<CounterImporter>& importer : CounterImporters()) {
    if (importer->Recognises(head)) return NoTimelineError(source->name(), importer->description());
  }
  return UnreadableError(NotRecognised(*source, head));
}

}  // namespace

Result<Trace> OpenTrace(const std::string& path, const ImportOptions& options) {
  return Import(OpenByteSource(path), options);
}

Result<Trace> OpenTraceBytes(std::string_view bytes, const std::string& name, const ImportOptions& options) {
  return Import(OpenByteSource(bytes, name), options);
}

}  // namespace warpsight
