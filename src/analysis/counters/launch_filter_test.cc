#include "analysis/counters/launch_filter.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

namespace warpsight {
namespace {

std::vector<ComparableName> Names(const std::vector<std::string>& texts) {
  std::vector<ComparableName> names;
  for (const std::string& text : texts) names.push_back(MakeComparableName(text));
  return names;
}

TEST(LaunchFilterTest, AFunctionOfOneKernelIsNamedAsItIs) {
  const std::vector<ComparableName> names = Names({"void at::softmax<float, 4>(int)", "gemm"});
  EXPECT_EQ(MakeLaunchFilter(names, 0).options, "--kernel-name softmax");
  EXPECT_EQ(MakeLaunchFilter(names, 0).passed, (std::vector<size_t>{0}));
  EXPECT_EQ(MakeLaunchFilter(names, 1).options, "--kernel-name gemm");
}

TEST(LaunchFilterTest, KernelsThatShareAFunctionAreToldApartByTheirArguments) {
  const std::vector<std::string> texts = {"void k<8, Add<c10::Half>, std::array<char*, 3ul>, true>(int)",
                                          "void k<8, Mul<c10::Half>, std::array<char*, 3ul>, true>(int)",
                                          "void k<18, Add<c10::Half>, std::array<char*, 3ul>, true>(int)"};
  const LaunchFilter filter = MakeLaunchFilter(Names(texts), 0);
  EXPECT_EQ(filter.passed, (std::vector<size_t>{0}));
  EXPECT_TRUE(filter.options.starts_with("--kernel-name-base demangled --kernel-name 'regex:")) << filter.options;
  const std::regex pattern(filter.pattern.substr(6));
  EXPECT_TRUE(std::regex_search(texts[0], pattern));
  EXPECT_FALSE(std::regex_search(texts[1], pattern));
  EXPECT_FALSE(std::regex_search(texts[2], pattern));
  // As Nsight Compute writes it.
  const std::string edg = "void k<(int)8, Add<c10::Half>, std::array<char *, (unsigned long)3>, (bool)1>(int)";
  EXPECT_TRUE(std::regex_search(edg, pattern));
}

// What the pattern cannot tell apart is counted as well.
TEST(LaunchFilterTest, KernelsThatPassTooAreNamed) {
  const std::vector<ComparableName> names = Names({"void k<float>(int)", "void k<float, 2>(int)", "void k<int>(int)"});
  EXPECT_EQ(MakeLaunchFilter(names, 0).passed, (std::vector<size_t>{0, 1}));
  EXPECT_EQ(MakeLaunchFilter(names, 1).passed, (std::vector<size_t>{1}));
  // The pattern meets the parameters, too.
  EXPECT_EQ(MakeLaunchFilter(Names({"void k<float>(int)", "void k<int>(float)"}), 0).passed, (std::vector<size_t>{0, 1}));
}

TEST(LaunchFilterTest, ShortNamesPassAllOfTheFunction) {
  const std::vector<ComparableName> names = Names({"k", "void k<int>(int)"});
  EXPECT_EQ(MakeLaunchFilter(names, 0).options, "--kernel-name k");
  EXPECT_EQ(MakeLaunchFilter(names, 0).passed, (std::vector<size_t>{0, 1}));
}

TEST(LaunchFilterTest, ForeignNamesStayInTheirQuotes) {
  for (const char* text : {"", "'; rm -rf /", "$(x)", "a b", "\"", "k<'>"}) {
    const std::string options = MakeLaunchFilter(Names({text}), 0).options;
    const size_t quotes = static_cast<size_t>(std::count(options.begin(), options.end(), '\''));
    EXPECT_TRUE(quotes == 0 || quotes == 2) << options;
    if (quotes == 0) EXPECT_EQ(options.find_first_of("$;\"`()"), std::string::npos) << options;
  }
}

}  // namespace
}  // namespace warpsight
