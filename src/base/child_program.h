// RunChildProgram: another program of the machine (an exporter, a disassembler), run to its end without a shell.
//
// Its standard input is empty, its standard output goes to a file, its errors there too or nowhere. Errors: see
// ChildProgramEnd. Threads: any number at a time.
#pragma once

#include <string>
#include <vector>

namespace warpsight {

enum class ChildErrors { kWithOutput, kDropped };

struct ChildProgramEnd {
  bool found = true;       // there is such a program on PATH
  bool timed_out = false;  // it was ended after the time limit
  int status = -1;         // its exit status; -1 = it ended otherwise

  bool succeeded() const { return status == 0; }
};

// `words` is the name of the program, looked up on PATH, and its arguments. A limit of 0 waits for ever.
ChildProgramEnd RunChildProgram(std::vector<std::string> words, const std::string& output_file, ChildErrors errors,
                                int limit_s = 0);

}  // namespace warpsight
