#include "base/child_program.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>

#include <cerrno>
#include <chrono>
#include <thread>

extern char** environ;

namespace warpsight {
namespace {

using Clock = std::chrono::steady_clock;

// 0 or the errno of what went wrong.
int Spawn(std::vector<std::string>& words, const std::string& output_file, ChildErrors errors, pid_t& child) {
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, output_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  if (errors == ChildErrors::kWithOutput) {
    posix_spawn_file_actions_adddup2(&files, 1, 2);
  } else {
    posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
  }
  const int problem = posix_spawnp(&child, arguments[0], &files, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  return problem;
}

// Waits until the child has ended; true when it had to be ended because its time was over.
bool WaitForEnd(pid_t child, int limit_s, int& status) {
  const Clock::time_point end = Clock::now() + std::chrono::seconds(limit_s);
  constexpr auto kPause = std::chrono::milliseconds(2);
  bool timed_out = false;
  while (true) {
    const pid_t ended = waitpid(child, &status, limit_s > 0 && !timed_out ? WNOHANG : 0);
    if (ended == child) return timed_out;
    if (ended < 0 && errno != EINTR) {
      status = -1;
      return timed_out;
    }
    if (ended != 0) continue;
    if (Clock::now() >= end) {
      timed_out = true;
      kill(child, SIGKILL);
    } else {
      std::this_thread::sleep_for(kPause);
    }
  }
}

}  // namespace

ChildProgramEnd RunChildProgram(std::vector<std::string> words, const std::string& output_file, ChildErrors errors,
                                int limit_s) {
  ChildProgramEnd end;
  pid_t child = 0;
  if (const int problem = Spawn(words, output_file, errors, child); problem != 0) {
    end.found = problem != ENOENT && problem != EACCES;
    return end;
  }
  int status = 0;
  end.timed_out = WaitForEnd(child, limit_s, status);
  if (!end.timed_out && status >= 0 && WIFEXITED(status)) end.status = WEXITSTATUS(status);
  return end;
}

}  // namespace warpsight
