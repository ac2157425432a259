#include "cli/run_verb.h"

#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <functional>
#include <memory>
#include <new>
#include <utility>

#include "analysis/ledger_document.h"
#include "base/file_sink.h"
#include "cli/error_line.h"
#include "cli/help_formatter.h"
#include "cli/number_checks.h"
#include "cli/output_file.h"
#include "cli/record/gpu_metrics_process.h"
#include "cli/record/profile_command.h"
#include "cli/record/record_command.h"
#include "cli/record/trigger_command.h"
#include "cli/serve/serve_command.h"
#include "cli/verb.h"
#include "render/csv_renderer.h"
#include "render/html_renderer.h"
#include "render/json_renderer.h"
#include "render/terminal.h"
#include "render/text_renderer.h"

namespace warpsight {
namespace {

constexpr int kConditionHolds = 1;

Result<std::string> Render(Document document, const CommonOptions& options) {
  if (options.json) return RenderJson(std::move(document));
  if (options.csv) return RenderCsv(document);
  TextStyle style = StyleForStream(STDOUT_FILENO);
  if (!options.output.empty()) style.colour = false;
  return RenderText(document, style);
}

// The page of a document. The file names it, without the folders that lead there.
Status WritePage(const Document& document, const std::string& file, const std::string& path) {
  const std::string name = std::filesystem::path(file).filename().string();
  return WriteOutput(RenderHtml(document, {name, document.verb}), path);
}

// Whether the text, JSON or CSV of a document is wanted: one who asks for a page and for quiet wants the page.
bool WantsText(const VerbOutput& output, const CommonOptions& options) {
  if (output.page_path.empty()) return true;
  if (output.page_path == "-") return !options.output.empty();
  return !options.quiet || options.json || options.csv || !options.output.empty();
}

// A verb that needs no file: no ledger, no page.
int RunWithoutFile(Verb& verb, const CommonOptions& options) {
  Result<VerbOutput> output = verb.Run(Input::WithoutFile(options));
  if (!output.ok()) return Fail(output.status());
  const Result<std::string> text = Render(std::move(output->document), options);
  if (!text.ok()) return Fail(text.status());
  const Status written = WriteOutput(*text, options.output);
  return written.ok() ? 0 : Fail(written);
}

int RunVerb(Verb& verb, CommonOptions options) {
  if (verb.input_kind() == InputKind::kNone) return RunWithoutFile(verb, options);
  if (const Status taken = verb.TakeWords(options.files); !taken.ok()) return Fail(taken);
  if (const Status sound = verb.CheckOptions(options); !sound.ok()) return Fail(sound);
  const FileCount files = verb.files();
  const Result<Input> input =
      Input::Open(options, verb.input_kind(), {files.second_is_reference, files.may_be_ranks, files.are_compared});
  if (!input.ok()) return Fail(input.status());
  Result<VerbOutput> output = verb.Run(*input);
  if (!output.ok()) {
    const Status& status = output.status();
    return Fail(status.kind() == StatusKind::kLacks ? LacksError(input->file() + ": " + status.message()) : status);
  }
  if (verb.writes_output()) {
    if (!output->remark.empty() && !options.quiet) SayError(output->remark);
    // Where the bytes went to standard output nothing may follow them.
    if (IsStandardOutput(options.output)) return 0;
    options.output.clear();
  }
  for (const std::string& path : {options.output, output->page_path}) {
    for (const std::string& file : options.files) {
      if (const Status safe = CheckOutput(path, file); !safe.ok()) return Fail(safe);
    }
  }
  Document& document = output->document;
  document.data["ledger"] = LedgerJson(input->log());
  AppendLedger(input->log(), document, std::string(verb.ledger_title()));
  const bool condition = output->condition_holds;
  if (!output->page_path.empty()) {
    if (output->page) AppendLedger(input->log(), *output->page);
    const Document& page = output->page ? *output->page : document;
    if (const Status written = WritePage(page, input->file(), output->page_path); !written.ok()) return Fail(written);
  }
  if (WantsText(*output, options) && !(verb.writes_output() && options.quiet && !options.json)) {
    const Result<std::string> text = Render(std::move(document), options);
    if (!text.ok()) return Fail(text.status());
    if (const Status written = WriteOutput(*text, options.output); !written.ok()) return Fail(written);
  }
  return condition ? kConditionHolds : 0;
}

// The options of a verb that needs no file.
void AddOutputOptions(CLI::App& app, CommonOptions& options) {
  app.add_flag("--json", options.json, "one JSON document on standard output");
  app.add_option("-o,--output", options.output, "write to this file");
  app.add_flag("--quiet", options.quiet)->group("");  // of every verb; there is nothing to be quiet about
}

void AddCommonOptions(CLI::App& app, const Verb& verb, CommonOptions& options) {
  if (verb.input_kind() == InputKind::kNone) return AddOutputOptions(app, options);
  const FileCount files = verb.files();
  app.add_option("FILE", options.files, files.meaning)->required()->expected(1, files.most + verb.most_words());
  app.add_flag("--json", options.json, "one JSON document on standard output");
  CLI::Option* const csv = app.add_flag("--csv", options.csv, "the table as CSV");
  if (verb.is_one_table()) {
    csv->excludes("--json");
  } else {
    csv->group("");  // not shown; who tries it is told why
  }
  // A counter report has no window to cut; who tries it is told so.
  const std::string window_group = verb.input_kind() == InputKind::kCounters ? "" : "Options";
  app.add_option("--range", options.range,
                 "cut the window: START:END in ns, or with us, ms, s; + counts from the start of the capture")
      ->group(window_group);
  app.add_option("--step", options.step, "cut the window to this step")->group(window_group);
  app.add_option("--device", options.device, "this device only");
  app.add_option("-o,--output", options.output, "write to this file");
  app.add_option("--threads", options.threads, "threads for the import (default: one a core)")->check(CLI::Range(1, 1024));
  app.add_flag("--quiet", options.quiet, "no progress line");
}

void AddPeakOptions(CLI::App& app, CommonOptions& options) {
  app.add_option("--peak-bandwidth", options.peak_gb_per_s,
                 "memory bandwidth of the device in GB/s, in place of the datasheet's")
      ->check(kPositive);
  app.add_option("--peak-flops", options.peak_tflop_per_s,
                 "arithmetic of the device in TFLOP/s for every type, in place of the datasheet's")
      ->check(kPositive);
}

std::string Footer(const Verb& verb) {
  std::string text = "Examples:";
  for (const std::string& example : verb.examples()) text += "\n  " + example;
  return text;
}

constexpr const char* kHelpFooter =
    "Examples:\n"
    "  warpsight report trace.json.gz          which part of the step is slow\n"
    "  warpsight idle trace.json.gz --step 4   why the GPU did nothing in step 4\n"
    "  warpsight parts trace.json.gz           which part of the model\n"
    "  warpsight diff before.json after.json   what became slower\n"
    "  warpsight ops trace.json.gz --json      every op's times for a script\n"
    "  warpsight counters kernel.ncu-rep       why one kernel is slow\n"
    "  warpsight explain long scoreboard       what a word of the answers means\n"
    "\n"
    "Exit status: 0 done; 1 a lint or --fail-if condition holds; 2 wrong usage; 3 the\n"
    "input can't be read; 4 it lacks what the verb needs; 5 a bug of warpsight.";

// Runs a verb on a file that a command has written.
auto RunOn(const char* verb) {
  return [verb](const std::string& file) {
    const char* const words[] = {"warpsight", verb, file.c_str(), nullptr};
    return RunCommandLine(3, const_cast<char**>(words));
  };
}

bool HasSubcommand(const CLI::App& app, std::string_view name) {
  return !app.get_subcommands([name](const CLI::App* one) { return one->get_name() == name; }).empty();
}

int Run(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == kGpuMetricsWord) return RunGpuMetrics(argc, argv);
  CLI::App app("warpsight: where the time of a GPU program goes, and why");
  app.name("warpsight");
  app.set_version_flag("--version", "warpsight " WARPSIGHT_VERSION);
  app.require_subcommand(1);
  app.formatter(std::make_shared<HelpFormatter>());
  app.footer(kHelpFooter);
  CommonOptions options;
  std::vector<std::unique_ptr<Verb>> verbs = MakeVerbs();
  int status = 0;
  for (const std::unique_ptr<Verb>& verb : verbs) {
    CLI::App* const command = app.add_subcommand(std::string(verb->name()), std::string(verb->summary()));
    AddCommonOptions(*command, *verb, options);
    if (verb->uses_peaks()) AddPeakOptions(*command, options);
    verb->Configure(*command);
    command->footer(Footer(*verb));
    command->callback([&status, &options, raw = verb.get()] { status = RunVerb(*raw, options); });
  }
  std::vector<std::string> arguments(argv + 1, argv + argc);
  AddRecordCommand(app, arguments, status, RunOn("report"));
  AddTriggerCommand(app, status);
  AddProfileCommand(app, arguments, status, RunOn("counters"));
  AddServeCommand(app, status);
  if (argc > 1 && argv[1][0] != '-' && !HasSubcommand(app, argv[1])) {
    return Fail(UsageError(std::string(argv[1]) + ": no such verb: warpsight --help lists them"));
  }
  try {
    // The library takes them from the end.
    std::reverse(arguments.begin(), arguments.end());
    app.parse(std::move(arguments));
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.get_subcommands().empty() ? app.help() : app.get_subcommands().front()->help("warpsight"));
  } catch (const CLI::CallForVersion&) {
    fmt::print("{}\n", app.version());
  } catch (const CLI::ParseError& error) {
    const std::string verb = app.get_subcommands().empty() ? "" : app.get_subcommands().front()->get_name() + " ";
    return Fail(UsageError(std::string(error.what()) + ": see warpsight " + verb + "--help"));
  }
  return status;
}

}  // namespace

int RunCommandLine(int argc, char** argv) {
  try {
    return Run(argc, argv);
  } catch (const std::bad_alloc&) {
    return Fail(UnreadableError(kOutOfMemory));
  } catch (const std::exception& error) {
    return Fail(InternalError(std::string("internal error: ") + error.what() + "; please report this with the input file"));
  }
}

}  // namespace warpsight
