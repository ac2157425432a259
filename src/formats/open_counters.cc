#include "formats/open_counters.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "base/byte_source.h"
#include "formats/file_head.h"
#include "formats/registry.h"

namespace warpsight {
namespace {

Result<CounterReport> ImportCounters(Result<std::unique_ptr<ByteSource>> opened) {
  if (!opened.ok()) return opened.status();
  std::unique_ptr<ByteSource> source = std::move(opened).value();
  const std::string head = ReadHead(*source);
  for (const std::unique_ptr<CounterImporter>& importer : CounterImporters()) {
    if (importer->Recognises(head)) return importer->Import(std::move(source));
  }
  for (const std::unique_ptr<Importer>& importer : Importers()) {
    if (importer->Recognises(head)) {
      return LacksError(
          fmt::format("{}: is a timeline ({}), without hardware counters: use warpsight report, or record the kernel with "
                      "ncu --set full",
                      source->name(), importer->description()));
    }
  }
  return UnreadableError(NotRecognised(*source, head));
}

}  // namespace

Result<CounterReport> OpenCounters(const std::string& path) { return ImportCounters(OpenByteSource(path)); }

bool HoldsCounters(const std::string& path) {
  const Result<std::unique_ptr<ByteSource>> source = OpenByteSource(path);
  if (!source.ok()) return false;
  const std::string head = ReadHead(**source);
  return std::ranges::any_of(CounterImporters(), [&](const auto& importer) { return importer->Recognises(head); });
}

Result<CounterReport> OpenCountersBytes(std::string_view bytes, const std::string& name) {
  return ImportCounters(OpenByteSource(bytes, name));
}

}  // namespace warpsight
