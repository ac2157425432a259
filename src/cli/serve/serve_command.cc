#include "cli/serve/serve_command.h"

#include <errno.h>
#include <fmt/format.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "base/child_program.h"
#include "base/status.h"
#include "cli/error_line.h"
#include "cli/kernel_code_lines.h"
#include "cli/kernel_options.h"
#include "server/http/http_server.h"

namespace warpsight {
namespace {

constexpr int kUsualPort = 7777;
constexpr int kMostPort = 65535;

struct ServeOptions {
  std::vector<std::string> files;
  std::optional<int> port;
  std::string address;
  bool no_open = false;
  bool token = false;
  bool quiet = false;
  int threads = 0;
};

// What can be said before anything is read: a file that is not there is no page with an error, but an error.
Status CheckFiles(const std::vector<std::string>& files) {
  for (const std::string& file : files) {
    if (file == "-") return UsageError("-: the server reads files: give their names");
    std::error_code error;
    if (std::filesystem::is_directory(file, error)) return UnreadableError(file + ": is a folder: give a recording");
    if (access(file.c_str(), R_OK) != 0)
      return UnreadableError(fmt::format("{}: can't be opened: {}", file, strerror(errno)));
  }
  return OkStatus();
}

bool IsSet(const char* variable) {
  const char* const value = getenv(variable);
  return value != nullptr && *value != '\0';
}

// The address under which a browser finds the server.
std::string UrlOf(const ServeOptions& options, const std::string& address, int port, const std::string& token) {
  std::string host = address;
  if (address == "0.0.0.0" || address == "::") {
    std::array<char, 256> name{};
    host = gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "localhost";
  } else if (address.find(':') != std::string::npos) {
    host = "[" + address + "]";
  } else if (options.address.empty()) {
    host = "127.0.0.1";
  }
  return fmt::format("http://{}:{}/{}", host, port, token.empty() ? "" : "?token=" + token);
}

// A browser that does not start is no failure: the address is on standard output. Never waited for.
void OpenBrowser(const std::string& url) {
  if (!IsSet("DISPLAY") && !IsSet("WAYLAND_DISPLAY")) return;
  std::thread([url] {
    constexpr int kLimitSeconds = 30;
    RunChildProgram({"xdg-open", url}, "/dev/null", ChildErrors::kDropped, kLimitSeconds);
  }).detach();
}

sigset_t EndSignals() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGINT);
  sigaddset(&signals, SIGTERM);
  return signals;
}

Status Serve(const ServeOptions& options) {
  WARPSIGHT_RETURN_IF_ERROR(CheckFiles(options.files));
  // Before any thread starts, so that all of them leave the signals to this one.
  const sigset_t signals = EndSignals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  server::AccessRules rules;
  rules.only_this_machine = options.address.empty();
  if (options.token || !options.address.empty()) {
    Result<std::string> token = server::MakeToken();
    if (!token.ok()) return token.status();
    rules.token = std::move(token).value();
  }
  const auto say = [quiet = options.quiet](const std::string& file, const Status& status) {
    if (!status.ok()) return SayError(status.message());
    if (!quiet) SayError(file + ": ready");  // which, unlike fmt::print, bears a stream that takes nothing
  };
  // Never destroyed: a file that is being read can't be stopped, and the process ends all the same.
  auto& store = *new server::TraceStore(options.files, options.threads, say, {RefuseSourcePage, ReadLinesOf});
  if (store.size() == 0) {
    SayError(options.files.front() + ": has counters of single kernels, without a timeline: give the recording too");
    std::_Exit(ExitCode(StatusKind::kLacks));
  }
  const server::Api api(store);
  server::HttpServer http(api, rules);
  const std::string address = options.address.empty() ? "127.0.0.1" : options.address;
  const Result<int> port = options.port ? http.Bind(address, *options.port) : http.BindNear(address, kUsualPort);
  if (!port.ok()) {
    SayError(port.status().message());
    std::_Exit(ExitCode(port.status().kind()));  // files may be being read
  }
  const std::string url = UrlOf(options, address, *port, rules.token);
  fmt::print("{}\n", url);
  std::fflush(stdout);
  std::thread serving([&http] { http.Run(); });
  // Not with a token: whoever is on the machine can read the command line of a browser.
  if (!options.no_open && rules.token.empty()) OpenBrowser(url);
  int signal = 0;
  sigwait(&signals, &signal);
  http.Stop();
  // Connections that are kept may hold their threads for seconds; nothing is written that could be lost.
  std::fflush(nullptr);
  std::_Exit(0);
}

}  // namespace

void AddServeCommand(CLI::App& app, int& status) {
  auto options = std::make_shared<ServeOptions>();
  CLI::App* const command = app.add_subcommand("serve", "the timeline and the findings as a web page on this machine");
  command->add_option("FILE", options->files, "recordings; Nsight Compute reports of their kernels beside them")
      ->required()
      ->expected(1, 1 << 10);
  command->add_option("--port", options->port, "the port; 0 = any free one (default: 7777 or the next free one)")
      ->check(CLI::Range(0, kMostPort));
  command->add_option("--listen", options->address, "listen on this address of the machine, and ask for a token");
  command->add_flag("--token", options->token, "ask for a token on loopback too: for a machine with other users");
  command->add_flag("--no-open", options->no_open, "do not start a browser");
  command->add_option("--threads", options->threads, "threads for the import (default: one a core)")
      ->check(CLI::Range(1, 1024));
  command->add_flag("--quiet", options->quiet, "say nothing of files that are ready");
  command->footer(
      "Examples:\n"
      "  warpsight serve trace.json.gz\n"
      "  warpsight serve rank0.json.gz rank1.json.gz --port 0 --no-open\n"
      "  warpsight serve trace.json.gz kernels.ncu-rep\n"
      "  warpsight serve run.wscap --listen 0.0.0.0   # other machines, by a token");
  command->callback([options, &status] {
    const Status served = Serve(*options);
    status = served.ok() ? 0 : Fail(served);
  });
}

}  // namespace warpsight
