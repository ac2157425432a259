// ImportSlots: has the libraries of this process call a function of ours in place of one that they import by name.
//
// Used for functions of CUPTI alone, so that the recorder learns when another client in the process wants it
// (other_client.h). What is changed is the entry of that one function in the table of addresses that a library keeps of its
// imports (relocations of kind GLOB_DAT and JUMP_SLOT), nothing of its code: calls of functions that were looked up with
// dlsym are not seen. Only libraries are touched that name one whose file name holds `needed` as a dependency, and only
// entries that lead to the function that is said to be meant, or that no call has looked up so far. Where the entries lie is
// read from the library's file, and no list of the loader's is gone over, nor a lock of its asked for: another thread may be
// in the middle of loading or unloading one (loaded_libraries.h). Errors: what can't be changed stays as it is. Threads: one
// at a time; the changed entries are written whole, so that others may call meanwhile.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "capture/loaded_libraries.h"

namespace warpsight::capture::cupti {

struct ReplacedImport {
  const char* name;
  void* meant;  // what the import leads to now
  void* ours;
};

class OwnMemory;

class ImportSlots {
 public:
  explicit ImportSlots(const char* needed) : needed_(needed) {}

  // Finds the entries of libraries that are new in the list.
  void Find(const std::vector<LoadedCode>& libraries, const std::vector<ReplacedImport>& imports);
  // Changes what leads to what is meant; cheap. The number of entries that were changed. An entry of a library that is still
  // being loaded is left for the next time.
  size_t Replace(const std::vector<ReplacedImport>& imports);

 private:
  using Library = std::pair<std::string, uintptr_t>;  // path and load offset
  struct Slot {
    Library library;
    // Where the library lies: an import that no call has looked up leads to a stub in it, which would look it up.
    uintptr_t begin = 0;
    uintptr_t end = 0;
    uintptr_t address = 0;
    const char* import = nullptr;
    bool is_sealed = false;  // unwritable once the library is loaded
  };
  static bool LeadsTo(const Slot& slot, const ReplacedImport& import, const OwnMemory& memory);
  static bool ReplaceOne(const Slot& slot, const ReplacedImport& import, const OwnMemory& memory);
  void FindIn(const LoadedCode& part, const std::vector<ReplacedImport>& imports);

  const char* needed_;
  std::set<Library> known_;
  std::vector<Slot> slots_;
};

}  // namespace warpsight::capture::cupti
