// Rooflines of one kernel from its counters: FP64, FP32, FP16 and tensor arithmetic against DRAM, L2 and L1.
//
// A roof is a rate (FLOP/s or byte/s), what the kernel reached of it, and its peak: the counters' own at the clocks of the
// profiled run, else the datasheet's of the device, or what the user gave. The nearest roof is the one with the largest
// share of its peak: of these roofs none is nearer. Roofs know arithmetic and bytes only. A kernel far below all of them may
// be at the limit of a pipe, of instruction issue or of shared memory, which triage.h sees.
// Place in the flow: CounterReport + data/counter_rooflines.toml -> this -> documents. Units: FLOP, byte, per second; they
// are for shares and intensities, not for production times. Errors: none: what is absent says which metric it lacks.
// Threads: pure functions.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "analysis/given.h"
#include "counters/counter_report.h"

namespace warpsight {

struct CounterRoof {
  std::string id;                // "fp32", "dram"
  std::string name;              // "FP32", "DRAM"
  std::optional<double> amount;  // FLOP or bytes of the launch
  std::optional<double> per_s;
  std::optional<double> peak_per_s;
  std::string peak_source;            // "counters", "datasheet", "given"; empty without a peak
  std::optional<double> utilisation;  // of the peak, 0..1; may be known without the rates
  std::string types;                  // tensor cores: the data types that did something
  // FP16 of fused multiply-adds alone, of the same order as the kernel's other arithmetic: compilers load constants of
  // floats with that instruction, and counters cannot tell which it was.
  bool may_be_constants = false;
  std::string not_evaluated;  // why a rate is absent

  bool did_something() const { return per_s.value_or(utilisation.value_or(0)) > 0; }
};

// One kind of arithmetic over one level of memory: a point of a roofline chart.
struct RooflinePoint {
  size_t work = 0;                   // index into CounterRoofline::work
  size_t memory = 0;                 // index into CounterRoofline::memory
  double intensity = 0;              // FLOP/byte
  std::optional<double> ridge;       // where the two roofs meet
  std::optional<double> attainable;  // FLOP/s under them at this intensity
  std::optional<double> efficiency;  // of it, 0..1

  bool is_memory_bound() const { return ridge && intensity < *ridge; }
};

struct CounterRoofline {
  std::vector<CounterRoof> work;      // by kind of arithmetic
  std::vector<CounterRoof> memory;    // by level
  std::vector<RooflinePoint> points;  // of arithmetic that was done

  // The roof with the largest share of its peak; null when none is known. FP16 that may be constants is none.
  const CounterRoof* Nearest() const;
  // The arithmetic that the kernel mostly did, by FLOPs; null when it did none, or none is known. By the share of the peak
  // where the report has no FLOPs of one kind. FP16 that may be constants comes last.
  const CounterRoof* MainWork() const;
};

// Of `given` the peaks are used.
CounterRoofline MakeCounterRoofline(const CounterReport& report, const ProfiledKernel& kernel, const Given& given = {});

}  // namespace warpsight
