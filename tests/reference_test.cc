// The key averages of every sample recording and of random ones, against the plain slow reference, to the nanosecond.
#include <gtest/gtest.h>

#include <iostream>
#include <random>
#include <string>
#include <vector>

#include "analysis/key_averages_pass.h"
#include "formats/open_trace.h"
#include "reference/key_averages_reference.h"
#include "shared_data.h"
#include "trace/trace_builder.h"

namespace warpsight::reference_test {
namespace {

reference::Rows RowsOf(const Trace& trace) {
  reference::Rows rows;
  for (const KeyAverageRow& row : ComputeKeyAverages(trace, {}, {}).rows) {
    const std::string name(row.name);
    reference::Row& out = rows[{std::string(KeyAverageKindName(row.kind)), name}];
    out = {row.calls, row.self_cpu_ns.value_or(0), row.cpu_ns.value_or(0), row.self_gpu_ns.value_or(0),
           row.gpu_ns.value_or(0)};
  }
  return rows;
}

// Annotation spans are no rows of ours, and the CPU columns of api and overhead rows are all they have.
reference::Rows Comparable(reference::Rows rows) {
  std::erase_if(rows, [](const auto& row) { return row.first.first == "span"; });
  for (auto& [key, row] : rows) {
    if (key.first == "api" || key.first == "overhead") row.self_gpu_ns = row.gpu_ns = 0;
  }
  return rows;
}

void ExpectSame(const reference::Rows& expected, const reference::Rows& seen, const std::string& what) {
  for (const auto& [key, row] : expected) {
    const auto found = seen.find(key);
    ASSERT_NE(found, seen.end()) << what << ": missing " << key.first << " " << key.second;
    const reference::Row& other = found->second;
    EXPECT_EQ(row.calls, other.calls) << what << ": " << key.second;
    EXPECT_EQ(row.self_cpu_ns, other.self_cpu_ns) << what << ": " << key.second;
    EXPECT_EQ(row.cpu_ns, other.cpu_ns) << what << ": " << key.second;
    EXPECT_EQ(row.self_gpu_ns, other.self_gpu_ns) << what << ": " << key.second;
    EXPECT_EQ(row.gpu_ns, other.gpu_ns) << what << ": " << key.second;
  }
  EXPECT_EQ(expected.size(), seen.size()) << what;
}

// Recordings that were imported with repairs are left out: what a repair does is tested with the importer.
TEST(KeyAveragesReferenceTest, EverySampleRecording) {
  int compared = 0;
  int left_out = 0;
  for (const char* folder : {"h200/torch", "public/torch"}) {
    for (const std::string& file : testing::SharedFiles(folder)) {
      if (file.find(".json") == std::string::npos || file.find("keyavg") != std::string::npos) continue;
      const std::optional<reference::Recording> recording = reference::ReadRecording(file);
      const Result<Trace> trace = OpenTrace(file, {});
      if (!recording || !trace.ok() || trace->log().repaired() + trace->log().excluded() > 0) {
        ++left_out;
        continue;
      }
      ExpectSame(Comparable(reference::KeyAverages(*recording)), RowsOf(*trace), file);
      ++compared;
    }
  }
  std::cout << compared << " recordings compared, " << left_out
            << " left out (not sound, or of a kind the reference does not read)\n";
  if (compared == 0) GTEST_SKIP() << "no recordings in " << testing::SharedData();
}

// A few names and short times on a small clock, so that equal starts, empty events, partial overlaps, same-name chains and
// equal ids all happen often.
class RandomRecording {
 public:
  explicit RandomRecording(uint32_t seed) : random_(seed) {}

  reference::Recording Make() {
    reference::Recording recording;
    const int events = Pick(1, 60);
    for (int i = 0; i < events; ++i) recording.host.push_back(HostEvent(i));
    const int works = Pick(0, 40);
    for (int i = 0; i < works; ++i) {
      const int64_t start_ns = Pick(0, 200);
      recording.gpu.push_back({Name(), static_cast<reference::GpuClass>(Pick(0, 2)), start_ns, start_ns + Pick(0, 30),
                               Pick(0, 3) == 0 ? 0 : Pick(1, events), Pick(0, events)});
    }
    return recording;
  }

 private:
  int Pick(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random_); }
  std::string Name() { return std::string(1, static_cast<char>('a' + Pick(0, 3))); }

  // Ids are unique among the events that can have them: files with duplicate ids are tested with the sealer.
  reference::HostRecord HostEvent(int number) {
    reference::HostRecord event;
    event.kind = static_cast<reference::HostClass>(Pick(0, 3));
    event.name = Pick(0, 9) == 0 && event.kind == reference::HostClass::kAnnotation
                     ? "ProfilerStep#" + std::to_string(number)
                     : Name();
    event.on_no_thread = event.kind == reference::HostClass::kOverhead && Pick(0, 1) == 0;
    event.thread = event.on_no_thread ? "-1/0" : "7/" + std::to_string(Pick(1, 2));
    event.start_ns = Pick(0, 100);
    event.end_ns = event.start_ns + (Pick(0, 4) == 0 ? 0 : Pick(0, 100));
    event.external_id = number + 1;
    event.correlation = event.kind == reference::HostClass::kApi ? number + 1 : 0;
    return event;
  }

  std::mt19937 random_;
};

HostKind KindOf(reference::HostClass kind) {
  switch (kind) {
    case reference::HostClass::kApi:
      return HostKind::kApi;
    case reference::HostClass::kAnnotation:
      return HostKind::kRange;
    case reference::HostClass::kOverhead:
      return HostKind::kOverhead;
    default:
      return HostKind::kOp;
  }
}

Trace Build(const reference::Recording& recording) {
  TraceBuilder builder;
  for (const reference::HostRecord& event : recording.host) {
    HostEventRow row;
    const size_t slash = event.thread.find('/');
    row.thread = builder.names().InternThread(event.thread.substr(0, slash), event.thread.substr(slash + 1));
    row.name = builder.Intern(event.name);
    row.kind = KindOf(event.kind);
    row.start_ns = event.start_ns;
    row.duration_ns = event.end_ns - event.start_ns;
    row.external_id = static_cast<uint32_t>(event.external_id);
    row.correlation = static_cast<uint32_t>(event.correlation);
    builder.Add(row);
  }
  for (const reference::GpuRecord& work : recording.gpu) {
    GpuWorkRow row;
    row.stream = builder.names().InternStream(0, 7, kAbsent);
    row.name = builder.Intern(work.name);
    row.kind = static_cast<GpuKind>(work.kind);
    row.start_ns = work.start_ns;
    row.duration_ns = work.end_ns - work.start_ns;
    row.external_id = static_cast<uint32_t>(work.external_id);
    row.correlation = static_cast<uint32_t>(work.correlation);
    builder.Add(row);
  }
  return std::move(builder).Seal();
}

TEST(KeyAveragesReferenceTest, RandomRecordings) {
  for (uint32_t seed = 1; seed <= 3000; ++seed) {
    const reference::Recording recording = RandomRecording(seed).Make();
    ExpectSame(Comparable(reference::KeyAverages(recording)), RowsOf(Build(recording)), "seed " + std::to_string(seed));
    if (::testing::Test::HasFailure()) return;
  }
}

}  // namespace
}  // namespace warpsight::reference_test
