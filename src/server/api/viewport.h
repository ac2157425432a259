// Viewport: a range of time shown at a number of pixels, and which pixel a time lies in.
//
// Pixel k of n holds the times t with floor((t - start) n / (end - start)) = k: whole numbers decide, never a double. Units:
// ns on the trace's clock. Errors: none. Threads: immutable.
#pragma once

#include <cstdint>

#include "base/time.h"

namespace warpsight::server {

class Viewport {
 public:
  // `end` is after `start`, and there is at least one pixel.
  Viewport(Ns start, Ns end, uint32_t pixels)
      : start_(start), end_(end), range_(static_cast<uint64_t>(end) - static_cast<uint64_t>(start)), pixels_(pixels) {}

  Ns start() const { return start_; }
  Ns end() const { return end_; }
  uint32_t pixels() const { return pixels_; }
  // The least duration that is as wide as a pixel.
  uint64_t pixel_ns() const { return range_ / pixels_ + (range_ % pixels_ == 0 ? 0 : 1); }

  // Of a time within the range.
  uint64_t PixelOf(Ns time) const {
    const uint64_t offset = static_cast<uint64_t>(time) - static_cast<uint64_t>(start_);
    if (range_ < kSmallRange) return offset * pixels_ / range_;
    return static_cast<uint64_t>(Wide{offset} * pixels_ / range_);
  }
  // The first time behind the pixel; the end of the range behind the last.
  Ns PixelEnd(uint64_t pixel) const {
    if (pixel + 1 >= pixels_) return end_;
    const Wide product = Wide{pixel + 1} * range_;
    const uint64_t offset = range_ < kSmallRange ? (static_cast<uint64_t>(product) + pixels_ - 1) / pixels_
                                                 : static_cast<uint64_t>((product + pixels_ - 1) / pixels_);
    return static_cast<Ns>(static_cast<uint64_t>(start_) + offset);
  }

 private:
  // NOLINTNEXTLINE(google-runtime-int): no standard name for it
  using Wide = unsigned __int128;
  // Its products with a number of pixels fit 64 bits, whose division is several times faster.
  static constexpr uint64_t kSmallRange = uint64_t{1} << 46;

  Ns start_;
  Ns end_;
  uint64_t range_;
  uint32_t pixels_;
};

// No more pixels than this are drawn at a time: kSmallRange relies on it.
inline constexpr uint32_t kMostPixels = 1u << 14;

}  // namespace warpsight::server
