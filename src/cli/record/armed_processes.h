// The armed processes of a program: found in /proc by the settings that `warpsight record --armed` gave them.
#pragma once

#include <sys/types.h>

#include <memory>
#include <string>
#include <vector>

#include "base/status.h"

namespace warpsight {

struct ArmedProcess {
  pid_t pid = 0;
  std::string folder;  // where it looks for triggers: reaches the folder that was checked, whatever becomes of its name
  std::shared_ptr<const int> held;  // shared: one folder serves all processes of a program
};

// `pid` and its descendants, those of them that are armed. `pid` may be that of `warpsight record` itself. What a process
// says of itself is not trusted: it and its folder have to be this user's, the folder for this user alone to write to.
Result<std::vector<ArmedProcess>> FindArmed(pid_t pid);

}  // namespace warpsight
