// Importer: turns one kind of recording into a Trace.
//
// Every importer describes itself (name, what it reads, how it recognises its files by content) and stands in the one list
// of formats/registry.cc. A file is never recognised by its name. Compression is opened before an importer sees a byte.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/byte_source.h"
#include "base/status.h"
#include "trace/trace.h"

namespace warpsight {

struct ImportOptions {
  // Worker threads; 0 = one a core. The Trace does not depend on it.
  int threads = 0;
  // Bytes of text a worker takes at a time; tests make it tiny to place block borders everywhere.
  size_t block_bytes = size_t{1} << 20;
  // Of a file of several processes this one alone, with what belongs to none; importers of other files do not look at it.
  std::optional<int64_t> process = std::nullopt;
  // Called now and then, from any one thread at a time, with the bytes read so far and the file's size (-1 unknown).
  std::function<void(int64_t done_bytes, int64_t total_bytes)> progress;
};

class Importer {
 public:
  virtual ~Importer() = default;
  // Short stable name: "torch_json".
  virtual std::string_view name() const = 0;
  // One line for --help: "PyTorch profiler (Kineto) Chrome JSON".
  virtual std::string_view description() const = 0;
  // Whether `head`, the first bytes of the inflated file (up to 64 KiB), looks like this format.
  virtual bool Recognises(std::string_view head) const = 0;
  // Reads the source from its beginning. kUnreadable when nothing can be read; damage short of that is in the trace's log.
  virtual Result<Trace> Import(std::unique_ptr<ByteSource> source, const ImportOptions& options) const = 0;
  // All that the file says of one event, as the text of a JSON object: rows keep what analyses need, and where the rest is.
  // `event` is what the event's row has as its source (trace/rows.h). kUsage when the file has no such event.
  virtual Result<std::string> ReadEvent(std::unique_ptr<ByteSource> source, uint64_t event) const = 0;
};

}  // namespace warpsight
