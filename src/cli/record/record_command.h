// `warpsight record [options] -- COMMAND...`: runs a program and writes what CUDA and NVTX did in it to a capture file.
//
// It reads no file and answers with the program's own exit status, so it is no Verb. Threads: one.
#pragma once

#include <CLI/App.hpp>
#include <functional>
#include <string>
#include <vector>

namespace warpsight {

// Adds the subcommand to `app`; `status` gets the exit status when it was run. `report` prints the report of a file.
// `arguments` are those of the whole command line behind the program's name: when they are for this subcommand, the program
// to record and its own arguments are taken off their end, so that no option of it is taken for ours.
void AddRecordCommand(CLI::App& app, std::vector<std::string>& arguments, int& status,
                      std::function<int(const std::string& file)> report);

}  // namespace warpsight
