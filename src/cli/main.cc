#include <csignal>

#include "base/process_memory.h"
#include "cli/error_line.h"
#include "cli/run_verb.h"

int main(int argc, char** argv) {
  warpsight::PrepareProcessMemory();
  warpsight::EndInOrderWithoutMemory();
  // A closed pipe is a failed write, not a death: `warpsight report x | head` must end quietly.
  std::signal(SIGPIPE, SIG_IGN);
  return warpsight::RunCommandLine(argc, argv);
}
