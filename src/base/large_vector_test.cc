#include "base/large_vector.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <numeric>
#include <utility>

namespace warpsight {
namespace {

TEST(LargeVector, HoldsWhatIsWrittenAtEverySize) {
  for (const size_t count : {size_t{0}, size_t{1}, size_t{1000}, size_t{1} << 20, (size_t{1} << 21) + 3}) {
    LargeVector<uint64_t> values;
    values.resize(count);
    std::iota(values.begin(), values.end(), uint64_t{7});
    LargeVector<uint64_t> copy = values;
    const LargeVector<uint64_t> moved = std::move(values);
    ASSERT_EQ(moved, copy);
    if (count > 0) {
      EXPECT_EQ(copy.back(), 7 + count - 1);
    }
    copy.resize(count / 2);
    copy.shrink_to_fit();
    if (!copy.empty()) {
      EXPECT_EQ(copy.back(), 7 + count / 2 - 1);
    }
  }
}

TEST(LargeVector, Grows) {
  LargeVector<uint32_t> values;
  for (uint32_t i = 0; i < 600'000; ++i) values.push_back(i);
  for (uint32_t i = 0; i < values.size(); ++i) ASSERT_EQ(values[i], i);
}

TEST(LargeVector, RefusesWhatNoMachineHas) {
#ifdef WARPSIGHT_SANITIZED
  GTEST_SKIP() << "AddressSanitizer ends the program instead of throwing";
#endif
  LargeVector<uint64_t> values;
  EXPECT_THROW(values.reserve(static_cast<size_t>(-1) / 16), std::exception);
}

}  // namespace
}  // namespace warpsight
