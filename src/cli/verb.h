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

// How many files a verb takes, and what they are.
struct FileCount {
  int most = 1;
  std::string meaning = "the recording; - is standard input";
  // Else what several files are to one another is told from their content.
  bool second_is_reference = false;
  // Whether the processes of one file may be taken as files of ranks.
  bool may_be_ranks = false;
  // Whether two files are two recordings to compare, whatever else they could be.
  bool are_compared = false;
};

struct VerbOutput {
  Document document;
  // Exit status 1: a condition that the user asked about holds (lint found something).
  bool condition_holds = false;
  // Where the document is to be written as a page as well; empty = nowhere.
  std::string page_path = {};
  // What that page shows, when it is not the document.
  std::optional<Document> page = std::nullopt;
  // One line for standard error, unless --quiet; empty = none.
  std::string remark = {};
};

class Verb {
 public:
  virtual ~Verb() = default;
  virtual std::string_view name() const = 0;
  // One line for the list of verbs.
  virtual std::string_view summary() const = 0;
  // Lines for --help: whole commands.
  virtual std::vector<std::string> examples() const = 0;
  // Whether its answer is one table, which CSV can hold.
  virtual bool is_one_table() const { return true; }
  // Whether its answer rests on the peaks of the device, which the user may then give.
  virtual bool uses_peaks() const { return false; }
  // What its files hold; a file of a kind that it does not take is refused with the verb that takes it.
  virtual InputKind input_kind() const { return InputKind::kTimeline; }
  // At least one; a verb is about the first.
  virtual FileCount files() const { return {}; }
  // Words that may stand beside the files, such as the names of reports: how many, and taking them out of `words`.
  virtual int most_words() const { return 0; }
  virtual Status TakeWords(std::vector<std::string>& /*words*/) { return OkStatus(); }
  // Adds the options beyond the common ones.
  virtual void Configure(CLI::App& /*app*/) {}
  // Whether -o is where the verb itself writes to; its document then goes to standard output.
  virtual bool writes_output() const { return false; }
  // Over the ledger of the first file, where others have one too.
  virtual std::string_view ledger_title() const { return "Ledger"; }
  // What is wrong with the options, before any file is opened.
  virtual Status CheckOptions(const CommonOptions& /*options*/) const { return OkStatus(); }
  virtual Result<VerbOutput> Run(const Input& input) = 0;
};

// All verbs, in the order of the help text.
std::vector<std::unique_ptr<Verb>> MakeVerbs();

}  // namespace warpsight
