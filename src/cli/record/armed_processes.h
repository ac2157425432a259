// The armed processes of a program: found in /proc by the settings that `warpsight record --armed` gave them.
#pragma once

#include <sys/types.h>

#include <string>
#include <vector>

namespace warpsight {

struct ArmedProcess {
  pid_t pid = 0;
  std::string folder;  // where it looks for triggers
};

// `pid` and its descendants, those of them that are armed. `pid` may be that of `warpsight record` itself.
std::vector<ArmedProcess> FindArmed(pid_t pid);

}  // namespace warpsight
