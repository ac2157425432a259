#include "cli/record/run_target.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <system_error>
#include <thread>

#include "capture/process_facts.h"

namespace warpsight {
namespace {

constexpr int kNotFound = 127;
constexpr int kNotRunnable = 126;

std::atomic<pid_t> target{0};

std::atomic<bool> stop_waiting{false};

void PassOn(int signal) {
  if (const pid_t pid = target.load(); pid > 0) kill(pid, signal);
}
void StopWaiting(int /*signal*/) { stop_waiting = true; }

// Without SA_RESTART, so that a wait ends; a signal that is ignored stays so.
void Handle(int signal, void (*handler)(int)) {
  struct sigaction now = {};
  sigaction(signal, nullptr, &now);
  if (now.sa_handler == SIG_IGN) return;
  struct sigaction action = {};
  action.sa_handler = handler;
  sigaction(signal, &action, nullptr);
}

// The terminal sends its signals to the program as well: we outlive it to close the capture.
void HandleSignals() {
  for (const int signal : {SIGTERM, SIGHUP, SIGUSR1, SIGUSR2}) Handle(signal, PassOn);
  for (const int signal : {SIGINT, SIGQUIT}) Handle(signal, [](int) {});
}

void HandleSignalsAfterTarget() {
  for (const int signal : {SIGINT, SIGQUIT, SIGTERM, SIGHUP}) Handle(signal, StopWaiting);
}

[[noreturn]] void Exec(const TargetOptions& options, int report) {
  ::signal(SIGPIPE, SIG_DFL);  // we ignore it ourselves
  for (const auto& [key, value] : options.environment) setenv(key.c_str(), value.c_str(), 1);
  std::vector<char*> arguments;
  for (const std::string& argument : options.command) arguments.push_back(const_cast<char*>(argument.c_str()));
  arguments.push_back(nullptr);
  execvp(arguments[0], arguments.data());
  const int error = errno;
  [[maybe_unused]] const ssize_t told = write(report, &error, sizeof(error));
  _exit(kNotFound);
}

bool HasDoneMark(const std::string& folder) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() == capture::kDoneMark) return true;
  }
  return false;
}

// Ends the program when its recording is over, unless it ends before.
class Killer {
 public:
  Killer(const TargetOptions& options, pid_t pid) {
    if (options.kill_signal == 0) return;
    thread_ = std::thread([this, &options, pid] {
      while (!over_ && !HasDoneMark(options.kill_folder)) std::this_thread::sleep_for(std::chrono::milliseconds(50));
      if (!over_) kill(pid, options.kill_signal);
    });
  }
  ~Killer() {
    over_ = true;
    if (thread_.joinable()) thread_.join();
  }

 private:
  std::atomic<bool> over_{false};
  std::thread thread_;
};

}  // namespace

TargetEnd RunTarget(const TargetOptions& options) {
  TargetEnd end;
  int pipe_ends[2];
  if (pipe2(pipe_ends, O_CLOEXEC) != 0) {
    end.error = errno;
    return end;
  }
  if (options.wait_for_all) prctl(PR_SET_CHILD_SUBREAPER, 1);
  const pid_t pid = fork();
  if (pid == 0) Exec(options, pipe_ends[1]);
  end.error = pid < 0 ? errno : 0;
  close(pipe_ends[1]);
  if (pid > 0) {
    target = pid;
    HandleSignals();
    while (read(pipe_ends[0], &end.error, sizeof(end.error)) < 0 && errno == EINTR) {
    }
  }
  close(pipe_ends[0]);
  if (pid < 0) return end;
  end.started = end.error == 0;
  {
    const Killer killer(options, pid);
    while (waitpid(pid, &end.wait_status, 0) < 0 && errno == EINTR) {
    }
  }
  target = 0;
  HandleSignalsAfterTarget();
  // What the program left running records on; its end is theirs too.
  while (options.wait_for_all && !stop_waiting) {
    if (waitpid(-1, nullptr, 0) < 0 && errno != EINTR) break;
  }
  return end;
}

int EndLike(const TargetEnd& end) {
  if (!end.started) return end.error == ENOENT ? kNotFound : kNotRunnable;
  if (WIFEXITED(end.wait_status)) return WEXITSTATUS(end.wait_status);
  const int signal = WTERMSIG(end.wait_status);
  const rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  ::signal(signal, SIG_DFL);
  raise(signal);
  return 128 + signal;
}

}  // namespace warpsight
