// Memory policy of a process that imports recordings: for main() of programs, never for a library's user.
#pragma once

namespace warpsight {

// Tells malloc to keep what it has in one heap for all threads, whose first 192 MiB may be huge pages; ExpectGrownMemory is
// for the rest. Call first thing in main(). Hints only: nothing depends on them. Does nothing where the C library is not
// glibc.
void PrepareProcessMemory();

// Asks that what malloc's heap has grown by since the last call be huge pages too. To be called now and then during large
// work, as by an import's progress: costs next to nothing when the heap has not grown. Does nothing where
// PrepareProcessMemory has not been called. Threads: any.
void ExpectGrownMemory();

// Gives the system back what malloc keeps and nobody uses: for a process that stays, after large work. Takes milliseconds.
void ReturnFreeMemory();

}  // namespace warpsight
