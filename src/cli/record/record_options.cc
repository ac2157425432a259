#include "cli/record/record_options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <iterator>
#include <utility>

#include "capture/range_pattern.h"
#include "cli/number_checks.h"

namespace warpsight {
namespace {

// A ring lies in the program's memory.
constexpr const char* kDefaultSize = "2G";
constexpr const char* kDefaultRingSize = "256M";

uint64_t ToNs(double seconds) { return static_cast<uint64_t>(std::llround(seconds * 1e9)); }

Status TakeTraces(const std::string& list, capture::Settings& settings) {
  settings.cuda = settings.nvtx = false;
  const std::pair<std::string_view, bool*> traces[] = {{"cuda", &settings.cuda},     {"nvtx", &settings.nvtx},
                                                       {"cublas", &settings.cublas}, {"cudnn", &settings.cudnn},
                                                       {"nccl", &settings.nccl},     {"osrt", &settings.osrt}};
  for (size_t at = 0; at <= list.size();) {
    const size_t comma = std::min(list.find(',', at), list.size());
    const std::string word = list.substr(at, comma - at);
    at = comma + 1;
    const auto found =
        std::find_if(std::begin(traces), std::end(traces), [&](const auto& one) { return one.first == word; });
    if (found != std::end(traces)) {
      *found->second = true;
    } else if (word != "none") {
      return UsageError(
          fmt::format("record: --trace={}: this version records cuda, nvtx, cublas, cudnn, nccl and osrt", word));
    }
  }
  return OkStatus();
}

// CPU samples: which, how often, and whether with Python functions; and the switches of threads. `cpu` is what older
// versions of nsys call process-tree.
Status TakeSampling(const RecordOptions& options, capture::Settings& settings) {
  const bool samples = options.sample != "none";
  if (!samples && options.python_sampling == "true")
    return UsageError("record: --python-sampling=true needs --sample=process-tree, whose samples it completes");
  settings.sample_hz = samples ? static_cast<uint32_t>(options.sampling_hz) : 0;
  settings.python_sampling = samples && options.python_sampling.value_or("true") == "true";
  settings.thread_switches = options.cpuctxsw.value_or(samples ? "process-tree" : "none") != "none";
  return OkStatus();
}

// What --capture-range-end says: how many ranges, and whether their ends count.
Status TakeRangeEnd(const RecordOptions& options, capture::Settings& settings) {
  const std::string& written = options.capture_range_end;
  const size_t colon = written.find(':');
  const std::string word = written.substr(0, colon);
  uint64_t number = 0;
  if (colon != std::string::npos) {
    const char* const end = written.data() + written.size();
    const auto [at, error] = std::from_chars(written.data() + colon + 1, end, number);
    if (error != std::errc() || at != end || number == 0) number = ~uint64_t{0};
  }
  const bool has_number = colon != std::string::npos && number != ~uint64_t{0};
  const bool may_have = word == "repeat" || word == "join" || word == "repeat-shutdown";
  const bool known = may_have || word == "none" || word == "stop" || word == "stop-shutdown" || word.empty();
  if (!known || (colon != std::string::npos && (!may_have || !has_number)) || (word == "repeat-shutdown" && !has_number))
    return UsageError(
        fmt::format("record: --capture-range-end={}: it is none, stop, stop-shutdown, repeat, repeat:N, "
                    "repeat-shutdown:N, join or join:N",
                    written));
  settings.open_end = word == "none";
  settings.most_windows = number;
  const bool first_by_default = options.capture_range == "cudaProfilerApi" || options.capture_range == "nvtx";
  if (word == "none" || word.starts_with("stop") || (word.empty() && first_by_default)) settings.most_windows = 1;
  return OkStatus();
}

// What can't be asked for together.
Status CheckTogether(const RecordOptions& options, const capture::Settings& settings) {
  const bool has_range = options.capture_range != "none";
  const bool has_time = options.delay_s > 0 || options.duration_s > 0;
  const std::string range = "--capture-range=" + options.capture_range;
  if (has_range && has_time)
    return UsageError("record: --capture-range says when to record: --delay and --duration can't say it too");
  if (options.armed && has_time)
    return UsageError(
        "record: --armed waits for a trigger: --delay and --duration can't be given with it; give the time to "
        "warpsight trigger PID -d S");
  if (options.armed && has_range)
    return UsageError("record: --armed waits for a trigger: --capture-range can't be given with it");
  if (options.armed && options.gpu_metrics_devices != "none")
    return UsageError("record: --armed records nothing before a trigger: --gpu-metrics-devices can't be given with it");
  if (options.armed && options.report)
    return UsageError("record: --armed writes its captures when they are triggered: --report can't be given with it");
  if (settings.cuda_events && !settings.cuda) return UsageError("record: --cuda-event-trace=true needs cuda in --trace");
  if (range == "--capture-range=cudaProfilerApi" && !settings.cuda)
    return UsageError("record: --capture-range=cudaProfilerApi needs cuda in --trace");
  if (range == "--capture-range=nvtx" && !settings.nvtx)
    return UsageError("record: --capture-range=nvtx needs nvtx in --trace");
  if ((options.capture_range == "nvtx") == options.nvtx_capture.empty())
    return UsageError("record: --capture-range=nvtx and --nvtx-capture RANGE@DOMAIN belong together: give both or neither");
  if (!options.nvtx_capture.empty() && !capture::ParseRangePattern(options.nvtx_capture))
    return UsageError(
        fmt::format("record: --nvtx-capture={}: write it as RANGE, RANGE@DOMAIN or RANGE@*", options.nvtx_capture));
  if (!options.capture_range_end.empty() && !has_range)
    return UsageError("record: --capture-range-end needs --capture-range");
  if (options.ring_s > 0 && options.makes_files_by_range())
    return UsageError("record: --ring keeps the end of a recording: --capture-range-end=repeat can't be given with it");
  if (options.kill.value_or("none") != "none" && options.duration_s == 0 && !options.ends_by_range())
    return UsageError("record: --kill needs --duration or --capture-range-end=stop-shutdown, which say when");
  return OkStatus();
}

}  // namespace

void RecordOptions::Configure(CLI::App& app) {
  app.add_option("-o,--output", output, "the capture file (default: the first free of capture1.wscap, capture2.wscap, ...)");
  app.add_flag("-f,--force-overwrite", overwrite, "write over a file that exists");
  app.add_option("-t,--trace", trace, "what is recorded: cuda, nvtx, cublas, cudnn, nccl, osrt, none (default: cuda,nvtx)");
  app.add_option("--osrt-threshold", osrt_threshold_ns,
                 "OS calls that take less than so many ns are left out (default: 1000)");
  app.add_option("--graphs", graphs, "CUDA graphs: each node, or each launch as one")
      ->check(CLI::IsMember({"node", "graph"}));
  app.add_option("--cuda-event-trace", cuda_event_trace,
                 "true: when streams reach CUDA events (cudaEventRecord); costs about 2 us an event (default: false)")
      ->check(CLI::IsMember({"true", "false"}));
  app.add_option("--max-size", max_size, "most bytes that a process may write (default: 2G); what is more is counted");
  app.add_option("--ring", ring_s, "keep the last so many seconds")->check(kNotNegative);
  app.add_option("-y,--delay", delay_s, "begin after so many seconds")->check(kNotNegative);
  app.add_option("-d,--duration", duration_s, "record for so many seconds")->check(kNotNegative);
  app.add_option("-c,--capture-range", capture_range,
                 "record only between cudaProfilerStart and cudaProfilerStop, in a range of NVTX, or when the program's "
                 "warpsight::Profiler says so")
      ->check(CLI::IsMember({"none", "cudaProfilerApi", "nvtx", "program"}));
  app.add_option("-p,--nvtx-capture", nvtx_capture,
                 "that range: RANGE of the default domain, RANGE@DOMAIN, RANGE@* of any; \\@ is an @ of the name");
  app.add_option("--capture-range-end", capture_range_end,
                 "stop: the first range alone (default); repeat[:N]: a file for each; join[:N]: all in one file (default "
                 "with -c program); none: record on; stop-shutdown, repeat-shutdown:N: end the program then");
  app.add_option("-w,--wait", wait, "for all processes to end, or the first")->check(CLI::IsMember({"all", "primary"}));
  app.add_option("--kill", kill, "how to end the program when the duration or the last range is over")
      ->check(CLI::IsMember({"none", "sigterm", "sigkill"}));
  app.add_option("-e,--env-var", environment, "KEY=VALUE for the program; may be given again");
  app.add_flag(
      "--pytorch", pytorch,
      "PyTorch's ops, with their shapes, become ranges; costs 1 to 2 us an op where its callback was built, else 5 to 8 "
      "(docs/record.md)");
  app.add_flag("--armed", armed, "record nothing before `warpsight trigger PID`");
  app.add_option("--cupti", cupti, "path of the libcupti to use, when the program has none");
  app.add_option(
         "--nvml-frequency", nvml_hz,
         "how often a second clocks, power, temperature, memory and links of the GPUs in use are sampled (default: 10; "
         "0: never)")
      ->check(CLI::Range(0, 1000));
  app.add_option("-s,--sample", sample,
                 "process-tree: CPU samples with the call stacks of every thread of the recorded processes (default: none)")
      ->check(CLI::IsMember({"process-tree", "cpu", "none"}));
  app.add_option("--sampling-frequency", sampling_hz,
                 "samples of a thread for each second of its processor time (default: 1000)")
      ->check(CLI::Range(1, 8000));
  app.add_option("--python-sampling", python_sampling,
                 "Python functions in the samples' stacks: true (default where there are samples), false")
      ->check(CLI::IsMember({"true", "false"}));
  app.add_option("--cpuctxsw", cpuctxsw,
                 "process-tree: when the scheduler gives and takes the processor of every thread of the recorded processes "
                 "(default where there are samples); none")
      ->check(CLI::IsMember({"process-tree", "none"}));
  app.add_option("--nvml", nvml, "path of the libnvidia-ml to use (default: the driver's)");
  app.add_option("--gpu-metrics-devices", gpu_metrics_devices,
                 "GPUs whose hardware counters are sampled (SMs, tensor cores, DRAM, NVLink, PCIe): all, none, or CUDA's "
                 "numbers as 0,1 (default: none)");
  app.add_option("--gpu-metrics-frequency", gpu_metrics_hz, "how often a second (default: 1000)")
      ->check(CLI::Range(10, 20000));
  app.add_flag("--report", report, "print the report when the program has ended");
  app.add_flag("--quiet", quiet, "no lines of our own on standard error, but for errors");
}

Result<uint64_t> ParseSize(std::string_view text) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  std::string unit;
  for (const char* at = end; at != text.data() + text.size(); ++at) {
    if (*at != ' ') unit += static_cast<char>(std::toupper(static_cast<unsigned char>(*at)));
  }
  int shift = -1;
  for (const auto& [name, bits] : {std::pair<std::string_view, int>{"", 0},
                                   {"B", 0},
                                   {"K", 10},
                                   {"KB", 10},
                                   {"KIB", 10},
                                   {"M", 20},
                                   {"MB", 20},
                                   {"MIB", 20},
                                   {"G", 30},
                                   {"GB", 30},
                                   {"GIB", 30},
                                   {"T", 40}}) {
    if (unit == name) shift = bits;
  }
  if (error != std::errc() || shift < 0 || number > (~uint64_t{0} >> shift))
    return UsageError(fmt::format("record: {}: is no size: write it as 500M or 2G", text));
  return number << shift;
}

