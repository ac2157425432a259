// `warpsight serve FILE...`: the web page and the HTTP interface over recordings, until it is interrupted.
//
// It prints an address, not a document, and answers before its files are read, so it is no Verb. Threads: one.
#pragma once

#include <CLI/App.hpp>

namespace warpsight {

// Adds the subcommand to `app`; `status` gets the exit status when it was run.
void AddServeCommand(CLI::App& app, int& status);

}  // namespace warpsight
