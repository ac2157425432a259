#include "export/chrome/chrome_exporter.h"

#include "export/chrome/chrome_facts.h"
#include "export/chrome/chrome_rows.h"
#include "export/output_buffer.h"

namespace warpsight {
namespace {

using namespace chrome;

class ChromeExporter final : public Exporter {
 public:
  std::string_view name() const override { return "chrome"; }
  std::string_view description() const override { return "Chrome trace JSON, as PyTorch's profiler writes it"; }

  Result<ExportOutcome> Export(const Trace& trace, const ExportRequest& request, ByteSink& sink) const override {
    ExportOutcome outcome;
    OutputBuffer out(sink);
    const ChromeFrame frame = FrameOf(trace, outcome);
    out.Append(frame.before);
    WriteRows(trace, request, out, outcome);
    out.Append(frame.after);
    WARPSIGHT_RETURN_IF_ERROR(out.Finish());
    return outcome;
  }

 private:
  static void WriteRows(const Trace& trace, const ExportRequest& request, OutputBuffer& out, ExportOutcome& outcome) {
    ChromeRows rows(trace, request, out, outcome);
    rows.WriteNames();
    rows.WriteHostEvents();
    rows.WriteGpuWork();
    rows.WriteGpuSpans();
    rows.WriteFlows();
    rows.WriteInstants();
    rows.WriteCounters();
    rows.CountLosses();
  }
};

}  // namespace

std::unique_ptr<Exporter> MakeChromeExporter() { return std::make_unique<ChromeExporter>(); }

}  // namespace warpsight
