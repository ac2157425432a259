// Inflating sources: gzip (RFC 1952, any number of members) through ISA-L, zstd (any number of frames) through libzstd.
#pragma once

#include <memory>

#include "base/byte_source.h"
#include "base/status.h"

namespace warpsight {

// `stored` itself when it is not compressed, else a source of its inflated bytes. Told by the first bytes, never by the
// name.
Result<std::unique_ptr<ByteSource>> InflateIfCompressed(std::unique_ptr<ByteSource> stored);

}  // namespace warpsight
