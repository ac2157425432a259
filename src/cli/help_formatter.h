// The help of the program and its verbs, wrapped to 80 columns.
//
// Place in the flow: given to CLI11 by run_verb.cc. Thread-compatible.
#pragma once

#include <CLI/CLI.hpp>

#include <string>

namespace warpsight {

class HelpFormatter : public CLI::Formatter {
 public:
  // CLI11 writes "FILE(1x)" where a verb takes more than one file.
  std::string make_option_usage(const CLI::Option* option) const override;
  std::string make_option(const CLI::Option* option, bool is_positional) const override;
  std::string make_subcommand(const CLI::App* command) const override;
  std::string make_description(const CLI::App* app) const override;
};

}  // namespace warpsight
