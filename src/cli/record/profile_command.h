// `warpsight profile [options] -- COMMAND...`: counters of chosen kernels, collected by Nsight Compute, then judged.
//
// The options are ncu's, by its names; ncu must be installed. It reads no file and answers with ncu's exit status, so it is
// no Verb. Threads: one.
#pragma once

#include <CLI/App.hpp>
#include <functional>
#include <string>
#include <vector>

namespace warpsight {

// As AddRecordCommand; `counters` judges a report.
void AddProfileCommand(CLI::App& app, std::vector<std::string>& arguments, int& status,
                       std::function<int(const std::string& file)> counters);

}  // namespace warpsight
