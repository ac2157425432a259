#include "formats/open_trace.h"

#include <utility>

#include "base/byte_source.h"
#include "formats/known_files.h"
#include "formats/registry.h"

namespace warpsight {
namespace {

constexpr size_t kHeadBytes = size_t{64} << 10;

std::string Head(ByteSource& source) {
  if (source.size() < 0) return std::string(source.Peek(kHeadBytes));
  std::string head(kHeadBytes, '\0');
  head.resize(source.ReadAt(0, head.data(), head.size()));
  return head;
}

Result<Trace> Import(Result<std::unique_ptr<ByteSource>> opened, const ImportOptions& options) {
  if (!opened.ok()) return opened.status();
  std::unique_ptr<ByteSource> source = std::move(opened).value();
  const std::string head = Head(*source);
  for (const std::unique_ptr<Importer>& importer : Importers()) {
    if (importer->Recognises(head)) return importer->Import(std::move(source), options);
  }
  std::string message = source->name() + ": " + DescribeUnreadable(head);
  if (!source->problem().empty()) message += " (" + source->problem() + ")";
  return UnreadableError(std::move(message));
}

}  // namespace

Result<Trace> OpenTrace(const std::string& path, const ImportOptions& options) {
  return Import(OpenByteSource(path), options);
}

Result<Trace> OpenTraceBytes(std::string_view bytes, const std::string& name, const ImportOptions& options) {
  return Import(OpenByteSource(bytes, name), options);
}

}  // namespace warpsight
