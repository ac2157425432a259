#include "cli/record/profile_command.h"

#include <fmt/format.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>
#include <utility>

#include "base/status.h"
#include "cli/error_line.h"
#include "cli/number_checks.h"
#include "cli/record/output_name.h"
#include "cli/record/program_words.h"
#include "cli/record/run_target.h"

namespace warpsight {
namespace {

constexpr const char* kProfile = "profile";

struct ProfileOptions {
  std::string output;
  bool overwrite = false;
  std::string kernel_name;
  std::string kernel_name_base;
  std::string set = "full";
  std::optional<int64_t> launch_skip;
  std::optional<int64_t> launch_count;
  bool quiet = false;
  std::vector<std::string> command;
};

// On PATH, else where the toolkit and Nsight Compute install it, the newest last.
std::string FindNcu() {
  const char* path = getenv("PATH");
  std::vector<std::string> places;
  for (std::string rest = path == nullptr ? "" : path; !rest.empty();) {
    const size_t end = std::min(rest.find(':'), rest.size());
    places.push_back(rest.substr(0, end));
    rest.erase(0, std::min(end + 1, rest.size()));
  }
  for (const std::string& place : places) {
    if (access((place + "/ncu").c_str(), X_OK) == 0) return place + "/ncu";
  }
  std::vector<std::string> found;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/opt/nvidia/nsight-compute", error)) {
    if (const std::string ncu = (entry.path() / "ncu").string(); access(ncu.c_str(), X_OK) == 0) found.push_back(ncu);
  }
  if (access("/usr/local/cuda/bin/ncu", X_OK) == 0) return "/usr/local/cuda/bin/ncu";
  return found.empty() ? std::string() : *std::max_element(found.begin(), found.end());
}

Status CheckProfile(ProfileOptions& options, ClaimedFile& claimed) {
  if (options.command.empty())
    return UsageError("profile: no program is given: warpsight profile [options] -- python infer.py");
  if (options.output.empty()) {
    options.output = fmt::format("counters{}.ncu-rep", ClaimFirstFree("counters", ".ncu-rep", claimed));
    return OkStatus();
  }
  // ncu adds the ending itself: without it the file would have another name than the one asked for.
  if (!options.output.ends_with(".ncu-rep")) options.output += ".ncu-rep";
  return ClaimNewFile(options.output, options.overwrite, claimed);
}

std::vector<std::string> NcuWords(const ProfileOptions& options, const std::string& ncu) {
  std::vector<std::string> words = {ncu, "--set", options.set, "--import-source", "yes", "-f", "-o", options.output};
  const auto add = [&words](const char* name, const std::string& value) {
    if (value.empty()) return;
    words.emplace_back(name);
    words.push_back(value);
  };
  add("--kernel-name", options.kernel_name);
  add("--kernel-name-base", options.kernel_name_base);
  add("--launch-skip", options.launch_skip ? std::to_string(*options.launch_skip) : "");
  add("--launch-count", options.launch_count ? std::to_string(*options.launch_count) : "");
  words.insert(words.end(), options.command.begin(), options.command.end());
  return words;
}

int RunProfile(ProfileOptions options, const std::function<int(const std::string&)>& counters) {
  ClaimedFile claimed;
  if (const Status checked = CheckProfile(options, claimed); !checked.ok()) return Fail(checked);
  const std::string ncu = FindNcu();
  if (ncu.empty()) {
    return Fail(LacksError(
        "profile: counters are collected by Nsight Compute, and ncu was found neither on PATH nor where it is installed: "
        "install it (it comes with the CUDA toolkit), or run the program where it is"));
  }
  TargetOptions target;
  target.command = NcuWords(options, ncu);
  // Only what ncu writes now is judged: with -f a report of before may lie there.
  std::error_code none_before;
  const auto before = std::filesystem::last_write_time(options.output, none_before);
  const TargetEnd end = RunTarget(target);
  if (!end.started) SayError(fmt::format("{}: {}", ncu, strerror(end.error)));
  claimed.Release();
  std::error_code error;
  const auto after = std::filesystem::last_write_time(options.output, error);
  const bool written = !error && (none_before || after != before) && access(options.output.c_str(), R_OK) == 0;
  if (written && !options.quiet) (void)counters(options.output);
  return EndLike(end);
}

}  // namespace

void AddProfileCommand(CLI::App& app, std::vector<std::string>& arguments, int& status,
                       std::function<int(const std::string& file)> counters) {
  CLI::App* const command =
      app.add_subcommand(kProfile, "counters of chosen kernels of a program, by Nsight Compute, judged");
  auto options = std::make_shared<ProfileOptions>();
  command->add_option("-o,--output", options->output, "the report (default: the first free of counters1.ncu-rep, ...)");
  command->add_flag("-f,--force-overwrite", options->overwrite, "write over a report that exists");
  command->add_option("-k,--kernel-name", options->kernel_name, "kernels of this name, or regex:EXPRESSION");
  command->add_option("--kernel-name-base", options->kernel_name_base, "which name is meant")
      ->check(CLI::IsMember({"function", "demangled", "mangled"}));
  command->add_option("-s,--launch-skip", options->launch_skip, "leave out so many launches of them first")
      ->check(kNotNegative);
  command->add_option("-c,--launch-count", options->launch_count, "profile so many launches")->check(kPositive);
  command->add_option("--set", options->set, "sections to collect: ncu --list-sets names them (default: full)");
  command->add_flag("--quiet", options->quiet, "do not judge the report at the end");
  command->footer(
      "The program stands after the options, or after --.\n"
      "\n"
      "Examples:\n"
      "  warpsight profile -k regex:flash -c 1 -- python infer.py\n"
      "  warpsight profile -k gemm_naive --launch-skip 10 -c 1 -o gemm -- ./app\n"
      "\n"
      "Exit status: ncu's; 2 wrong usage; 4 there is no ncu.");
  if (!arguments.empty() && arguments.front() == kProfile) options->command = TakeProgram(*command, arguments);
  command->callback([options, &status, counters = std::move(counters)] { status = RunProfile(*options, counters); });
}

}  // namespace warpsight
