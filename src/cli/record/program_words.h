// The program that a command runs, apart from the command's own options.
#pragma once

#include <CLI/App.hpp>
#include <string>
#include <vector>

namespace warpsight {

// Takes the program and its arguments off the end of `arguments` (which begin with the command's name): what stands behind
// "--", else from the first word on that is neither an option of `command` nor an option's value.
std::vector<std::string> TakeProgram(const CLI::App& command, std::vector<std::string>& arguments);

}  // namespace warpsight
