// ReadableKernelName: a kernel's name as recorders print it, of the name as the linker knows it.
//
// Place in the flow: importers whose recorder gives mangled names (wscap) -> this -> row names. The C++ library's own
// demangler gives the usual spelling, with result and parameters, but no bound: back references let a name of 300 bytes
// become gigabytes. So it is asked only where a bounded reading of the name says that it stays small; else the name is
// what the bounded reading (base/mangled_name.h) makes of it. Errors: none; what is not mangled stays as it is. Threads:
// pure.
#pragma once

#include <string>
#include <string_view>

namespace warpsight {

std::string ReadableKernelName(std::string_view recorded);

}  // namespace warpsight
