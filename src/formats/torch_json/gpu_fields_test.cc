#include "formats/torch_json/gpu_fields.h"

#include <gtest/gtest.h>

namespace warpsight::torch_json {
namespace {

using Triple = std::array<int32_t, 3>;

TEST(ParseTripleTest, ThreeNumbers) {
  EXPECT_EQ(ParseTriple("[16, 1, 1]"), (Triple{16, 1, 1}));
  EXPECT_EQ(ParseTriple("[2147483647,65535,1]"), (Triple{2147483647, 65535, 1}));
  EXPECT_EQ(ParseTriple("[\n  8,\n  4,\n  2\n]"), (Triple{8, 4, 2}));
}

TEST(ParseTripleTest, AnythingElseIsZeros) {
  for (const char* text : {"", "[]", "[1]", "[1, 2]", "[a, b, c]", "[1, 2, 2147483648]"})
    EXPECT_EQ(ParseTriple(text), (Triple{0, 0, 0})) << text;
}

void ExpectCopy(std::string_view name, CopyKind kind, MemoryKind source, MemoryKind destination) {
  const CopyDescription copy = DescribeCopy(name);
  EXPECT_EQ(copy.kind, kind) << name;
  EXPECT_EQ(copy.source, source) << name;
  EXPECT_EQ(copy.destination, destination) << name;
}

TEST(DescribeCopyTest, NamesOfCudaAndRocm) {
  ExpectCopy("Memcpy HtoD (Pinned -> Device)", CopyKind::kHostToDevice, MemoryKind::kPinned, MemoryKind::kDevice);
  ExpectCopy("Memcpy DtoH (Device -> Pageable)", CopyKind::kDeviceToHost, MemoryKind::kDevice, MemoryKind::kPageable);
  ExpectCopy("Memcpy DtoD (Device -> Device)", CopyKind::kDeviceToDevice, MemoryKind::kDevice, MemoryKind::kDevice);
  ExpectCopy("Memcpy PtoP (Device -> Device)", CopyKind::kPeerToPeer, MemoryKind::kDevice, MemoryKind::kDevice);
  ExpectCopy("Memcpy HtoH (Pageable -> Pinned)", CopyKind::kHostToHost, MemoryKind::kPageable, MemoryKind::kPinned);
  ExpectCopy("Memcpy HtoD (Managed -> Array)", CopyKind::kHostToDevice, MemoryKind::kManaged, MemoryKind::kArray);
  ExpectCopy("CopyHostToDevice", CopyKind::kHostToDevice, MemoryKind::kUnknown, MemoryKind::kUnknown);
  ExpectCopy("CopyDeviceToDevice", CopyKind::kDeviceToDevice, MemoryKind::kUnknown, MemoryKind::kUnknown);
  ExpectCopy("Memcpy HtoD (Host -> Device)", CopyKind::kHostToDevice, MemoryKind::kUnknown, MemoryKind::kDevice);
  ExpectCopy("Memcpy (unknown)", CopyKind::kOther, MemoryKind::kUnknown, MemoryKind::kUnknown);
  ExpectCopy("-> (", CopyKind::kOther, MemoryKind::kUnknown, MemoryKind::kUnknown);
}

TEST(DescribeMemsetTest, Memory) {
  EXPECT_EQ(DescribeMemset("Memset (Device)"), MemoryKind::kDevice);
  EXPECT_EQ(DescribeMemset("Memset (Unified)"), MemoryKind::kManaged);
  EXPECT_EQ(DescribeMemset("Memset"), MemoryKind::kUnknown);
}

}  // namespace
}  // namespace warpsight::torch_json