Result<std::vector<uint32_t>> RecordOptions::GpuMetricsDevices() const {
  std::vector<uint32_t> devices;
  if (gpu_metrics_devices == "all" || gpu_metrics_devices == "none") return devices;
  for (std::string_view rest = gpu_metrics_devices; !rest.empty();) {
    const std::string_view word = rest.substr(0, rest.find(','));
    uint32_t number = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (error != std::errc() || end != word.data() + word.size())
      return UsageError(
          fmt::format("record: --gpu-metrics-devices={}: it is all, none, or numbers as 0,1", gpu_metrics_devices));
    if (std::find(devices.begin(), devices.end(), number) == devices.end()) devices.push_back(number);
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
  }
  if (devices.empty())
    return UsageError("record: --gpu-metrics-devices= names no device: it is all, none, or numbers as 0,1");
  return devices;
}

Result<capture::Settings> RecordOptions::ToSettings() const {
  capture::Settings settings;
  WARPSIGHT_RETURN_IF_ERROR(TakeTraces(trace, settings));
  WARPSIGHT_RETURN_IF_ERROR(TakeSampling(*this, settings));
  // Nothing else would start a session there.
  settings.from_start = (settings.osrt || settings.sample_hz != 0 || settings.thread_switches) && !settings.cuda &&
                        !settings.nvtx && !settings.follows_libraries();
  const Result<uint64_t> bytes = ParseSize(max_size.value_or(ring_s > 0 ? kDefaultRingSize : kDefaultSize));
  if (!bytes.ok()) return bytes.status();
  settings.max_bytes = *bytes;
  settings.osrt_threshold_ns = osrt_threshold_ns;
  settings.armed = armed;
  settings.whole_graphs = graphs == "graph";
  settings.cuda_events = cuda_event_trace == "true";
  settings.ring_ns = ToNs(ring_s);
  settings.delay_ns = ToNs(delay_s);
  settings.duration_ns = ToNs(duration_s);
  if (capture_range == "cudaProfilerApi") settings.range = capture::CaptureRange::kProfilerApi;
  if (capture_range == "program") settings.range = capture::CaptureRange::kProgram;
  if (capture_range == "nvtx") settings.range = capture::CaptureRange::kNvtx;
  settings.nvtx_range = nvtx_capture;
  settings.cupti_path = cupti;
  settings.nvml_hz = static_cast<uint32_t>(nvml_hz);
  settings.nvml_path = nvml;
  for (const std::string& variable : environment) {
    if (variable.find('=') == std::string::npos || variable.front() == '=')
      return UsageError(fmt::format("record: --env-var {}: write it as KEY=VALUE", variable));
  }
  if (const Result<std::vector<uint32_t>> devices = GpuMetricsDevices(); !devices.ok()) return devices.status();
  WARPSIGHT_RETURN_IF_ERROR(TakeRangeEnd(*this, settings));
  WARPSIGHT_RETURN_IF_ERROR(CheckTogether(*this, settings));
  return settings;
}

}  // namespace warpsight
