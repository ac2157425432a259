// ShortKernelName: a readable form of a demangled GPU kernel name.
//
// Place in the flow: the text form of kKernelName columns and of sentences; JSON, CSV and --full-names keep the whole name.
// What is dropped: "void ", the parameter list, anonymous namespaces, template arguments that never tell two kernels apart
// (offset calculators, pointer arrays), and of types inside template arguments the namespaces when there are two or more
// (at::native::FillFunctor -> FillFunctor, c10::Half stays). Of a chain of lambdas the innermost stays.
//   void at::native::vectorized_elementwise_kernel<8, at::native::CUDAFunctor_add<c10::Half>, std::array<char*, 3ul> >(...)
//   -> at::native::vectorized_elementwise_kernel<8, CUDAFunctor_add<c10::Half>>
// The short form is for reading: two kernels may share it, so never use it as a key.
// Both demangler styles are read (GNU "{lambda(int)#1}", EDG "[lambda(int) (instance 1)]").
// Errors: none; any bytes are taken, brackets need not match. One pass, no recursion, linear in the length; names over 64
// KiB are read up to there. The result has at most 256 bytes and is empty only for an empty name. Threads: thread-safe.
#pragma once

#include <string>
#include <string_view>

namespace warpsight {

std::string ShortKernelName(std::string_view demangled);

// The name from its last component on, template arguments kept: "at::native::copy<a::b>" -> "copy<a::b>". For places too
// narrow for the short form. A view into `name`; names of other forms come back as they are.
std::string_view WithoutNamespaces(std::string_view name);

}  // namespace warpsight
