// Fuzz target: bytes through the import of an Nsight Compute report (or CSV page) and through all that is made of it, the
// code of its kernels included.
//
// Nothing may crash, hang or eat memory; the ledger adds up, and every kernel gets a verdict.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "counters/raw_page.h"
#include "formats/cubin/kernel_code.h"
#include "formats/open_counters.h"

namespace {

[[noreturn]] void FailCounters(const char* what) {
  std::fprintf(stderr, "broken rule: %s\n", what);
  std::abort();
}

void CheckCode(const warpsight::CounterReport& report, const warpsight::ProfiledKernel& kernel) {
  const warpsight::KernelCode code = warpsight::ReadKernelCode(report, kernel, {.disassemble = false});
  for (const warpsight::KernelCode::Function& function : code.functions) {
    if (function.texts.size() != function.code.files.size()) FailCounters("a file without its text");
    for (const warpsight::CodeInstruction& instruction : function.code.instructions) {
      if (instruction.place > function.code.places.size()) FailCounters("a place beyond its table");
    }
    for (size_t i = 0; i < function.code.places.size(); ++i) {
      const warpsight::CodePlace& place = function.code.places[i];
      if (place.caller > i) FailCounters("a caller after its callee");
      if (place.line != 0 && place.file >= function.code.files.size()) FailCounters("a file beyond its table");
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const warpsight::Result<warpsight::CounterReport> report = warpsight::OpenCountersBytes(bytes, "fuzz");
  if (!report.ok()) {
    if (report.status().message().find('\n') != std::string_view::npos) FailCounters("an error of several lines");
    return 0;
  }
  const warpsight::ImportLog& log = report->log();
  if (log.read() != log.kept() + log.repaired() + log.excluded()) FailCounters("the ledger does not add up");
  if (static_cast<int64_t>(report->kernels().size()) != log.kept() + log.repaired()) FailCounters("kernels got lost");
  for (const warpsight::ProfiledKernel& kernel : report->kernels()) {
    for (const warpsight::Metric& metric : kernel.metrics) {
      if (size_t{metric.first_instance} + metric.instance_count > kernel.instances.size())
        FailCounters("instances beyond their table");
    }
    CheckCode(*report, kernel);
  }
  if (warpsight::MakeRawPage(*report).rows.size() != report->kernels().size()) FailCounters("a raw page without a row");
  return 0;
}
