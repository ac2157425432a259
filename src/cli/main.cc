#include <csignal>

#include "cli/run_verb.h"

int main(int argc, char** argv) {
  // A closed pipe is a failed write, not a death: `warpsight report x | head` must end quietly.
  std::signal(SIGPIPE, SIG_IGN);
  return warpsight::RunCommandLine(argc, argv);
}
