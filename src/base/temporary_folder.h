// TemporaryFolder: a folder of its own under $TMPDIR (or /tmp), gone with all that is in it when the object is.
//
// Errors: made() is false when there is no place for one. Thread-compatible.
#pragma once

#include <string>

namespace warpsight {

class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;

  bool made() const { return !path_.empty(); }
  const std::string& path() const { return path_; }
  std::string File(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

}  // namespace warpsight
