// What the names of the kernels of all sample recordings tell: no name may break the decoder, and nearly every GEMM and
// attention kernel of our own recordings says its types and its tile. The shares are printed.
#include <gtest/gtest.h>

#include <iostream>
#include <set>
#include <string>

#include "analysis/kernel_family.h"
#include "analysis/kernel_name/decoded_kernel_name.h"
#include "formats/open_trace.h"
#include "shared_data.h"

namespace warpsight::kernel_name_coverage_test {
namespace {

struct Shares {
  size_t names = 0;
  size_t decoded = 0;
  size_t multiplications = 0;  // names of the families gemm and attention
  size_t with_tile = 0;
  size_t with_type_and_tile = 0;
  std::set<std::string> without;
};

bool TellsType(const DecodedKernelName& decoded) { return !decoded.a_type.empty() || !decoded.accumulate_type.empty(); }

Shares SharesOf(const std::string& folder) {
  std::set<std::string> names;
  for (const std::string& file : testing::SharedFiles(folder)) {
    if (file.find(".json") == std::string::npos || file.find("keyavg") != std::string::npos) continue;
    const Result<Trace> trace = OpenTrace(file, {});
    if (!trace.ok()) continue;
    for (uint32_t row = 0; row < trace->gpu().size(); ++row) {
      if (trace->gpu().kind[row] == GpuKind::kKernel) names.emplace(trace->Text(trace->gpu().name[row]));
    }
  }
  Shares shares;
  for (const std::string& name : names) {
    ++shares.names;
    const std::optional<DecodedKernelName> decoded = DecodeKernelName(name);
    if (decoded) {
      ++shares.decoded;
      EXPECT_FALSE(ShortLabel(*decoded).empty()) << name;
    }
    const std::string_view family = KernelFamilies::Embedded().Classify(name);
    if (family != "gemm" && family != "attention") continue;
    ++shares.multiplications;
    const bool tile = decoded && decoded->tile.told();
    if (tile) ++shares.with_tile;
    if (tile && TellsType(*decoded)) ++shares.with_type_and_tile;
    if (!tile) shares.without.insert(name);
  }
  return shares;
}

void Print(const Shares& shares) {
  std::cout << shares.names << " names, " << shares.decoded << " decoded; " << shares.multiplications
            << " of GEMM and attention, " << shares.with_tile << " tell the tile, " << shares.with_type_and_tile
            << " type and tile; without:\n";
  for (const std::string& name : shares.without) std::cout << "  " << name.substr(0, 120) << "\n";
}

TEST(KernelNameCoverageTest, OurRecordings) {
  const Shares shares = SharesOf("h200/torch");
  if (shares.names == 0) GTEST_SKIP() << "no recordings in " << testing::SharedData();
  Print(shares);
  EXPECT_EQ(shares.decoded, shares.names);
  EXPECT_GE(shares.with_tile * 10, shares.multiplications * 8);
}

TEST(KernelNameCoverageTest, OtherRecordings) {
  const Shares shares = SharesOf("public/torch");
  if (shares.names == 0) GTEST_SKIP() << "no recordings in " << testing::SharedData();
  Print(shares);
  EXPECT_GE(shares.decoded * 10, shares.names * 9);
  EXPECT_GE(shares.with_type_and_tile * 10, shares.multiplications * 8);
}

}  // namespace
}  // namespace warpsight::kernel_name_coverage_test
