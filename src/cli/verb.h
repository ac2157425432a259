// Verb: one subcommand. It describes itself (name, summary, options, examples) and stands in the one list of verbs.cc.
//
// A verb opens its input through Input, asks passes, and returns a Document; writing it as text, JSON or CSV, to the
// terminal or a file, is done in one place (run_verb.cc), as are the exit status and the error line. One thread.
#pragma once

#include <CLI/App.hpp>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "cli/input.h"
#include "document/document.h"

namespace warpsight {

struct VerbOutput {
  Document document;
  // Exit status 1: a condition that the user asked about holds (lint found something).
  bool condition_holds = false;
};

class Verb {
 public:
  virtual ~Verb() = default;
  virtual std::string_view name() const = 0;
  // One line for the list of verbs.
  virtual std::string_view summary() const = 0;
  // Lines for --help: whole commands.
  virtual std::vector<std::string> examples() const = 0;
  // Whether FILE may be given several times.
  virtual bool takes_several_files() const { return false; }
  // Whether its answer rests on the peaks of the device, which the user may then give.
  virtual bool uses_peaks() const { return false; }
  // Adds the options beyond the common ones.
  virtual void Configure(CLI::App& /*app*/) {}
  virtual Result<VerbOutput> Run(const Input& input) = 0;
};

// All verbs, in the order of the help text.
std::vector<std::unique_ptr<Verb>> MakeVerbs();

}  // namespace warpsight
