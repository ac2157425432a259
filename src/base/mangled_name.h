// Demangle: the readable form of an Itanium-mangled kernel name ("_ZN2at6native13reduce_kernelILi512E..."), for decoding.
//
// Why not abi::__cxa_demangle: it refuses names over about 1 KiB, which composable kernel and CUTLASS exceed, and back
// references let a short hostile name grow without limit. This one reads what names of kernels use (nested and local names,
// lambdas, template arguments, literals, types), leaves out the parameters of the kernel itself, stops at 64 KiB of output
// and at a bounded depth. Where it meets what it does not know it gives what it has read so far.
// Algorithm: recursive descent that prints as it reads; a substitution is a range of the text printed so far.
// Source: Itanium C++ ABI, section "Mangling". Errors: empty for what is no mangled name. Threads: thread-safe.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace warpsight {

std::string Demangle(std::string_view mangled);

// The same with the types of the result and the parameters behind it, without a sign between them: how much text the name
// stands for. Nothing when it can't be read to its end, or is longer than 64 KiB.
std::optional<std::string> DemangleWithParameters(std::string_view mangled);

}  // namespace warpsight
