// CounterImporter: turns one kind of file without a timeline into a CounterReport. The sibling of Importer.
//
// Every one describes itself and stands in the list of formats/registry.cc; files are recognised by content, compression is
// opened before it sees a byte.
#pragma once

#include <memory>
#include <string_view>

#include "base/byte_source.h"
#include "base/status.h"
#include "counters/counter_report.h"

namespace warpsight {

class CounterImporter {
 public:
  virtual ~CounterImporter() = default;
  // Short stable name: "ncu_rep".
  virtual std::string_view name() const = 0;
  // What a file of it is, for messages: "an Nsight Compute report".
  virtual std::string_view description() const = 0;
  // Whether `head`, the first bytes of the inflated file (up to 64 KiB), looks like this format.
  virtual bool Recognises(std::string_view head) const = 0;
  // Reads the source from its beginning. kUnreadable when nothing can be read; damage short of that is in the report's log.
  virtual Result<CounterReport> Import(std::unique_ptr<ByteSource> source) const = 0;
};

}  // namespace warpsight
