// Cubin: the program that a counter report holds, from which the code of single functions is read when someone asks.
//
// Place in the flow: CodeModule::cubin (counters/counter_report.h) -> FunctionCode. Opening looks at the ELF tables only.
// Errors: kUnreadable with what is wrong with the program; a damaged line table is a note, its instructions stay. Threads:
// immutable. Views point into the bytes given.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"
#include "counters/function_code.h"
#include "formats/cubin/elf_file.h"

namespace warpsight {

class Cubin {
 public:
  // `capability` is the compute capability it is for, 9.0 as 90: it decides how instructions are encoded.
  static Result<Cubin> Open(std::string_view bytes, int capability);

  struct Reading {
    FunctionCode code;
    std::string problem;  // of the line table; empty when all is well
  };
  // The function with this mangled name.
  Result<Reading> ReadFunction(std::string_view mangled_name) const;

 private:
  Cubin(ElfFile elf, int capability) : elf_(std::move(elf)), capability_(capability) {}

  ElfFile elf_;
  int capability_;
};

}  // namespace warpsight
