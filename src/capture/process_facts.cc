#include "capture/process_facts.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace warpsight::capture {
namespace {

std::string TextOfFile(const std::string& path, size_t most) {
  std::string text(most, '\0');
  const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return {};
  const ssize_t got = read(file, text.data(), text.size());
  close(file);
  text.resize(got > 0 ? static_cast<size_t>(got) : 0);
  return text;
}

}  // namespace

std::string CommandOfProcess() {
  std::string command = TextOfFile("/proc/self/cmdline", 4096);
  while (!command.empty() && command.back() == '\0') command.pop_back();
  for (char& c : command) c = c == '\0' ? ' ' : c;
  return command;
}

std::string HostName() {
  char name[256] = {};
  gethostname(name, sizeof(name) - 1);
  return name;
}

std::string RankOfProcess() {
  constexpr std::pair<const char*, const char*> kVariables[] = {{"RANK", "WORLD_SIZE"},
                                                                {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
                                                                {"PMI_RANK", "PMI_SIZE"},
                                                                {"SLURM_PROCID", "SLURM_NTASKS"}};
  const auto is_number = [](const char* text) {
    const std::string_view digits = text == nullptr ? "" : text;
    return !digits.empty() && digits.size() < 8 && digits.find_first_not_of("0123456789") == std::string_view::npos;
  };
  for (const auto& [rank, ranks] : kVariables) {
    const char* const own = getenv(rank);
    const char* const all = getenv(ranks);
    if (is_number(own) && is_number(all)) return std::string("rank=") + own + " ranks=" + all;
  }
  return {};
}

std::vector<std::pair<uint64_t, std::string>> NamesOfThreads() {
  std::vector<std::pair<uint64_t, std::string>> names;
  DIR* const tasks = opendir("/proc/self/task");
  if (tasks == nullptr) return names;
  while (const dirent* task = readdir(tasks)) {
    if (task->d_name[0] < '0' || task->d_name[0] > '9') continue;
    std::string name = TextOfFile(std::string("/proc/self/task/") + task->d_name + "/comm", 64);
    if (!name.empty() && name.back() == '\n') name.pop_back();
    names.emplace_back(std::strtoull(task->d_name, nullptr, 10), std::move(name));
  }
  closedir(tasks);
  return names;
}

std::string MarkPath(const std::string& folder, uint32_t process, const char* ending) {
  return folder + "/" + std::to_string(process) + ending;
}

void LeaveMark(const std::string& folder, uint32_t process, const char* ending, const std::string& text) {
  const std::string path = MarkPath(folder, process, ending);
  const std::string beside = path + ".new";
  const int file = open(beside.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0644);
  if (file < 0) return;
  const bool whole = write(file, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  close(file);
  if (!whole || rename(beside.c_str(), path.c_str()) != 0) unlink(beside.c_str());
}

std::string TextOfOwnFile(const std::string& path) {
  struct stat info = {};
  if (lstat(path.c_str(), &info) != 0 || !S_ISREG(info.st_mode) || info.st_uid != geteuid()) return {};
  return TextOfFile(path, 8192);
}

}  // namespace warpsight::capture
