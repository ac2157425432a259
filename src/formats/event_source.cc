#include "formats/event_source.h"

#include <filesystem>
#include <memory>
#include <system_error>
#include <utility>

#include "base/byte_source.h"
#include "formats/file_head.h"
#include "formats/registry.h"

namespace warpsight {

Result<std::string> ReadEventText(const std::string& path, uint64_t source) {
  std::error_code error;
  if (path == "-" || std::filesystem::is_fifo(path, error))
    return UsageError("--event needs a file: what comes through a pipe can be read once only");
  Result<std::unique_ptr<ByteSource>> opened = OpenByteSource(path);
  if (!opened.ok()) return opened.status();
  const std::string head = ReadHead(**opened);
  for (const std::unique_ptr<Importer>& importer : Importers()) {
    if (importer->Recognises(head)) return importer->ReadEvent(std::move(opened).value(), source);
  }
  return UnreadableError(NotRecognised(**opened, head));
}

}  // namespace warpsight
