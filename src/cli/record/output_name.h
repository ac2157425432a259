// The files that record, trigger and profile write: their names, and that no two of them write the same one.
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace warpsight {

// A name that is taken: an empty file is made, which nobody else can make too. When nothing has been written to it in the
// end it goes away.
class ClaimedFile {
 public:
  ClaimedFile() = default;
  ClaimedFile(const ClaimedFile&) = delete;
  ClaimedFile& operator=(const ClaimedFile&) = delete;
  ~ClaimedFile() { Release(); }
  void Release();

 private:
  friend Status ClaimNewFile(const std::string& path, bool overwrite, ClaimedFile& claimed);
  std::string path_;
};

// Whether a file of this name may be made: it is no folder, and there is none, or it may be written over; then it is made.
// In a folder that takes no files nothing is: who writes it meets that again.
Status ClaimNewFile(const std::string& path, bool overwrite, ClaimedFile& claimed);

// Takes the first of STEM1ENDING, STEM2ENDING, ... that does not exist in the current folder; its number.
int ClaimFirstFree(std::string_view stem, std::string_view ending, ClaimedFile& claimed);
// What `trigger` and `record` write when they are given no name.
std::string ClaimCaptureName(ClaimedFile& claimed);

// "run.wscap" and 2: "run-2.wscap".
std::string NumberedName(const std::string& path, size_t number);

}  // namespace warpsight
