// GPUs: three tables have described them over the years, under different column names.
#include <algorithm>
#include <array>
#include <limits>

#include "formats/nsys_sqlite/file_facts.h"

namespace warpsight::nsys_sqlite {
namespace {

// The oldest exports give memory in MiB, later ones in bytes; no GPU that can be traced has less than 16 MiB.
constexpr int64_t kLeastMemoryBytes = int64_t{16} << 20;

int32_t SmallNumber(std::optional<int64_t> value) {
  return value && *value > 0 && *value <= std::numeric_limits<int32_t>::max() ? static_cast<int32_t>(*value) : -1;
}

int64_t MemoryBytes(std::optional<int64_t> value) {
  if (!value || *value <= 0) return -1;
  return *value < kLeastMemoryBytes ? *value << 20 : *value;
}

// Compute capability x.0 is one, so that 0 counts for the minor number only.
void SetCapability(std::optional<int64_t> major, std::optional<int64_t> minor, Device& device) {
  device.compute_major = SmallNumber(major);
  if (device.compute_major > 0 && minor && *minor >= 0 && *minor < 100) device.compute_minor = static_cast<int32_t>(*minor);
}

}  // namespace

void DeviceNumbers::Read(Database& database, const TableList& tables, ImportLog& log) {
  ReadOrdinals(database, tables, log);
  NumberDevices(ReadGpus(database, tables, log));
}

void DeviceNumbers::ReadOrdinals(Database& database, const TableList& tables, ImportLog& log) {
  const ColumnsOfTable* table = FindTable(tables, "TARGET_INFO_CUDA_DEVICE");
  if (table == nullptr) return;
  static constexpr std::array<std::string_view, 3> kColumns = {"gpuId", "cudaId", "pid"};
  TableCursor rows(database, *table, kColumns);
  std::map<int64_t, int64_t> gpu_of_ordinal;
  std::map<int64_t, int64_t> ordinal_of_gpu;
  while (rows.Next()) {
    const std::optional<int64_t> gpu = rows.Integer(0);
    const std::optional<int64_t> ordinal = rows.Integer(1);
    if (!gpu || !ordinal) continue;
    gpu_of_.try_emplace({rows.IntegerOr(2, 0), *ordinal}, *gpu);
    by_gpu_id_ |= gpu_of_ordinal.try_emplace(*ordinal, *gpu).first->second != *gpu;
    by_gpu_id_ |= ordinal_of_gpu.try_emplace(*gpu, *ordinal).first->second != *ordinal;
  }
  NoteDamage(rows, log);
}

std::vector<DeviceNumbers::Gpu> DeviceNumbers::ReadGpus(Database& database, const TableList& tables, ImportLog& log) const {
  std::vector<Gpu> gpus;
  const auto read = [&](std::string_view name, const std::array<std::string_view, 8>& columns) {
    const ColumnsOfTable* table = FindTable(tables, name);
    if (table == nullptr) return;
    TableCursor rows(database, *table, columns);
    while (rows.Next()) {
      Gpu gpu;
      gpu.id = rows.Integer(0);
      gpu.cuda_ordinal = rows.Integer(1);
      gpu.facts.name = rows.Text(2);
      gpu.facts.total_memory_bytes = MemoryBytes(rows.Integer(3));
      gpu.facts.sm_count = SmallNumber(rows.Integer(4));
      SetCapability(rows.Integer(5), rows.Integer(6), gpu.facts);
      // Display adapters that CUDA cannot use stand in the list with zeros.
      const bool no_cuda = rows.Has(4) && gpu.facts.sm_count < 0 && rows.Has(5) && gpu.facts.compute_major < 0;
      if (!no_cuda) gpus.push_back(std::move(gpu));
    }
    NoteDamage(rows, log);
  };
  read("TARGET_INFO_GPU",
       {"id", "cuDevice", "name", "totalMemory", "smCount", "computeMajor", "computeMinor", "busLocation"});
  if (gpus.empty() || std::any_of(gpus.begin(), gpus.end(), [](const Gpu& gpu) { return !gpu.id; })) {
    const std::vector<Gpu> sparse = std::move(gpus);
    gpus.clear();
    read("TARGET_INFO_CUDA_GPU", {"deviceId", "deviceId", "name", "globalMemorySize", "numMultiprocessors",
                                  "computeCapabilityMajor", "computeCapabilityMinor", "pciBusId"});
    if (gpus.empty()) {
      read("TARGET_INFO_GPU",
           {"deviceId", "deviceId", "name", "memory", "smCount", "computeMajor", "computeMinor", "busLocation"});
    }
    for (size_t i = 0; gpus.empty() && i < sparse.size(); ++i) gpus.push_back(sparse[i]);
  }
  return gpus;
}

void DeviceNumbers::NumberDevices(const std::vector<Gpu>& gpus) {
  // Ordinals that the file gives itself are better than the driver's own order.
  std::map<int64_t, int64_t> ordinal_of_gpu;
  for (const auto& [process_and_ordinal, gpu] : gpu_of_) ordinal_of_gpu.try_emplace(gpu, process_and_ordinal.second);
  int64_t place = 0;
  for (const Gpu& gpu : gpus) {
    int64_t number = gpu.id.value_or(place);
    if (!by_gpu_id_) {
      const auto known = gpu.id ? ordinal_of_gpu.find(*gpu.id) : ordinal_of_gpu.end();
      if (known != ordinal_of_gpu.end()) {
        number = known->second;
      } else if (!ordinal_of_gpu.empty()) {
        continue;  // no process could use it
      } else {
        number = gpu.cuda_ordinal.value_or(number);
      }
    }
    ++place;
    if (number < 0 || number > std::numeric_limits<int32_t>::max()) continue;
    if (gpu.id) number_of_gpu_.try_emplace(*gpu.id, static_cast<int32_t>(number));
    const auto same = [&](const Device& device) { return device.id == static_cast<int32_t>(number); };
    if (std::any_of(devices_.begin(), devices_.end(), same)) continue;
    devices_.push_back(gpu.facts);
    devices_.back().id = static_cast<int32_t>(number);
  }
}

int32_t DeviceNumbers::NumberOfGpu(int64_t gpu) const {
  const auto found = number_of_gpu_.find(gpu);
  return found == number_of_gpu_.end() ? -1 : found->second;
}

int32_t DeviceNumbers::Number(int64_t cuda_device, ProcessKey process) const {
  int64_t number = cuda_device;
  if (by_gpu_id_) {
    const auto found = gpu_of_.find({PidOf(process), cuda_device});
    if (found != gpu_of_.end()) number = found->second;
  }
  return number < 0 || number > std::numeric_limits<int32_t>::max() ? -1 : static_cast<int32_t>(number);
}

}  // namespace warpsight::nsys_sqlite
