#include "formats/kernel_name_text.h"

#include <gtest/gtest.h>

#include <string>

namespace warpsight {
namespace {

TEST(KernelNameTextTest, AsTheLinkersToolsPrintIt) {
  EXPECT_EQ(ReadableKernelName("_Z3addPfS_i"), "add(float*, float*, int)");
  EXPECT_EQ(ReadableKernelName("nvjet_sm90_hsh_64x8_64x16_4x1_v_bz_TNT"), "nvjet_sm90_hsh_64x8_64x16_4x1_v_bz_TNT");
  EXPECT_EQ(ReadableKernelName("_Z"), "_Z");
  // Many references, and still small.
  EXPECT_EQ(ReadableKernelName("_ZN2at6native29vectorized_elementwise_kernelILi8ENS0_15CUDAFunctor_"
                               "addIN3c108BFloat16EEESt5arrayIPcLm3EEEEviT0_T1_"),
            "void at::native::vectorized_elementwise_kernel<8, at::native::CUDAFunctor_add<c10::BFloat16>, "
            "std::array<char*, 3ul> >(int, at::native::CUDAFunctor_add<c10::BFloat16>, std::array<char*, 3ul>)");
}

// Every type holds the one before twice: 40 of them would be a text of 10^13 bytes.
TEST(KernelNameTextTest, NamesThatGrowWithoutLimitStayShort) {
  for (const std::string& begin : {std::string("_Z1f1aIiiE"), std::string("_Z1fI1aIiiE")}) {
    std::string name = begin;
    for (int i = 0; i < 40; ++i) {
      const std::string last = "S" + (i < 9 ? std::to_string(i) : std::string(1, static_cast<char>('A' + i - 9))) + "_";
      name += "S_I" + last + last + "E";
    }
    if (begin.find("fI") != std::string::npos) name += "EvT_";
    EXPECT_LE(ReadableKernelName(name).size(), size_t{4} << 20) << name;
  }
}

}  // namespace
}  // namespace warpsight
