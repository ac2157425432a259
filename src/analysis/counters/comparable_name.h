// ComparableName: what recorders agree on in the name of a kernel, so that the kernels of two files can be told to be the
// same.
//
// Recorders use two demanglers: "void f<4, (anonymous namespace)::A<3ul> >(int)::{lambda()#1}" is also
// "void f<(int)4, <unnamed>::A<(unsigned long)3>>(T1)::[lambda() (instance 1)]". Left out on both sides: return types,
// parameter lists and casts, const, spaces, endings of numbers. Mangled names are demangled first. What is left is for
// comparing, not for reading.
// Place in the flow: names of a Trace and of a CounterReport -> this -> joined_counters_pass. Errors: none; any bytes are
// taken. One pass, linear; names over 64 KiB are read up to there. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpsight {

struct ComparableName {
  std::string whole;           // with template arguments: "at::f<4,?::A<3>>"
  std::string base;            // the function alone: "f", as Nsight Compute's --kernel-name takes it
  bool has_arguments = false;  // template arguments are known
  std::string all;             // `whole` with parameters and casts: what a pattern over the demangled name can meet
};

ComparableName MakeComparableName(std::string_view name);

// The words of a comparable name, in order: identifiers and numbers.
std::vector<std::string> WordsOfName(std::string_view comparable);

}  // namespace warpsight
