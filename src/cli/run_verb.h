// From arguments to exit status.
#pragma once

namespace warpsight {

// Runs the command line; the program's exit status.
int RunCommandLine(int argc, char** argv);

}  // namespace warpsight
