#include "formats/torch_json/metadata.h"

#include <gtest/gtest.h>

namespace warpsight::torch_json {
namespace {

struct Read {
  TraceHeader header;
  ImportLog log;
};

Read ReadMembers(const TopLevelMembers& members) {
  Read read;
  ReadMetadata(members, read.header, read.log);
  return read;
}

TEST(ReadMetadataTest, Devices) {
  const Read read = ReadMembers(
      {{"deviceProperties",
        R"([{"id": 1, "name": "NVIDIA H200", "totalGlobalMem": 150000000000, "computeMajor": 9, "computeMinor": 0,)"
        R"( "numSms": 132}, {"name": 5, "numSms": "many"}, null, {"id": 99999999999}])"}});
  ASSERT_EQ(read.header.devices.size(), 3u);
  const Device& device = read.header.devices[0];
  EXPECT_EQ(device.id, 1);
  EXPECT_EQ(device.name, "NVIDIA H200");
  EXPECT_EQ(device.total_memory_bytes, 150'000'000'000);
  EXPECT_EQ(device.compute_major, 9);
  EXPECT_EQ(device.sm_count, 132);
  EXPECT_EQ(read.header.devices[1].name, "");
  EXPECT_EQ(read.header.devices[1].id, 1);  // its place, when the file does not say
  EXPECT_EQ(read.header.devices[1].sm_count, -1);
  EXPECT_EQ(read.header.devices[2].id, 2);
  EXPECT_TRUE(read.log.causes().empty());
}

TEST(ReadMetadataTest, ClockNameAndRank) {
  const Read read = ReadMembers({{"baseTimeNanoseconds", "1720000000000000123"},
                                 {"traceName", R"("a\/b.json")"},
                                 {"distributedInfo", R"({"backend": "nccl", "rank": 3, "world_size": 8})"}});
  const RecordingInfo& info = read.header.recording;
  EXPECT_TRUE(info.has_clock_base);
  EXPECT_EQ(info.clock_base_ns, 1720000000000000123);
  EXPECT_EQ(info.trace_name, "a/b.json");
  EXPECT_EQ(info.rank, 3);
  EXPECT_EQ(info.world_size, 8);
  EXPECT_EQ(info.backend, "nccl");
}

TEST(ReadMetadataTest, NumbersInQuotes) {
  EXPECT_EQ(ReadMembers({{"baseTimeNanoseconds", "\"17\""}}).header.recording.clock_base_ns, 17);
}

TEST(ReadMetadataTest, AllFactsAreKeptAsText) {
  const Read read =
      ReadMembers({{"schemaVersion", "1"}, {"cupti_version", "22"}, {"displayTimeUnit", "\"ms\""}, {"x", "{\"y\": 1}"}});
  EXPECT_EQ(read.header.recording.version, "schemaVersion 1; cupti_version 22");
  ASSERT_EQ(read.header.recording.properties.size(), 4u);
  EXPECT_EQ(read.header.recording.properties[2], (std::pair<std::string, std::string>("displayTimeUnit", "ms")));
  EXPECT_EQ(read.header.recording.properties[3].second, "{\"y\": 1}");
}

TEST(ReadMetadataTest, DamageIsNoted) {
  const Read read =
      ReadMembers({{"deviceProperties", "[{\"id\": }]"}, {"distributedInfo", "5"}, {"baseTimeNanoseconds", "1.5"}});
  EXPECT_EQ(read.log.count("damaged_metadata"), 3);
  EXPECT_FALSE(read.header.recording.has_clock_base);
  EXPECT_EQ(read.header.recording.rank, -1);
}

}  // namespace
}  // namespace warpsight::torch_json
