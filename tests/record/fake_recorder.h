// What fake_recorder.cc was told.
#pragma once

#include <string>
#include <vector>

struct FakeRecorder {
  bool recording = true;
  std::vector<std::string> told;  // texts of pushes, "." of pops
};
