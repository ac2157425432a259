#include "analysis/counters/comparable_name.h"

#include <gtest/gtest.h>

namespace warpsight {
namespace {

TEST(ComparableNameTest, BothDemanglersGiveTheSame) {
  const std::string gnu =
      "void at::native::vectorized_elementwise_kernel<8, at::native::(anonymous namespace)::Add<c10::Half>, "
      "std::array<char*, "
      "3ul>, true>(int, at::native::Add<c10::Half>, std::array<char*, 3ul>)";
  const std::string edg =
      "void at::native::vectorized_elementwise_kernel<(int)8, at::native::<unnamed>::Add<c10::Half>, std::array<char *, "
      "(unsigned long)3>, (bool)1>(int, T2, T3)";
  EXPECT_EQ(MakeComparableName(gnu).whole, MakeComparableName(edg).whole);
  EXPECT_EQ(MakeComparableName(gnu).whole,
            "at::native::vectorized_elementwise_kernel<8,at::native::?::Add<c10::Half>,std::array<char*,3>,1>");
  EXPECT_EQ(MakeComparableName(gnu).base, "vectorized_elementwise_kernel");
  EXPECT_TRUE(MakeComparableName(gnu).has_arguments);
  EXPECT_EQ(
      MakeComparableName("void k<f(int const&)::{lambda(float)#2}::operator()() const::{lambda()#1}>(int)").whole,
      MakeComparableName("void k<f(T1)::[lambda(float) (instance 2)]::operator ()() const::[lambda() (instance 1)]>(T1)")
          .whole);
  EXPECT_EQ(MakeComparableName("dot(double const*, unsigned long)").whole,
            MakeComparableName("dot(const double *, unsigned long)").whole);
}

TEST(ComparableNameTest, OtherArgumentsAreOtherKernels) {
  EXPECT_NE(MakeComparableName("void k<4>(int)").whole, MakeComparableName("void k<8>(int)").whole);
  EXPECT_NE(MakeComparableName("void k<unsigned int>(int)").whole, MakeComparableName("void k<unsigned char>(int)").whole);
  EXPECT_NE(MakeComparableName("a::k").whole, MakeComparableName("b::k").whole);
}

TEST(ComparableNameTest, MangledNamesAreDemangled) {
  EXPECT_EQ(MakeComparableName("_Z3dotIfEvPKT_i").base, "dot");
  EXPECT_EQ(MakeComparableName("_Z3dotIfEvPKT_i").whole, MakeComparableName("void dot<float>(float const*, int)").whole);
}

TEST(ComparableNameTest, AnyBytesAreTaken) {
  for (const char* name : {"", "(", "<", "::", "a::", "a<b", "[lambda", "{", "f(", ">>", "_Z", "a<>::b<c>"}) {
    (void)MakeComparableName(name);
  }
  EXPECT_EQ(MakeComparableName("a<>::b<c>").base, "b");
  EXPECT_FALSE(MakeComparableName("a<>::b").has_arguments);
  EXPECT_EQ(MakeComparableName("nvjet_sm90_hsh_64x8").base, "nvjet_sm90_hsh_64x8");
}

TEST(ComparableNameTest, Words) {
  EXPECT_EQ(WordsOfName("f$1<2>"), (std::vector<std::string>{"f", "1", "2"}));
  EXPECT_EQ(WordsOfName("a::k<8,?::Add<c10::Half>>"), (std::vector<std::string>{"a", "k", "8", "Add", "c10", "Half"}));
}

}  // namespace
}  // namespace warpsight
