#include "cli/record/armed_processes.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <map>
#include <optional>
#include <string_view>
#include <system_error>

#include "capture/settings.h"
#include "cli/record/file_text.h"

namespace warpsight {
namespace {

// The folder of an armed process; nothing when it is none, or not ours to look at.
std::optional<std::string> ArmedFolder(pid_t pid) {
  const std::string environment = TextOfFile("/proc/" + std::to_string(pid) + "/environ");
  const std::string key = std::string(capture::kSettingsVariable) + "=";
  for (size_t at = 0; at < environment.size();) {
    const size_t end = std::min(environment.find('\0', at), environment.size());
    const std::string_view variable(environment.data() + at, end - at);
    at = end + 1;
    if (!variable.starts_with(key)) continue;
    const capture::Settings settings = capture::ParseSettings(variable.substr(key.size()));
    if (settings.armed && !settings.folder.empty()) return settings.folder;
  }
  return std::nullopt;
}

bool IsOurs(pid_t pid) {
  struct stat info = {};
  return stat(("/proc/" + std::to_string(pid)).c_str(), &info) == 0 && info.st_uid == geteuid();
}

// The folder, open; null when it is a symbolic link, no folder, or others can write to it.
std::shared_ptr<const int> HoldFolder(const std::string& path) {
  const int file = open(path.c_str(), O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (file < 0) return nullptr;
  std::shared_ptr<const int> held(new int(file), [](const int* number) {
    close(*number);
    delete number;
  });
  struct stat info = {};
  const bool safe = fstat(file, &info) == 0 && info.st_uid == geteuid() && (info.st_mode & (S_IWGRP | S_IWOTH)) == 0;
  return safe ? held : nullptr;
}

// Field 4 of /proc/PID/stat; the name before it may hold blanks and brackets.
pid_t ParentOf(pid_t pid) {
  const std::string stat = TextOfFile("/proc/" + std::to_string(pid) + "/stat");
  const size_t bracket = stat.rfind(')');
  return bracket == std::string::npos || bracket + 4 > stat.size() ? 0 : std::atoi(stat.c_str() + bracket + 4);
}

}  // namespace

Result<std::vector<ArmedProcess>> FindArmed(pid_t pid) {
  std::map<pid_t, pid_t> parents;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/proc", error)) {
    if (const pid_t one = std::atoi(entry.path().filename().c_str()); one > 0) parents[one] = ParentOf(one);
  }
  if (parents.count(pid) != 0 && !IsOurs(pid))
    return UsageError(fmt::format("trigger: process {} belongs to another user: run warpsight trigger as that user", pid));
  std::vector<ArmedProcess> armed;
  std::map<std::string, std::shared_ptr<const int>> held;
  for (const auto& [one, parent] : parents) {
    pid_t ancestor = one;
    // A chain is as long as there are processes at most, even while they come and go.
    for (size_t steps = 0; ancestor != pid && ancestor > 1 && steps < parents.size(); ++steps) {
      const auto found = parents.find(ancestor);
      ancestor = found == parents.end() ? 0 : found->second;
    }
    if (ancestor != pid || !IsOurs(one)) continue;
    const std::optional<std::string> folder = ArmedFolder(one);
    if (!folder) continue;
    std::shared_ptr<const int>& file = held[*folder];
    if (file == nullptr) file = HoldFolder(*folder);
    if (file == nullptr) {
      return UsageError(
          fmt::format("trigger: process {} names {} as the folder of its recording, which is no folder that "
                      "only you can write to: nothing is triggered",
                      one, *folder));
    }
    armed.push_back({one, fmt::format("/proc/self/fd/{}", *file), file});
  }
  return armed;
}

}  // namespace warpsight
