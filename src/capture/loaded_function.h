// FindFunction: a function of a library that was opened at run time, by its name.
//
// Threads: safe.
#pragma once

#include <dlfcn.h>

namespace warpsight::capture {

// False, and null, when the library has none of that name. The type is the caller's word.
template <typename Function>
bool FindFunction(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

}  // namespace warpsight::capture
