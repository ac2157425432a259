// CounterReport: the sealed content of a counter report (Nsight Compute): session, devices, code, kernels with metrics.
//
// Place in the flow: formats/ncu_rep fills CounterReportParts and seals them; analyses and documents read the report. It is
// the sibling of Trace for files without a timeline, and has the same ledger. Large parts (cubins, sources) are views into
// `bytes`, which the report owns: nothing is copied. Units: base units (counters/metric_unit.h).
// Errors: none. Threads: immutable once made, any number of readers.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "counters/profiled_kernel.h"
#include "trace/import_log.h"

namespace warpsight {

struct HostInfo {
  std::string_view system;
  std::string_view system_build;
  std::string_view processor;
  std::string_view architecture;
  std::string_view name;
};

struct CounterSession {
  std::string file;
  std::string container;        // "plain", "zstd"
  uint64_t format_version = 0;  // 7 in every file known
  uint64_t created_unix_s = 0;
  std::string_view command_line;
  HostInfo host;
  HostInfo target;
  // As recorded: "CUDA Version", "Display Driver Version", "Nsight Compute Target", ...
  std::vector<std::pair<std::string_view, std::string_view>> versions;

  // "2025.3.1.0 (build 36398880) (public-release)"; empty in the oldest files.
  std::string_view tool_version() const;
};

struct CounterDevice {
  uint64_t id = 0;
  std::string_view name;
  std::vector<std::pair<std::string_view, CounterValue>> attributes;
};

struct CounterProcess {
  uint64_t id = 0;
  std::string_view host;
  std::string_view executable;
};

// The code that kernels were launched from.
struct CodeModule {
  struct SourceFile {
    std::string_view path;
    std::string_view text;
  };
  struct Function {
    std::string_view mangled_name;
    uint64_t base_address = 0;  // of its first instruction, as the keys of per-instruction metrics count
    uint64_t symbol = 0;        // index in the symbol table of the cubin
  };

  uint64_t id = 0;
  std::string_view cubin;  // a whole ELF file; empty when it was not recorded
  uint64_t capability_major = 0;
  uint64_t capability_minor = 0;
  std::vector<SourceFile> sources;
  std::vector<Function> functions;
};

struct CounterReportParts {
  std::unique_ptr<const std::string> bytes;  // what all views point into
  std::deque<std::string> made_texts;        // or into these: texts that do not stand in the bytes as they are
  CounterSession session;
  std::vector<CounterDevice> devices;
  std::vector<CounterProcess> processes;
  std::vector<CodeModule> modules;
  std::vector<std::string_view> metric_names;
  // Base units, one a metric name, where the file has units of its own; else empty, and names tell the units.
  std::vector<std::string> metric_units;
  std::vector<ProfiledKernel> kernels;
  ImportLog log;
};

class CounterReport {
 public:
  explicit CounterReport(CounterReportParts parts);

  const CounterSession& session() const { return parts_.session; }
  const std::vector<CounterDevice>& devices() const { return parts_.devices; }
  const std::vector<CounterProcess>& processes() const { return parts_.processes; }
  const std::vector<CodeModule>& modules() const { return parts_.modules; }
  const std::vector<ProfiledKernel>& kernels() const { return parts_.kernels; }
  const ImportLog& log() const { return parts_.log; }

  // Whether it has counters of single instructions only, of no known launch: ncu's source page in CSV.
  bool is_source_page() const;

  std::string_view MetricName(uint32_t name) const { return parts_.metric_names[name]; }
  size_t metric_name_count() const { return parts_.metric_names.size(); }
  // The base unit that the file gives for a metric; nullptr when it gives none.
  const std::string* StatedUnit(std::string_view name) const;

  // The first metric of that name; nullptr when the kernel has none. Takes the logarithm of the kernel's metrics.
  const Metric* Find(const ProfiledKernel& kernel, std::string_view name) const;
  const Metric* Find(const ProfiledKernel& kernel, uint32_t name) const;
  // Its value; absent when there is no such metric.
  CounterValue Value(const ProfiledKernel& kernel, std::string_view name) const;
  // Its value as a number; nothing when absent, a text, or not a number (NaN, infinite).
  std::optional<double> Number(const ProfiledKernel& kernel, std::string_view name) const;

  const CounterProcess* FindProcess(uint64_t id) const;
  const CodeModule* FindModule(uint64_t id) const;

 private:
  // Where the metric of a name stands in ProfiledKernel::metrics.
  struct MetricPlace {
    uint32_t name;
    uint32_t place;
  };
  static std::vector<MetricPlace> PlacesOf(const ProfiledKernel& kernel);

  CounterReportParts parts_;
  std::unordered_map<std::string_view, uint32_t> name_ids_;
  // One row a kernel, by name: no more than it has metrics, however many names the file has.
  std::vector<std::vector<MetricPlace>> places_;
  std::unordered_map<uint64_t, size_t> process_places_;  // by id
  std::unordered_map<uint64_t, size_t> module_places_;
};

// Compute capability of the device that a kernel ran on, 9.0 as 90; nothing when the report does not say.
std::optional<int> ComputeCapability(const CounterReport& report, const ProfiledKernel& kernel);

}  // namespace warpsight
