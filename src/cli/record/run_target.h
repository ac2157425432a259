// RunTarget: runs the program that is recorded, as if it had been started alone.
//
// It gets our standard streams, its own signals (what the terminal sends goes to it as before; SIGTERM and SIGHUP sent to us
// are passed on, but for those that we were started to ignore). Once it has ended, SIGINT and SIGTERM end the waiting for
// what it left running, and the environment with what makes the driver and NVTX load our library. Its end is ours: see
// EndLike. Threads: one; changes the process's signal handlers.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace warpsight {

struct TargetOptions {
  std::vector<std::string> command;
  std::vector<std::pair<std::string, std::string>> environment;  // set on top of ours
  bool wait_for_all = true;                                      // descendants that outlive the program too
  int kill_signal = 0;  // sent when a file with the ending capture::kDoneMark is in `kill_folder`; 0 = never
  std::string kill_folder;
};

struct TargetEnd {
  bool started = false;
  int error = 0;        // errno of exec, when not started
  int wait_status = 0;  // as of waitpid
};

TargetEnd RunTarget(const TargetOptions& options);

// The exit status that a shell would see of the program; when a signal ended it, this process ends by the same one.
int EndLike(const TargetEnd& end);

}  // namespace warpsight
