#include "formats/nsys_sqlite/nsys_sqlite_importer.h"

#include <gtest/gtest.h>
#include <zstd.h>

#include <fstream>
#include <string>

#include "base/temporary_folder.h"
#include "formats/nsys_sqlite/made_export.h"
#include "formats/open_trace.h"

namespace warpsight {
namespace {

using testing::CudaExport;
using testing::GlobalPid;
using testing::GlobalTid;
using testing::MadeExport;

Trace OpenExport(const std::string& bytes, ImportOptions options = {}) {
  Result<Trace> trace = OpenTraceBytes(bytes, "f.sqlite", options);
  EXPECT_TRUE(trace.ok()) << trace.status().message();
  return std::move(trace).value();
}

std::string RefusedExport(const std::string& bytes) {
  const Result<Trace> trace = OpenTraceBytes(bytes, "f.sqlite", {});
  EXPECT_FALSE(trace.ok());
  if (trace.ok()) return "";
  EXPECT_EQ(trace.status().kind(), StatusKind::kUnreadable);
  EXPECT_EQ(trace.status().message().find('\n'), std::string::npos);
  return trace.status().message();
}

TEST(NsysSqliteImporterTest, AKernelACopyAndTheirCalls) {
  CudaExport made;
  made.Call(100, 110, "cudaLaunchKernel_v7000", 1);
  made.Call(120, 130, "cudaMemcpyAsync_v3020", 2);
  made.Kernel(150, 190, "void gemm<float>(int)", 1);
  made.Copy(200, 230, 4096, 1, 2);
  const Trace trace = OpenExport(made.Bytes());

  ASSERT_EQ(trace.gpu().size(), 2u);
  EXPECT_EQ(trace.Text(trace.gpu().name[0]), "void gemm<float>(int)");
  EXPECT_EQ(trace.gpu().start_ns[0], 150);
  EXPECT_EQ(trace.gpu().end_ns[0], 190);
  const LaunchConfig& config = trace.launch_config(trace.gpu().launch_config[0]);
  EXPECT_EQ(config.grid, (std::array<int32_t, 3>{4, 2, 1}));
  EXPECT_EQ(config.block, (std::array<int32_t, 3>{128, 1, 1}));
  EXPECT_EQ(config.registers_per_thread, 32);
  EXPECT_EQ(config.static_shared_bytes, 16);
  EXPECT_EQ(config.dynamic_shared_bytes, 1024);
  EXPECT_EQ(trace.Text(trace.gpu().name[1]), "Memcpy HtoD (Pageable -> Device)");
  EXPECT_EQ(trace.gpu().bytes[1], 4096);
  EXPECT_EQ(trace.gpu().copy_kind[1], CopyKind::kHostToDevice);
  EXPECT_EQ(trace.gpu().source_memory[1], MemoryKind::kPageable);

  ASSERT_EQ(trace.host().size(), 2u);
  EXPECT_EQ(trace.Text(trace.host().name[0]), "cudaLaunchKernel");
  EXPECT_EQ(trace.Text(trace.host().types[0]), "cudaLaunchKernel_v7000");
  EXPECT_EQ(trace.gpu().launch[0], 0u);
  EXPECT_EQ(trace.gpu().launch[1], 1u);
  EXPECT_EQ(trace.threads()[0].pid, 9);
  EXPECT_EQ(trace.threads()[0].tid, 10);
  EXPECT_EQ(trace.recording().producer, "nsys");
  EXPECT_EQ(trace.log().read(), 4);
  EXPECT_EQ(trace.log().kept(), 4);
}

TEST(NsysSqliteImporterTest, TwoProcessesShareNeitherIdsNorStreams) {
  CudaExport made;
  for (const int64_t pid : {20, 30}) {
    made.Call(100, 110, pid == 20 ? "cudaLaunchKernel" : "cuLaunchKernel", 1, GlobalTid(pid, pid));
    made.Kernel(150, 190, pid == 20 ? "a" : "b", 1, 7, GlobalPid(pid));
  }
  const Trace trace = OpenExport(made.Bytes());
  ASSERT_EQ(trace.gpu().size(), 2u);
  EXPECT_EQ(trace.log().count("duplicate_correlation"), 0);
  EXPECT_NE(trace.gpu().stream[0], trace.gpu().stream[1]);
  for (uint32_t row = 0; row < 2; ++row) {
    const uint32_t launch = trace.gpu().launch[row];
    ASSERT_NE(launch, kNoRow);
    EXPECT_EQ(trace.Text(trace.host().name[launch]),
              trace.Text(trace.gpu().name[row]) == "a" ? "cudaLaunchKernel" : "cuLaunchKernel");
    EXPECT_EQ(trace.threads()[trace.host().thread[launch]].pid, trace.streams()[trace.gpu().stream[row]].process);
  }
  EXPECT_EQ(trace.streams()[0].label, "7 of process 20");
}

TEST(NsysSqliteImporterTest, LargeIdsOfSeveralProcessesAreNumberedAnew) {
  CudaExport made;
  for (const int64_t pid : {20, 30}) {
    made.Call(100, 110, "cudaLaunchKernel", 4294967295, GlobalTid(pid, pid));
    made.Kernel(150, 190, "k", 4294967295, 7, GlobalPid(pid));
  }
  const Trace trace = OpenExport(made.Bytes());
  EXPECT_EQ(trace.attribution().with_launch, 2);
  EXPECT_NE(trace.gpu().launch[0], trace.gpu().launch[1]);
}

TEST(NsysSqliteImporterTest, StreamsOfTwoContextsOfOneProcess) {
  CudaExport made;
  made.Kernel(100, 200, "a", 1, 7, GlobalPid(9), 0, 1);
  made.Kernel(150, 250, "b", 2, 7, GlobalPid(9), 0, 2);
  const Trace trace = OpenExport(made.Bytes());
  ASSERT_EQ(trace.streams().size(), 2u);
  EXPECT_EQ(trace.streams()[0].label, "7, context 1");
  EXPECT_EQ(trace.streams()[1].label, "7, context 2");
}

TEST(NsysSqliteImporterTest, RangesOpsAndDomains) {
  CudaExport made;
  made.Range(0, 1000, "step");
  made.Range(10, 500, "aten::mm, seq = 3, op_id = 17, sizes = [[2, 4], [4, 8]]");
  made.Range(20, 30, "ncclAllReduce", 59, 5);
  made.Range(5, 600, "crossing", 60);
  made.Range(0, 0, "NCCL", 75, 5);
  made.Row("NVTX_EVENTS", "700, NULL, 34, 'a mark', " + std::to_string(GlobalTid(9, 10)) + ", NULL, NULL, 0");
  made.Row("NVTX_EVENTS", "800, NULL, 59, 'still open', " + std::to_string(GlobalTid(9, 10)) + ", NULL, NULL, 0");
  made.Row("NVTX_EVENTS",
           "810, 820, 59, NULL, " + std::to_string(GlobalTid(9, 10)) + ", NULL, " + made.Text("registered") + ", 0");
  made.Call(100, 110, "cudaLaunchKernel", 1);
  made.Kernel(150, 190, "k", 1);
  const Trace trace = OpenExport(made.Bytes());
  const HostEvents& host = trace.host();
  const auto find = [&](std::string_view name) {
    for (uint32_t row = 0; row < host.size(); ++row) {
      if (trace.Text(host.name[row]) == name) return row;
    }
    ADD_FAILURE() << name;
    return uint32_t{0};
  };
  const uint32_t mm = find("aten::mm");
  EXPECT_EQ(host.kind[mm], HostKind::kOp);
  EXPECT_EQ(host.sequence_plus_one[mm], 4u);
  EXPECT_EQ(trace.Text(host.shapes[mm]), "[[2, 4], [4, 8]]");
  EXPECT_TRUE(trace.recording().has_shapes);
  EXPECT_EQ(host.parent[mm], find("step"));
  EXPECT_EQ(trace.gpu().op[0], mm);
  EXPECT_EQ(host.kind[find("step")], HostKind::kRange);
  EXPECT_EQ(trace.Text(host.types[find("ncclAllReduce")]), "NCCL");
  // A start/end range is on a line of its own, so that it takes no children.
  EXPECT_NE(host.thread[find("crossing")], host.thread[mm]);
  EXPECT_EQ(trace.threads()[host.thread[find("crossing")]].label, "10 start/end ranges");
  EXPECT_EQ(host.end_ns[find("still open")], 1000);
  EXPECT_EQ(host.parent[find("registered")], find("still open"));
  EXPECT_EQ(trace.instant_count(), 1);
  EXPECT_EQ(trace.log().read(), 10);
  EXPECT_EQ(trace.log().repaired(), 1);
  EXPECT_EQ(trace.log().count("range_without_end"), 1);
}

TEST(NsysSqliteImporterTest, GraphsAreGpuWork) {
  MadeExport made;
  made.Table("CUPTI_ACTIVITY_KIND_GRAPH_TRACE",
             "start, end, deviceId, contextId, streamId, correlationId, globalPid, graphId, graphExecId");
  made.Row("CUPTI_ACTIVITY_KIND_GRAPH_TRACE", "100, 900, 0, 1, 7, 5, " + std::to_string(GlobalPid(9)) + ", 3, 4");
  const Trace trace = OpenExport(made.Bytes());
  ASSERT_EQ(trace.gpu().size(), 1u);
  EXPECT_EQ(trace.Text(trace.gpu().name[0]), "CUDA graph 3");
  EXPECT_EQ(trace.gpu().graph_id[0], 3u);
  EXPECT_EQ(trace.gpu().duration_ns(0), 800);
}

TEST(NsysSqliteImporterTest, AnyTableOfHostRangesIsRead) {
  MadeExport made;
  const std::string thread = std::to_string(GlobalTid(9, 10));
  made.Table("CUBLAS_EVENTS", "start, end, eventClass, globalTid, nameId");
  made.Row("CUBLAS_EVENTS", "10, 20, 29, " + thread + ", " + made.Text("cublasSgemm"));
  made.Table("MPI_COLLECTIVES_EVENTS", "start, end, globalTid, textId, size");
  made.Row("MPI_COLLECTIVES_EVENTS", "30, 40, " + thread + ", " + made.Text("MPI_Allreduce") + ", 8");
  made.Table("OSRT_API", "start, end, eventClass, globalTid, nameId");
  made.Row("OSRT_API", "50, 60, 27, " + thread + ", " + made.Text("ioctl"));
  made.Row("OSRT_API", "5, 5, 31, " + thread + ", " + made.Text("started"));
  made.Table("SCHED_EVENTS", "start, cpu, isSchedIn, globalTid");
  made.Row("SCHED_EVENTS", "1, 0, 1, " + thread).Row("SCHED_EVENTS", "2, 0, 0, " + thread);
  const Trace trace = OpenExport(made.Bytes());
  ASSERT_EQ(trace.host().size(), 3u);
  EXPECT_EQ(trace.Text(trace.host().name[0]), "cublasSgemm");
  EXPECT_EQ(trace.Text(trace.host().types[0]), "cuBLAS");
  EXPECT_EQ(trace.Text(trace.host().name[1]), "MPI_Allreduce");
  EXPECT_EQ(trace.Text(trace.host().types[2]), "OS runtime");
  EXPECT_EQ(trace.host().kind[2], HostKind::kOther);
  EXPECT_EQ(trace.instant_count(), 1);
  EXPECT_EQ(trace.log().count("unused_sched_events"), 2);
  EXPECT_EQ(trace.log().read(), 6);
  EXPECT_EQ(trace.log().excluded(), 2);
}

TEST(NsysSqliteImporterTest, DevicesOfEveryEra) {
  struct Era {
    std::string table;
    std::string columns;
    std::string values;
  };
  for (const Era& era : {
           Era{"TARGET_INFO_GPU", "vmId, id, name, totalMemory, smCount, computeMajor, computeMinor, cuDevice",
               "0, 0, 'A100', 85095874560, 108, 8, 0, 0"},
           Era{"TARGET_INFO_CUDA_GPU",
               "deviceId, name, globalMemorySize, numMultiprocessors, computeCapabilityMajor, computeCapabilityMinor",
               "0, 'A100', 81154, 108, 8, 0"},
       }) {
    CudaExport made;
    made.Table(era.table, era.columns).Row(era.table, era.values);
    made.Kernel(1, 2, "k", 1);
    const Trace trace = OpenExport(made.Bytes());
    ASSERT_EQ(trace.devices().size(), 1u) << era.table;
    EXPECT_EQ(trace.devices()[0].name, "A100");
    EXPECT_EQ(trace.devices()[0].sm_count, 108);
    EXPECT_EQ(trace.devices()[0].compute_major, 8);
    EXPECT_EQ(trace.devices()[0].compute_minor, 0);
    EXPECT_EQ(trace.devices()[0].total_memory_bytes >> 30, 79);
  }
}

// Two processes that each see one GPU as their device 0.
TEST(NsysSqliteImporterTest, OrdinalsOfTwoProcessesMeanTwoGpus) {
  CudaExport made;
  made.Table("TARGET_INFO_CUDA_DEVICE", "gpuId, cudaId, pid");
  made.Row("TARGET_INFO_CUDA_DEVICE", "3, 0, 20").Row("TARGET_INFO_CUDA_DEVICE", "5, 0, 30");
  made.Kernel(100, 200, "a", 1, 7, GlobalPid(20));
  made.Kernel(100, 200, "b", 1, 7, GlobalPid(30));
  const Trace trace = OpenExport(made.Bytes());
  EXPECT_EQ(trace.device_of(0), 3);
  EXPECT_EQ(trace.device_of(1), 5);
}

TEST(NsysSqliteImporterTest, DamagedRowsAreCounted) {
  CudaExport made;
  made.Kernel(100, 90, "backwards", 1);
  made.Row("CUPTI_ACTIVITY_KIND_KERNEL", "NULL, 5, 0,1,7,1,0, 0,0,0,0,0,0,0,0,0,0,0,0");
  made.Row("CUPTI_ACTIVITY_KIND_KERNEL", "'noon', 5, 0,1,7,1,0, 0,0,0,0,0,0,0,0,0,0,0,0");
  made.Row("CUPTI_ACTIVITY_KIND_KERNEL", "5, NULL, 0,1,7,1,0, 0,0,0,0,0,0,0,0,0,0,0,0");
  made.Row("CUPTI_ACTIVITY_KIND_KERNEL", "5, 9223372036854775807, 0,1,7,1,0, 0,0,0,0,0,0,0,0,0,0,0,0");
  made.Row("CUPTI_ACTIVITY_KIND_KERNEL", "5, 6, 0,1,7,1,0, 77,77,0,0,0,0,0,0,0,0,0,0");
  made.Row("CUPTI_ACTIVITY_KIND_RUNTIME", "5, 6, 0, NULL, 1, 77, 0");
  const Trace trace = OpenExport(made.Bytes());
  EXPECT_EQ(trace.gpu().size(), 4u);
  EXPECT_EQ(trace.host().size(), 0u);
  EXPECT_EQ(trace.log().read(), 7);
  EXPECT_EQ(trace.log().excluded(), 3);
  EXPECT_EQ(trace.log().repaired(), 4);
  EXPECT_EQ(trace.log().count("negative_duration"), 1);
  EXPECT_EQ(trace.log().count("absurd_duration"), 1);
  EXPECT_EQ(trace.log().count("missing_name"), 2);
}

TEST(NsysSqliteImporterTest, PartsAndWorkersDoNotShow) {
  CudaExport made;
  for (int i = 0; i < 50; ++i) {
    made.Call(100 * i, 100 * i + 10, i % 3 == 0 ? "cudaLaunchKernel" : "cuLaunchKernel", i + 1, GlobalTid(9 + i % 2, 10));
    made.Kernel(100 * i + 20, 100 * i + 60, "k" + std::to_string(i % 7), i + 1, 7 + i % 3, GlobalPid(9 + i % 2));
    made.Range(100 * i, 100 * i + 90, "r" + std::to_string(i % 5), 59, 0, GlobalTid(9 + i % 2, 10));
  }
  const std::string bytes = made.Bytes();
  const Trace whole = OpenExport(bytes);
  for (const int threads : {1, 3}) {
    ImportOptions options;
    options.threads = threads;
    options.block_bytes = 7;
    const Trace cut = OpenExport(bytes, options);
    ASSERT_EQ(cut.host().size(), whole.host().size());
    ASSERT_EQ(cut.gpu().size(), whole.gpu().size());
    for (uint32_t row = 0; row < whole.host().size(); ++row) {
      EXPECT_EQ(cut.host().start_ns[row], whole.host().start_ns[row]);
      EXPECT_EQ(cut.Text(cut.host().name[row]), whole.Text(whole.host().name[row]));
      EXPECT_EQ(cut.host().correlation[row], whole.host().correlation[row]);
    }
    for (uint32_t row = 0; row < whole.gpu().size(); ++row) {
      EXPECT_EQ(cut.gpu().launch[row], whole.gpu().launch[row]);
      EXPECT_EQ(cut.gpu().stream[row], whole.gpu().stream[row]);
    }
  }
}

// A row number that a bit turned: searches miss rows and the end of a part comes early, and SQLite says nothing of it.
TEST(NsysSqliteImporterTest, RowNumbersOutOfOrderAreSaid) {
  constexpr int kRows = 50;
  constexpr Ns kFirst = 0x1122334455667700;
  CudaExport made;
  for (int i = 0; i < kRows; ++i) made.Range(kFirst + i, kFirst + i + 1, "r", 59, 0, GlobalTid(9, 10));
  const std::string bytes = made.Bytes();
  for (const int row : {0, 1, 5, 20, 37, 48, 49}) {
    // A cell is: length, row number, length of the header, 8 types, then the first column, big-endian.
    std::string start("\x11\x22\x33\x44\x55\x66\x77", 7);
    start += static_cast<char>(row);
    const size_t number = bytes.find(start) - 10;
    ASSERT_EQ(bytes[number], row + 1);
    for (const int damage : {0, 3, row, row + 2, 30, 51, 100}) {
      if (row < damage && (damage < row + 2 || row == kRows - 1)) continue;  // in order all the same
      std::string damaged = bytes;
      damaged[number] = static_cast<char>(damage);
      for (const size_t part : {size_t{0}, size_t{1}, size_t{7}, size_t{1'000'000}}) {
        if (row == 0 && damage == 0) continue;
        // A search may find the damaged number in place of the one that a part begins with: that alone is not seen.
        const bool adjacent = damage == row || damage == row + 2;
        if (part <= 1 && damage >= 1 && damage <= kRows && !adjacent) continue;
        ImportOptions options;
        options.threads = 2;
        options.block_bytes = part;
        const Trace trace = OpenExport(damaged, options);
        EXPECT_GT(trace.log().count("damaged_table"), 0) << "row " << row << " as " << damage << " in parts of " << part;
        if (part == 1'000'000) {
          EXPECT_EQ(trace.log().read(), kRows);  // in one part every row is met all the same
        }
      }
    }
  }
}

TEST(NsysSqliteImporterTest, CompressedExports) {
  CudaExport made;
  made.Kernel(1, 2, "k", 1);
  const std::string bytes = made.Bytes();
  std::string packed(ZSTD_compressBound(bytes.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), bytes.data(), bytes.size(), 1));
  EXPECT_EQ(OpenExport(packed).gpu().size(), 1u);
}

TEST(NsysSqliteImporterTest, RefusesWhatIsNoExport) {
  EXPECT_NE(RefusedExport(MadeExport().Table("addresses", "name, street").Bytes()).find("no Nsight Systems export"),
            std::string::npos);
  EXPECT_NE(RefusedExport(MadeExport().Table("StringTable", "_id_, value").Bytes()).find("nvprof"), std::string::npos);
  EXPECT_NE(RefusedExport(std::string("SQLite format 3\0garbage", 23)).find("cannot be read"), std::string::npos);
}

TEST(NsysSqliteImporterTest, CodeInTheSchemaIsNotRun) {
  CudaExport made;
  made.Kernel(1, 2, "k", 1);
  made.Run("CREATE VIEW OSRT_API AS SELECT abs(-9223372036854775808) AS start, 1 AS end, 1 AS globalTid, 1 AS nameId");
  made.Run("CREATE TABLE CUDNN_EVENTS (start, end, globalTid, nameId AS (" + made.Text("made up") + "), text)");
  made.Run("INSERT INTO CUDNN_EVENTS VALUES (1, 2, 3, 'cudnn')");
  made.Run("CREATE VIRTUAL TABLE VULKAN_API USING fts4(start, end, globalTid, text)");
  const Trace trace = OpenExport(made.Bytes());
  EXPECT_EQ(trace.gpu().size(), 1u);
  ASSERT_EQ(trace.host().size(), 1u);
  EXPECT_EQ(trace.Text(trace.host().name[0]), "cudnn");  // the column that would be computed is as good as absent
  EXPECT_EQ(trace.log().count("views_not_read"), 2);
}

TEST(NsysSqliteImporterTest, TableWithoutRowNumbers) {
  MadeExport made;
  made.Run("CREATE TABLE CUBLAS_EVENTS (start INTEGER PRIMARY KEY, end, globalTid, text) WITHOUT ROWID");
  made.Row("CUBLAS_EVENTS", "10, 20, 3, 'a'").Row("CUBLAS_EVENTS", "30, 40, 3, 'b'");
  EXPECT_EQ(OpenExport(made.Bytes()).host().size(), 2u);
}

// Cut anywhere, an export is refused in one line or opens with what is left; nothing crashes.
TEST(NsysSqliteImporterTest, CutOffAnywhere) {
  CudaExport made;
  for (int i = 0; i < 400; ++i) {
    made.Call(100 * i, 100 * i + 10, "cudaLaunchKernel", i + 1);
    made.Kernel(100 * i + 20, 100 * i + 60, "k" + std::to_string(i), i + 1);
  }
  const std::string bytes = made.Bytes();
  int64_t opened = 0;
  for (size_t size = 0; size < bytes.size(); size += 1024) {
    const Result<Trace> trace = OpenTraceBytes(std::string_view(bytes).substr(0, size), "f", {});
    if (!trace.ok()) {
      EXPECT_EQ(trace.status().kind(), StatusKind::kUnreadable);
      continue;
    }
    ++opened;
    EXPECT_EQ(trace->log().count("cut_off_file"), 1);
  }
  EXPECT_GT(opened, 0);
}

TEST(NsysSqliteImporterTest, GpuMetricsAreCounters) {
  CudaExport made;
  made.Call(100, 110, "cudaLaunchKernel_v7000", 1);
  made.Kernel(150, 190, "k", 1);
  made.Table("TARGET_INFO_GPU", "id, cuDevice, name, smCount").Row("TARGET_INFO_GPU", "3, 0, 'H200', 132");
  made.Table("TARGET_INFO_CUDA_DEVICE", "gpuId, cudaId, pid").Row("TARGET_INFO_CUDA_DEVICE", "3, 0, 9");
  made.Table("TARGET_INFO_GPU_METRICS", "typeId, sourceId, typeName, metricId, metricName");
  // The lowest byte of a type is nsys's number of the GPU.
  const std::string ours = std::to_string((int64_t{1} << 56) + 3);
  const std::string other = std::to_string((int64_t{1} << 56) + 5);
  made.Row("TARGET_INFO_GPU_METRICS", ours + ", 1, 'GPU Metrics [3]', 0, 'GPC Clock Frequency [MHz]'");
  made.Row("TARGET_INFO_GPU_METRICS", ours + ", 1, 'GPU Metrics [3]', 7, 'SMs Active [Throughput %]'");
  made.Table("GPU_METRICS", "rawTimestamp, timestamp, typeId, metricId, value");
  made.Row("GPU_METRICS", "0, 200, " + ours + ", 7, 40");
  made.Row("GPU_METRICS", "0, 100, " + ours + ", 0, 1980000000");
  made.Row("GPU_METRICS", "0, 100, " + ours + ", 7, 95");
  made.Row("GPU_METRICS", "0, 100, " + other + ", 2, 1");
  made.Row("GPU_METRICS", "0, NULL, " + ours + ", 7, 1");
  made.Row("GPU_METRICS", "0, 300, " + ours + ", 7, 'x'");
  const Trace trace = OpenExport(made.Bytes());

  ASSERT_EQ(trace.counters().size(), 3u);
  const CounterSeries& unknown = trace.counters()[0];
  EXPECT_EQ(trace.Text(unknown.name), "GPU metric 2");
  EXPECT_EQ(trace.Text(unknown.process), "GPU 5 of the machine");
  EXPECT_EQ(unknown.device, -1);
  const CounterSeries& clock = trace.counters()[1];
  EXPECT_EQ(trace.Text(clock.name), "GPC Clock Frequency");
  // Stored in Hz, whatever the name says.
  EXPECT_EQ(trace.Text(clock.unit), "Hz");
  EXPECT_EQ(clock.device, 0);
  EXPECT_EQ(trace.counter_samples().value[clock.first], 1'980'000'000);
  const CounterSeries& active = trace.counters()[2];
  EXPECT_EQ(trace.Text(active.unit), "Throughput %");
  ASSERT_EQ(active.size(), 2u);
  EXPECT_EQ(trace.counter_samples().time_ns[active.first], 100);
  EXPECT_EQ(trace.counter_samples().value[active.first], 95);
  EXPECT_EQ(trace.counter_samples().value[active.first + 1], 40);
  EXPECT_EQ(trace.instant_count(), 0);
  EXPECT_EQ(trace.log().count("missing_timestamp"), 1);
  EXPECT_EQ(trace.log().count("bad_counter_value"), 1);
}

TEST(NsysSqliteImporterTest, SamplesHaveTheirStacks) {
  MadeExport made;
  const std::string thread = std::to_string(GlobalTid(9, 10));
  made.Table("COMPOSITE_EVENTS", "id INTEGER PRIMARY KEY, start, cpu, threadState, globalTid, cpuCycles");
  made.Table("SAMPLING_CALLCHAINS", "id, symbol, module, kernelMode, thumbCode, unresolved, stackDepth");
  const std::string main = made.Text("main");
  const std::string compute = made.Text("compute");
  const std::string module = made.Text("/bin/program");
  const std::string kernel = made.Text("[kernel.kallsyms]");
  made.Row("COMPOSITE_EVENTS", "1, 200, 0, 1, " + thread + ", 1").Row("COMPOSITE_EVENTS", "2, 100, 0, 1, " + thread + ", 1");
  made.Row("COMPOSITE_EVENTS", "3, 300, 0, 1, " + thread + ", 1").Row("COMPOSITE_EVENTS", "4, 400, 0, 1, NULL, 1");
  made.Row("COMPOSITE_EVENTS", "5, NULL, 0, 1, " + thread + ", 1");
  // Rows may stand in any order.
  made.Row("SAMPLING_CALLCHAINS", "1, " + main + ", " + module + ", NULL, NULL, NULL, 1");
  made.Row("SAMPLING_CALLCHAINS", "2, " + compute + ", " + module + ", 0, 0, 0, 0");
  made.Row("SAMPLING_CALLCHAINS", "1, " + compute + ", " + module + ", NULL, NULL, NULL, 0");
  made.Row("SAMPLING_CALLCHAINS", "2, " + main + ", " + module + ", 0, 0, 0, 1");
  made.Row("SAMPLING_CALLCHAINS", "1, " + made.Text("0xff10") + ", " + kernel + ", 1, NULL, 1, -1");
  made.Row("SAMPLING_CALLCHAINS", "9, " + main + ", " + module + ", 0, 0, 0, 0");
  for (const size_t rows_of_part : {size_t{1}, size_t{2}, size_t{100'000}}) {
    ImportOptions options;
    options.block_bytes = rows_of_part;
    options.threads = rows_of_part == 2 ? 3 : 1;
    const Trace trace = OpenExport(made.Bytes(), options);
    const CpuSamples& samples = trace.cpu_samples();
    ASSERT_EQ(samples.size(), 3u);
    std::vector<std::string> stacks;
    for (StackIndex stack : samples.stack) {
      std::string text;
      for (; stack != 0; stack = trace.stacks().frame(stack).parent)
        text += std::string(trace.Text(trace.stacks().frame(stack).function)) + ";";
      stacks.push_back(text);
    }
    EXPECT_EQ(samples.time_ns[0], 100);
    EXPECT_EQ(stacks, (std::vector<std::string>{"compute;main;", "0xff10;compute;main;", ""}));
    EXPECT_EQ(trace.stacks().frame(samples.stack[1]).kind, FrameKind::kKernel);
    EXPECT_EQ(trace.Text(trace.stacks().frame(samples.stack[0]).module), "/bin/program");
    EXPECT_EQ(trace.threads()[samples.thread[0]].tid, 10);
    EXPECT_EQ(trace.log().count("sample_without_thread"), 1);
    EXPECT_EQ(trace.log().count("missing_timestamp"), 1);
    EXPECT_EQ(trace.log().count("stack_without_sample"), 1);
    EXPECT_EQ(trace.log().read(), 5 + 6);
    EXPECT_EQ(trace.log().excluded(), 2);
  }
}

TEST(NsysSqliteImporterTest, TimesBeyondAnyClockAreExcluded) {
  CudaExport made;
  made.Kernel(100, 190, "k", 1);
  for (const char* time : {"9223372036854775807", "(-9223372036854775807 - 1)", "4611686018427387904"}) {
    made.Row("CUPTI_ACTIVITY_KIND_KERNEL", std::string(time) + ", 5, 0,1,7,1,0, 0,0,0,0,0,0,0,0,0,0,0,0");
    made.Row("NVTX_EVENTS", std::string(time) + ", NULL, 34, 'mark', 10, NULL, NULL, 0");
  }
  // Defines a domain; its time must not move the end of ranges that stay open.
  made.Row("NVTX_EVENTS", "9223372036854775807, NULL, 75, 'domain', 10, NULL, NULL, 1");
  made.Row("NVTX_EVENTS", "50, NULL, 59, 'open', 10, NULL, NULL, 0");
  made.Row("NVTX_EVENTS", "60, 90, 59, 'closed', 10, NULL, NULL, 0");
  const Trace trace = OpenExport(made.Bytes());
  EXPECT_EQ(trace.log().count("absurd_timestamp"), 6);
  EXPECT_EQ(trace.log().excluded(), 6);
  EXPECT_EQ(trace.gpu().size(), 1u);
  ASSERT_EQ(trace.host().size(), 2u);
  EXPECT_EQ(trace.host().end_ns[0], 90);
}

// Tables that lie on the same pages give their rows again and again.
TEST(NsysSqliteImporterTest, TablesOnSharedPagesAreReadWithinTheFile) {
  CudaExport made;
  made.Table("AAA", "start, end, globalTid, text");
  made.Run(
      "INSERT INTO AAA WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 50000) "
      "SELECT i, i + 1, 7, 'x' FROM n");
  for (int i = 0; i < 300; ++i) made.Table("B" + std::to_string(i), "start, end, globalTid, text");
  made.Run("PRAGMA writable_schema = 1");
  made.Run(
      "UPDATE sqlite_master SET rootpage = (SELECT rootpage FROM sqlite_master WHERE name = 'AAA') WHERE name LIKE 'B%'");
  const Trace trace = OpenExport(made.Bytes());
  EXPECT_LT(trace.host().size(), 4'000'000u) << "of 15 million";
  EXPECT_GT(trace.log().count("damaged_table"), 0);
}

// A text of a megabyte, which each of many ranges refers to.
TEST(NsysSqliteImporterTest, LongSharedTextsAreReadOnce) {
  CudaExport made;
  const std::string shapes =
      "aten::mm, seq = 1, op_id = 2, sizes = [" + std::string(1 << 20, '[') + std::string(1 << 20, ']') + "]";
  const std::string id = made.Text(shapes);
  made.Run(
      "INSERT INTO NVTX_EVENTS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000) "
      "SELECT i * 10, i * 10 + 5, 59, NULL, 10, NULL, " +
      id + ", 0 FROM n");
  const Trace trace = OpenExport(made.Bytes());
  ASSERT_EQ(trace.host().size(), 20'000u);
  EXPECT_EQ(trace.Text(trace.host().name[7]), "aten::mm");
}

class FilesBesideTest : public ::testing::Test {
 protected:
  FilesBesideTest() {
    CudaExport made;
    made.Kernel(100, 190, "k", 1);
    Write("", made.Bytes());
  }
  void Write(const std::string& suffix, const std::string& bytes) {
    std::ofstream(path_ + suffix, std::ios::binary) << bytes;
  }
  int64_t Count(std::string_view cause) {
    const Result<Trace> trace = OpenTrace(path_, {});
    EXPECT_TRUE(trace.ok()) << trace.status().message();
    return trace.ok() ? trace->log().count(cause) : -1;
  }

 private:
  TemporaryFolder folder_;
  std::string path_ = folder_.File("run.sqlite");
};

TEST_F(FilesBesideTest, ALogWithRowsIsSaid) {
  EXPECT_EQ(Count("wal_not_read"), 0);
  Write("-wal", "");
  EXPECT_EQ(Count("wal_not_read"), 0) << "empty";
  Write("-wal", std::string(32, 'h'));
  EXPECT_EQ(Count("wal_not_read"), 0) << "a header and no frame";
  Write("-wal", std::string(32 + 24 + 4096, 'h'));
  EXPECT_EQ(Count("wal_not_read"), 1);
}

TEST_F(FilesBesideTest, AJournalThatIsNotDoneIsSaid) {
  EXPECT_EQ(Count("journal_not_read"), 0);
  Write("-journal", std::string(512, '\0'));
  EXPECT_EQ(Count("journal_not_read"), 0) << "done with";
  Write("-journal", "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7" + std::string(512, '\1'));
  EXPECT_EQ(Count("journal_not_read"), 1);
}

}  // namespace
}  // namespace warpsight
