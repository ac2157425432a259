// ReplaceImports: has the libraries of this process call a function of ours in place of one that they import by name.
//
// Used for functions of CUPTI alone, so that the recorder learns when another client in the process wants it
// (other_client.h). What is changed is the entry of that one function in the table of addresses that a library keeps of its
// imports (relocations of kind GLOB_DAT and JUMP_SLOT), nothing of its code: calls of functions that were looked up with
// dlsym are not seen. Only libraries are touched that name one whose file name holds `needed` as a dependency, and only
// entries that lead to the function that is said to be meant, or that no call has looked up so far. Errors: what can't be
// changed stays as it is. Threads: one at a time; the changed entries are written whole, so that others may call meanwhile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpsight::capture::cupti {

struct ReplacedImport {
  const char* name;
  void* meant;  // what the import leads to now
  void* ours;
};

// The number of entries that were changed.
size_t ReplaceImports(const char* needed, const std::vector<ReplacedImport>& imports);
// Whether a library whose path holds `name` is loaded.
bool IsLibraryLoaded(const char* name);
// How many libraries have been loaded in this process so far: when it grows there may be new imports. 0 = not known.
uint64_t LibrariesLoaded();

}  // namespace warpsight::capture::cupti
