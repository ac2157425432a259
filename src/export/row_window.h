// RowWindow: which rows of a trace an export takes, and the part of each that lies in its window.
//
// Place in the flow: ExportRequest -> exporters, one question a row. Units: ns. Threads: one; it counts what it cuts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>

#include "base/time.h"
#include "export/exporter.h"

namespace warpsight {

class RowWindow {
 public:
  explicit RowWindow(const ExportRequest& request) : window_(request.window), device_(request.device) {}

  // False when the row lies outside; else `row` becomes what lies inside. A row without length lies where it starts.
  bool Take(Interval& row) {
    if (!window_) return true;
    const bool inside = row.end > row.start ? row.end > window_->start && row.start < window_->end : TakesPoint(row.start);
    if (!inside) return false;
    const Interval part{std::max(row.start, window_->start), std::min(row.end, window_->end)};
    cut_ += part == row ? 0 : 1;
    row = part;
    return true;
  }
  bool TakesPoint(Ns time) const { return !window_ || window_->Contains(time); }
  // Rows of no device (-1) are taken.
  bool TakesDevice(int32_t device) const { return !device_ || device < 0 || device == *device_; }
  bool takes_all() const { return !window_ && !device_; }
  int64_t cut() const { return cut_; }

 private:
  std::optional<Interval> window_;
  std::optional<int32_t> device_;
  int64_t cut_ = 0;
};

}  // namespace warpsight
