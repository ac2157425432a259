// MadeExport: a small nsys export of a test's own, as the bytes of a SQLite file. For tests only.
//
// Tables have just the columns that a test gives them, so that every variant of the schema is a line or two.
#pragma once

#include <gtest/gtest.h>
#include <sqlite3.h>

#include <cstdint>
#include <map>
#include <string>

namespace warpsight::testing {

// Global ids as nsys makes them.
constexpr int64_t GlobalPid(int64_t pid, int64_t machine = 0) { return machine << 48 | pid << 24; }
constexpr int64_t GlobalTid(int64_t pid, int64_t tid, int64_t machine = 0) { return GlobalPid(pid, machine) | tid; }

class MadeExport {
 public:
  MadeExport() { EXPECT_EQ(sqlite3_open(":memory:", &handle_), SQLITE_OK); }
  ~MadeExport() { sqlite3_close(handle_); }
  MadeExport(const MadeExport&) = delete;
  MadeExport& operator=(const MadeExport&) = delete;

  MadeExport& Run(const std::string& sql) {
    char* problem = nullptr;
    EXPECT_EQ(sqlite3_exec(handle_, sql.c_str(), nullptr, nullptr, &problem), SQLITE_OK)
        << sql << ": " << (problem == nullptr ? "" : problem);
    sqlite3_free(problem);
    return *this;
  }
  // Creates a table with these columns ("start, end").
  MadeExport& Table(const std::string& name, const std::string& columns) {
    return Run("CREATE TABLE " + name + " (" + columns + ")");
  }
  // One row, values as SQL ("1, 2, NULL").
  MadeExport& Row(const std::string& table, const std::string& values) {
    return Run("INSERT INTO " + table + " VALUES (" + values + ")");
  }
  // The number of a text in StringIds, as SQL.
  std::string Text(const std::string& text) {
    if (texts_.empty()) Table("StringIds", "id INTEGER PRIMARY KEY, value TEXT");
    const auto [found, added] = texts_.try_emplace(text, static_cast<int>(texts_.size()));
    if (added) Row("StringIds", std::to_string(found->second) + ", '" + text + "'");
    return std::to_string(found->second);
  }

  std::string Bytes() const {
    sqlite3_int64 size = 0;
    unsigned char* bytes = sqlite3_serialize(handle_, "main", &size, 0);
    std::string result(reinterpret_cast<char*>(bytes), static_cast<size_t>(size));
    sqlite3_free(bytes);
    return result;
  }

 private:
  sqlite3* handle_ = nullptr;
  std::map<std::string, int> texts_;
};

// The tables of one process that launches kernels and copies, with the columns that every version has had.
class CudaExport : public MadeExport {
 public:
  CudaExport() {
    Table(
        "CUPTI_ACTIVITY_KIND_KERNEL",
        "start, end, deviceId, contextId, streamId, correlationId, globalPid, demangledName, shortName, registersPerThread, "
        "gridX, gridY, gridZ, blockX, blockY, blockZ, staticSharedMemory, dynamicSharedMemory, graphNodeId");
    Table("CUPTI_ACTIVITY_KIND_MEMCPY",
          "start, end, deviceId, contextId, streamId, correlationId, globalPid, bytes, copyKind, srcKind, dstKind");
    Table("CUPTI_ACTIVITY_KIND_RUNTIME", "start, end, eventClass, globalTid, correlationId, nameId, returnValue");
    Table("NVTX_EVENTS", "start, end, eventType, text, globalTid, endGlobalTid, textId, domainId");
  }
  void Call(int64_t start, int64_t end, const std::string& name, int64_t correlation,
            int64_t global_tid = GlobalTid(9, 10)) {
    Row("CUPTI_ACTIVITY_KIND_RUNTIME", std::to_string(start) + "," + std::to_string(end) + ",0," +
                                           std::to_string(global_tid) + "," + std::to_string(correlation) + "," +
                                           Text(name) + ",0");
  }
  void Kernel(int64_t start, int64_t end, const std::string& name, int64_t correlation, int64_t stream = 7,
              int64_t global_pid = GlobalPid(9), int64_t device = 0, int64_t context = 1) {
    Row("CUPTI_ACTIVITY_KIND_KERNEL", std::to_string(start) + "," + std::to_string(end) + "," + std::to_string(device) +
                                          "," + std::to_string(context) + "," + std::to_string(stream) + "," +
                                          std::to_string(correlation) + "," + std::to_string(global_pid) + "," + Text(name) +
                                          "," + Text(name) + ",32,4,2,1,128,1,1,16,1024,NULL");
  }
  void Copy(int64_t start, int64_t end, int64_t bytes, int64_t kind, int64_t correlation) {
    Row("CUPTI_ACTIVITY_KIND_MEMCPY", std::to_string(start) + "," + std::to_string(end) + ",0,1,7," +
                                          std::to_string(correlation) + "," + std::to_string(GlobalPid(9)) + "," +
                                          std::to_string(bytes) + "," + std::to_string(kind) + ",0,2");
  }
  // A push/pop range; type 60 is a start/end range.
  void Range(int64_t start, int64_t end, const std::string& text, int64_t type = 59, int64_t domain = 0,
             int64_t global_tid = GlobalTid(9, 10)) {
    Row("NVTX_EVENTS", std::to_string(start) + "," + std::to_string(end) + "," + std::to_string(type) + ",'" + text + "'," +
                           std::to_string(global_tid) + ",NULL,NULL," + std::to_string(domain));
  }
};

}  // namespace warpsight::testing
