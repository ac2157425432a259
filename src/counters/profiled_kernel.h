// ProfiledKernel: one kernel launch with its hardware counters, and what the recorder said about it.
//
// Place in the flow: formats/ncu_rep fills it, once; CounterReport owns it; analyses read it. All texts are views into the
// bytes that the report owns. Times inside of it are not production times: the kernel was replayed, alone, for every pass.
// Errors: none. Threads: plain values, thread-compatible.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "counters/counter_value.h"

namespace warpsight {

// One value of a metric that has many: by instruction address, opcode, or time of the sample.
struct MetricInstance {
  CounterValue key;
  CounterValue value;
};

struct Metric {
  uint32_t name = 0;            // CounterReport::MetricName
  uint32_t first_instance = 0;  // into ProfiledKernel::instances
  uint32_t instance_count = 0;
  bool is_time_series = false;  // the keys are times in ns
  CounterValue value;
};

// A metric as a section of the recorder shows it: names are as written there, values stand in the kernel's metrics.
struct SectionMetric {
  std::string_view metric;
  std::string_view label;
};

struct CounterSection {
  std::string_view id;     // "SpeedOfLight"
  std::string_view title;  // "GPU Speed Of Light Throughput"
  uint64_t order = 0;
  std::string_view description;
  std::string_view parent;
  std::vector<SectionMetric> header;          // shown first
  std::vector<SectionMetric> more;            // further metrics that it needs
  std::vector<SectionMetric> derived;         // label = the expression over other metrics
  std::vector<std::string_view> bodies;       // charts and tables, undecoded
  std::vector<SectionMetric> source_columns;  // counters of single instructions, as a source page shows them
};

enum class AdviceKind : uint8_t { kUnknown, kInfo, kWarning, kError, kOptimisation };

// What an estimated speed-up is of: one part of the kernel, or all of it. The two are never compared.
enum class SpeedupScope : uint8_t { kNone, kLocal, kGlobal };

// What a rule of the recorder said.
struct RuleAdvice {
  std::string_view text;
  std::string_view title;
  AdviceKind kind = AdviceKind::kUnknown;
  SpeedupScope speedup_scope = SpeedupScope::kNone;
  double speedup_percent = 0;
};

struct RuleResult {
  std::string_view id;
  std::string_view title;
  std::string_view section;
  std::vector<RuleAdvice> advice;
};

// The ranges that were open on one host thread when the kernel was launched, outermost first.
struct OpenRanges {
  uint64_t thread = 0;
  std::string_view domain;
  std::vector<std::string_view> names;
};

// One frame of the host's call stack at the launch, innermost first.
struct HostFrame {
  std::string_view module;
  std::string_view symbol;
  uint64_t address = 0;
};

// The text of one instruction, in recordings that have texts and no program (CSV).
struct InstructionText {
  uint64_t address = 0;
  std::string_view text;
};

using Extent = std::array<uint64_t, 3>;  // x, y, z

struct ProfiledKernel {
  int64_t id = 0;  // place in the file, from 0: what the recorder's own pages call ID
  uint64_t process_id = 0;
  uint64_t launch_id = 0;
  std::string_view mangled_name;
  std::string_view function_name;  // without arguments
  std::string_view full_name;      // demangled, with arguments; never empty when the file has any name
  Extent grid{};                   // blocks
  Extent recorded_grid{};          // as the file has it: the earliest recorders wrote threads
  Extent block{};                  // threads
  uint64_t context = 0;
  uint64_t stream = 0;
  uint64_t device = 0;
  uint64_t module_id = 0;  // CodeModule::id
  uint64_t recorded_unix_s = 0;
  std::vector<Metric> metrics;  // in file order; a name may come twice, the first one counts
  std::vector<MetricInstance> instances;
  std::vector<CounterSection> sections;
  std::vector<RuleResult> rules;
  std::vector<OpenRanges> ranges;
  std::vector<HostFrame> host_stack;
  std::vector<InstructionText> instruction_texts;  // by address
};

}  // namespace warpsight
