#include "cli/record/record_command.h"

#include <dlfcn.h>
#include <errno.h>
#include <fmt/format.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>
#include <system_error>
#include <utility>
#include <vector>

#include "calls/call_recorder.h"
#include "cli/error_line.h"
#include "cli/record/capture_parts.h"
#include "cli/record/capture_windows.h"
#include "cli/record/gpu_metrics_process.h"
#include "cli/record/output_name.h"
#include "cli/record/program_words.h"
#include "cli/record/record_options.h"
#include "cli/record/recording_lines.h"
#include "cli/record/run_target.h"

namespace warpsight {
namespace {

constexpr const char* kName = "record";
constexpr const char* kPythonHook = "record_hook";

void Say(const RecordOptions& options, const std::string& line) {
  if (!options.quiet) SayError(line);
}

// What is injected lies beside the program where it was built, or where it was installed. Empty when it does not.
std::string FindPart(const char* name) {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  for (const char* folder : {".", "../lib", "../lib/warpsight", "../lib64", "../share/warpsight"}) {
    const std::filesystem::path part = program.parent_path() / folder / name;
    if (std::filesystem::exists(part, error)) return std::filesystem::canonical(part, error).string();
  }
  return {};
}

// A CUPTI for programs that bring none: the newest toolkit's.
std::string FindCupti() {
  std::error_code error;
  std::string best;
  for (const auto& entry : std::filesystem::directory_iterator("/usr/local", error)) {
    if (!entry.path().filename().string().starts_with("cuda")) continue;
    for (const char* place : {"extras/CUPTI/lib64/libcupti.so", "lib64/libcupti.so", "lib/libcupti.so"}) {
      const std::string path = (entry.path() / place).string();
      if (std::filesystem::exists(path, error) && path > best) best = path;
    }
  }
  return best;
}

bool HasDriver() {
  void* const driver = dlopen("libcuda.so.1", RTLD_LAZY);
  if (driver != nullptr) dlclose(driver);
  return driver != nullptr;
}

// Another tool's injection would be displaced by ours, or ours by it.
void WarnOfOtherTools(const RecordOptions& options) {
  for (const char* variable : {"CUDA_INJECTION64_PATH", "NVTX_INJECTION64_PATH"}) {
    if (const char* other = getenv(variable); other != nullptr && *other != '\0')
      Say(options, fmt::format("{}={} is set by another tool: it is replaced while this recording runs", variable, other));
  }
}

// What LD_PRELOAD is to be: our followers of library and OS calls, then what the user has there. First, since they call on
// to what comes behind them. Empty when nothing of ours is needed.
std::string Preloads(const capture::Settings& settings, const TargetOptions& target) {
  std::string ours;
  const auto add = [&ours](bool wanted, const char* name, const char* what) {
    if (!wanted) return;
    const std::string part = FindPart(name);
    // The list is parted by blanks and colons and knows no way to write them.
    if (part.empty() || part.find_first_of(" :") != std::string::npos) {
      SayError(fmt::format("{} are not recorded: {} {}", what, part.empty() ? name : part,
                           part.empty() ? "does not lie beside the program: install it again"
                                        : "can't be preloaded: its path holds a blank or a colon"));
      return;
    }
    ours += (ours.empty() ? "" : ":") + part;
  };
  add(settings.follows_libraries(), calls::kLibraryCallsFile, "calls");
  // It also starts the session where nothing else does.
  add(settings.osrt || settings.from_start, calls::kOsCallsFile,
      settings.osrt             ? "calls"
      : settings.sample_hz != 0 ? "CPU samples"
                                : "switches of threads");
  if (ours.empty()) return {};
  const char* const inherited = getenv("LD_PRELOAD");
  std::string users = inherited == nullptr ? "" : inherited;
  for (const auto& [key, value] : target.environment) {
    if (key == "LD_PRELOAD") users = value;
  }
  return users.empty() ? ours : ours + ":" + users;
}

TargetOptions ToTarget(const RecordOptions& options, const capture::Settings& settings, const std::string& library) {
  TargetOptions target;
  target.command = options.command;
  target.wait_for_all = options.wait == "all";
  target.kill_folder = settings.folder;
  const std::string kill = options.kill.value_or(options.ends_by_range() ? "sigterm" : "none");
  if (kill != "none") target.kill_signal = kill == "sigkill" ? SIGKILL : SIGTERM;
  for (const std::string& variable : options.environment) {
    const size_t equals = variable.find('=');
    target.environment.emplace_back(variable.substr(0, equals), variable.substr(equals + 1));
  }
  if (settings.folder.empty() || library.empty()) return target;
  target.environment.emplace_back(capture::kSettingsVariable, capture::FormatSettings(settings));
  if (settings.cuda || settings.follows_libraries()) target.environment.emplace_back("CUDA_INJECTION64_PATH", library);
  if (const std::string preloads = Preloads(settings, target); !preloads.empty())
    target.environment.emplace_back("LD_PRELOAD", preloads);
  if (settings.nvtx) target.environment.emplace_back("NVTX_INJECTION64_PATH", library);
  if (options.pytorch) {
    // Interpreters look for their sitecustomize here.
    const char* before = getenv("PYTHONPATH");
    const std::string rest = before == nullptr || *before == '\0' ? std::string() : std::string(":") + before;
    target.environment.emplace_back("PYTHONPATH", FindPart(kPythonHook) + rest);
  }
  return target;
}

// The name is taken from here on, so that a recording that begins at the same time takes another.
Status CheckOptions(RecordOptions& options, ClaimedFile& claimed) {
  if (options.command.empty())
    return UsageError("record: no program is given: warpsight record [options] -- python infer.py");
  if (options.output.empty()) {
    options.output = options.makes_files_by_range()
                         ? fmt::format("capture{}.wscap", ClaimFirstFree("capture", "-1.wscap", claimed))
                         : ClaimCaptureName(claimed);
    return OkStatus();
  }
  const std::string first = options.makes_files_by_range() ? NumberedName(options.output, 1) : options.output;
  return ClaimNewFile(first, options.overwrite, claimed);
}

// What never happened, so that no range was recorded.
std::string MissingRange(const RecordOptions& options) {
  if (options.capture_range == "cudaProfilerApi") return "no process of the program called cudaProfilerStart";
  if (options.capture_range == "program")
    return "no warpsight.profile or warpsight::Profiler of the program recorded a step";
  return fmt::format(
      "no NVTX range {} began: --nvtx-capture takes RANGE of the default domain, RANGE@DOMAIN, RANGE@* of any",
      options.nvtx_capture);
}

void SayCapture(const RecordOptions& options, const std::string& file, const JoinedCapture& joined,
                std::vector<std::string>& written) {
  for (const std::string& line : LinesOf(file, joined)) Say(options, line);
  written.push_back(file);
}

// A file for each range, numbered.
Status CloseWindows(const RecordOptions& options, const std::string& folder,
                    const std::map<std::string, WindowsOfPart>& windows, std::vector<std::string>& written) {
  const Result<size_t> number = SplitWindows(folder, windows);
  if (!number.ok()) return number.status();
  for (size_t window = 1; window <= *number; ++window) {
    const std::string file = NumberedName(options.output, window);
    ClaimedFile claimed;
    if (const Status taken = ClaimNewFile(file, options.overwrite, claimed); !taken.ok())
      return UsageError(fmt::format("{}; range {} lies in {}", taken.message(), window, folder));
    const Result<JoinedCapture> joined = JoinParts(WindowFolder(folder, window), file);
    if (!joined.ok()) return joined.status();
    if (joined->processes > 0) SayCapture(options, file, *joined, written);
  }
  return OkStatus();
}

Status ClosePlain(const RecordOptions& options, const std::string& folder, std::vector<std::string>& written,
                  bool& unreadable) {
  const Result<JoinedCapture> joined = JoinParts(folder, options.output);
  if (!joined.ok()) return joined.status();
  unreadable = joined->unreadable > 0;
  if (options.armed) return OkStatus();  // its captures were written when they were triggered
  if (joined->processes > 0) {
    SayCapture(options, options.output, *joined, written);
  } else {
    Say(options, fmt::format("nothing was recorded: no process of the program initialised CUDA or used NVTX{}{}",
                             HasDriver() ? "" : " (there is no NVIDIA driver here: libcuda.so.1 was not found)",
                             options.sample == "none" ? "" : "; --trace=none samples processes that do neither"));
  }
  return OkStatus();
}

// Recorded processes were there, and not even the header of a file could be written.
bool HadNoRoom(const std::vector<StoredPart>& parts) {
  const auto is_empty = [](const std::filesystem::path& file) {
    std::error_code error;
    return std::filesystem::file_size(file, error) == 0;
  };
  return !parts.empty() && std::all_of(parts.begin(), parts.end(), [&](const StoredPart& part) {
    return part.of_machine() || std::all_of(part.files.begin(), part.files.end(), is_empty);
  });
}

// The files that were written. What stands in the folder is kept when it could not be joined.
std::vector<std::string> CloseCapture(const RecordOptions& options, const std::string& folder) {
  std::vector<std::string> written;
  if (folder.empty()) return written;
  ::signal(SIGXFSZ, SIG_IGN);  // a limit on the size of files is an error to be said, not our end
  const std::map<std::string, WindowsOfPart> windows = WindowsOf(folder);
  size_t recorded = 0;
  uint64_t ignored = 0;
  for (const auto& [part, of_part] : windows) {
    recorded += of_part.begins_ns.size();
    ignored += of_part.ignored;
  }
  bool unreadable = false;
  Status status = OkStatus();
  const std::vector<StoredPart> parts = PartsOf(folder);
  if (HadNoRoom(parts)) {
    SayError(
        fmt::format("nothing was recorded: there was no room for it beside {} (a full disk, or ulimit -f)", options.output));
  } else if (options.capture_range != "none" && recorded == 0 && !parts.empty()) {
    Say(options, "nothing was recorded: " + MissingRange(options));
  } else if (options.makes_files_by_range() && recorded > 0) {
    status = CloseWindows(options, folder, windows, written);
  } else {
    status = ClosePlain(options, folder, written, unreadable);
  }
  if (!status.ok()) {
    SayError(status.message());
    return written;
  }
  std::error_code error;
  if (!unreadable) std::filesystem::remove_all(folder, error);
  if (ignored > 0) {
    Say(options, fmt::format("{} more range{} began and {} not recorded: --capture-range-end=repeat makes a file for each, "
                             "join one file of all",
                             ignored, ignored == 1 ? "" : "s", ignored == 1 ? "is" : "are"));
  }
  return written;
}

int RunRecord(RecordOptions options, const std::function<int(const std::string&)>& report) {
  Result<capture::Settings> settings = options.ToSettings();
  if (!settings.ok()) return Fail(settings.status());
  ClaimedFile claimed;
  if (const Status checked = CheckOptions(options, claimed); !checked.ok()) return Fail(checked);
  const std::string library = FindPart(calls::kInjectedFile);
  const std::string folder = library.empty() ? std::string() : MakePartsFolder(options.output);
  if (library.empty()) {
    SayError(fmt::format("nothing is recorded: {} does not lie beside the program: install it again", calls::kInjectedFile));
  } else if (folder.empty()) {
    SayError(fmt::format("nothing is recorded: {} can't be written ({})", options.output, strerror(errno)));
  } else {
    settings->folder = folder;
    if (settings->cupti_path.empty()) settings->cupti_path = FindCupti();
    WarnOfOtherTools(options);
  }
  GpuMetricsProcess gpu_metrics;
  if (options.gpu_metrics_devices != "none" && !settings->folder.empty()) {
    const std::string problem =
        gpu_metrics.Start({folder, *options.GpuMetricsDevices(), static_cast<uint32_t>(options.gpu_metrics_hz),
                           settings->max_bytes, settings->cupti_path});
    if (!problem.empty()) SayError(problem);
  }
  const TargetEnd end = RunTarget(ToTarget(options, *settings, library));
  gpu_metrics.End();
  if (!end.started) SayError(fmt::format("{}: {}", options.command[0], strerror(end.error)));
  // The first of several is claimed when it is written, as the others are.
  if (options.makes_files_by_range()) claimed.Release();
  const std::vector<std::string> written = CloseCapture(options, folder);
  claimed.Release();
  for (const std::string& file : written) {
    if (options.report) (void)report(file);
  }
  return EndLike(end);
}

}  // namespace

void AddRecordCommand(CLI::App& app, std::vector<std::string>& arguments, int& status,
                      std::function<int(const std::string& file)> report) {
  CLI::App* const command = app.add_subcommand(kName, "record the timeline of a program: kernels, API calls, NVTX ranges");
  auto options = std::make_shared<RecordOptions>();
  options->Configure(*command);
  command->footer(
      "The program stands after the options, or after --.\n"
      "\n"
      "Examples:\n"
      "  warpsight record -- python infer.py\n"
      "  warpsight record -o run.wscap --report -- ./train --steps 20\n"
      "  warpsight record --sample=process-tree -- python train.py\n"
      "  warpsight record -c cudaProfilerApi -- python bench.py\n"
      "  warpsight record -c nvtx -p step --capture-range-end=repeat:3 -- ./train\n"
      "\n"
      "Exit status: the program's own; 2 wrong usage; 126, 127 it could not be started.");
  if (!arguments.empty() && arguments.front() == kName) options->command = TakeProgram(*command, arguments);
  command->callback([options, &status, report = std::move(report)] { status = RunRecord(*options, report); });
}

}  // namespace warpsight
