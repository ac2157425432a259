// Checks of numbers on the command line, with messages that say what to give. (CLI11's own print the largest double there
// is.) Threads: immutable.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace warpsight {

// Their names stand in --help, as CLI11's do.
inline CLI::Validator NumberCheck(const char* name, const char* what, bool (*holds)(double)) {
  return {[what, holds](std::string& text) {
            double number = 0;
            return CLI::detail::lexical_cast(text, number) && holds(number) ? std::string() : text + ": give " + what;
          },
          name};
}
inline const CLI::Validator kNotNegative =
    NumberCheck("NONNEGATIVE", "a number that is not below 0", [](double number) { return number >= 0; });
inline const CLI::Validator kPositive =
    NumberCheck("POSITIVE", "a number above 0", [](double number) { return number > 0; });

}  // namespace warpsight
