#include "cli/record/program_words.h"

#include <CLI/CLI.hpp>
#include <cstddef>

namespace warpsight {

std::vector<std::string> TakeProgram(const CLI::App& command, std::vector<std::string>& arguments) {
  size_t at = 1;
  while (at < arguments.size()) {
    const std::string& word = arguments[at];
    if (word == "--" || word.size() < 2 || word.front() != '-') break;
    const CLI::Option* const option = command.get_option_no_throw(word);
    at += option != nullptr && option->get_expected_min() > 0 && !option->get_name().empty() ? 2 : 1;
  }
  if (at >= arguments.size()) return {};
  const auto begin = arguments.begin() + static_cast<std::ptrdiff_t>(at);
  std::vector<std::string> program(arguments[at] == "--" ? begin + 1 : begin, arguments.end());
  arguments.erase(begin, arguments.end());
  return program;
}

}  // namespace warpsight
