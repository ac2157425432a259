// A progress line on standard error: only when that is a terminal and the work takes over a second.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace warpsight {

class Progress {
 public:
  // `quiet` shows nothing.
  Progress(std::string what, bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  // Called often; draws at most ten times a second.
  void Update(int64_t done_bytes, int64_t total_bytes);

 private:
  std::string what_;
  bool enabled_ = false;
  bool drawn_ = false;
  std::chrono::steady_clock::time_point started_;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace warpsight
