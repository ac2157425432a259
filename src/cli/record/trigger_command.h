// `warpsight trigger PID`: makes a capture of programs that run under `warpsight record --armed`.
//
// Threads: one.
#pragma once

#include <CLI/App.hpp>

namespace warpsight {

// Adds the subcommand to `app`; `status` gets the exit status when it was run.
void AddTriggerCommand(CLI::App& app, int& status);

}  // namespace warpsight
