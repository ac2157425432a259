// Windows: the ranges of the program that were recorded (--capture-range), and the captures of each alone.
//
// Place in the flow: the parts that the recorded processes wrote, with the lists of their windows -> this -> a folder of
// parts for each window -> capture_parts. A record belongs to the window in which its call or event began; GPU work belongs
// to its launch's, even if it ran when the next one had begun. Losses are counted for a process, so they stand in each of
// its files. Errors: Status with the place. Threads: one.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"

namespace warpsight {

struct WindowsOfPart {
  std::vector<uint64_t> begins_ns;  // rising
  uint64_t ignored = 0;             // that began when there had been enough
};

// The lines of a list: src/capture/process_facts.h. Those that make no sense are left aside.
WindowsOfPart ParseWindows(std::string_view text);
// By "PROCESS-SESSION".
std::map<std::string, WindowsOfPart> WindowsOf(const std::string& folder);

// Makes FOLDER/window-1, window-2, ..., each with the parts of the processes that had so many. How many there are.
Result<size_t> SplitWindows(const std::string& folder, const std::map<std::string, WindowsOfPart>& windows);
std::string WindowFolder(const std::string& folder, size_t number);

}  // namespace warpsight
