#include "cli/record/gpu_metrics_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <vector>

namespace warpsight {
namespace {

using Clock = std::chrono::steady_clock;

constexpr const char* kReady = "ready";
constexpr int kLongestStartMs = 30'000;
constexpr int kLongestEndMs = 20'000;
constexpr int kRoundMs = 50;

std::vector<std::string> ArgumentsFor(const gpu_metrics::MetricsSettings& settings) {
  std::string devices;
  for (const uint32_t device : settings.devices) devices += (devices.empty() ? "" : ",") + std::to_string(device);
  return {
      "warpsight",         kGpuMetricsWord, settings.folder, std::to_string(settings.hz), std::to_string(settings.max_bytes),
      settings.cupti_path, devices};
}

[[noreturn]] void ExecSampler(std::vector<std::string>& words, int input, int output) {
  // Signals of the terminal are for the program; what CUPTI prints is for nobody.
  setsid();
  dup2(input, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  if (const int null = open("/dev/null", O_WRONLY | O_CLOEXEC); null >= 0) dup2(null, STDERR_FILENO);
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  execv("/proc/self/exe", arguments.data());
  _exit(127);
}

// Whether something can be read, or the other side is closed, before the time is over.
bool CanRead(int file, Clock::time_point until) {
  while (true) {
    const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(until - Clock::now()).count();
    pollfd one = {file, POLLIN, 0};
    const int ready = poll(&one, 1, left > 0 ? static_cast<int>(left) : 0);
    if (ready > 0) return true;
    if (ready == 0 || errno != EINTR) return false;
  }
}

}  // namespace

std::string GpuMetricsProcess::Start(const gpu_metrics::MetricsSettings& settings) {
  int input[2];
  int output[2];
  if (pipe2(input, O_CLOEXEC) != 0) return strerror(errno);
  if (pipe2(output, O_CLOEXEC) != 0) {
    close(input[0]);
    close(input[1]);
    return strerror(errno);
  }
  std::vector<std::string> words = ArgumentsFor(settings);
  // No child of ours in the end: those are the program's, whose end is waited for.
  const pid_t child = fork();
  if (child == 0) {
    const pid_t sampler = fork();
    if (sampler == 0) ExecSampler(words, input[0], output[1]);
    _exit(sampler < 0 ? 1 : 0);
  }
  close(input[0]);
  close(output[1]);
  to_ = input[1];
  from_ = output[0];
  if (child > 0) waitpid(child, nullptr, 0);
  const std::string line = ReadLine(kLongestStartMs);
  if (line == kReady) return {};
  close(to_);
  close(from_);
  to_ = from_ = -1;
  return line.empty() ? "GPU metrics are not sampled: their sampler did not start" : line;
}

std::string GpuMetricsProcess::ReadLine(int timeout_ms) {
  const auto until = Clock::now() + std::chrono::milliseconds(timeout_ms);
  std::string line;
  char c = 0;
  while (CanRead(from_, until)) {
    const ssize_t read_bytes = read(from_, &c, 1);
    if (read_bytes < 0 && errno == EINTR) continue;
    if (read_bytes <= 0 || c == '\n') break;
    line += c;
  }
  return line;
}

void GpuMetricsProcess::End() {
  if (to_ < 0) return;
  close(to_);
  ReadLine(kLongestEndMs);  // its end
  close(from_);
  to_ = from_ = -1;
}

int RunGpuMetrics(int argc, char** argv) {
  if (argc != 7) return 2;
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGXFSZ, SIG_IGN);
  gpu_metrics::MetricsSettings settings;
  settings.folder = argv[2];
  settings.hz = static_cast<uint32_t>(std::strtoul(argv[3], nullptr, 10));
  settings.max_bytes = std::strtoull(argv[4], nullptr, 10);
  settings.cupti_path = argv[5];
  for (const char* at = argv[6]; *at != '\0';) {
    char* end = nullptr;
    settings.devices.push_back(static_cast<uint32_t>(std::strtoul(at, &end, 10)));
    at = *end == ',' ? end + 1 : end;
  }
  gpu_metrics::MetricsRecorder recorder(std::move(settings));
  const std::string problem = recorder.Start();
  const std::string line = (problem.empty() ? std::string(kReady) : problem) + "\n";
  if (write(STDOUT_FILENO, line.data(), line.size()) != static_cast<ssize_t>(line.size()) || !problem.empty()) return 1;
  while (!CanRead(STDIN_FILENO, Clock::now() + std::chrono::milliseconds(kRoundMs))) recorder.Collect();
  recorder.Finish();
  return 0;
}

}  // namespace warpsight
