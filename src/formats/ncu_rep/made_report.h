// Small Nsight Compute reports made by hand, for tests.
#pragma once

#include <cstdint>
#include <protozero/pbf_writer.hpp>
#include <string>
#include <utility>
#include <vector>

namespace warpsight::testing {

inline std::string SizedBytes(const std::string& bytes) {
  std::string sized;
  for (int shift = 0; shift < 32; shift += 8) sized += static_cast<char>((bytes.size() >> shift) & 0xFF);
  return sized + bytes;
}

inline std::string MadeDouble(double value) {
  std::string message;
  protozero::pbf_writer(message).add_double(3, value);
  return message;
}

inline std::string MadeWhole(uint64_t value) {
  std::string message;
  protozero::pbf_writer(message).add_uint64(5, value);
  return message;
}

// `name` is the place in the string table.
inline std::string MadeMetric(uint32_t name, const std::string& value, const std::vector<std::string>& instances = {}) {
  std::string message;
  protozero::pbf_writer writer(message);
  writer.add_uint32(1, name);
  writer.add_message(2, value);
  for (const std::string& instance : instances) writer.add_message(3, instance);
  return message;
}

inline std::string MadeInstance(uint64_t key, uint64_t value) {
  std::string message;
  protozero::pbf_writer writer(message);
  writer.add_message(1, MadeWhole(key));
  writer.add_message(2, MadeWhole(value));
  return message;
}

inline std::string MadeExtent(uint64_t x, uint64_t y, uint64_t z) {
  std::string message;
  protozero::pbf_writer writer(message);
  writer.add_uint64(1, x);
  writer.add_uint64(2, y);
  writer.add_uint64(3, z);
  return message;
}

// One kernel of 4 x 2 x 1 blocks of 64 threads.
inline std::string MadeKernel(const std::string& name, const std::vector<std::string>& metrics) {
  std::string message;
  protozero::pbf_writer writer(message);
  writer.add_uint64(1, 41);
  writer.add_string(7, name);
  writer.add_message(10, MadeExtent(4, 2, 1));
  writer.add_message(11, MadeExtent(64, 1, 1));
  for (const std::string& metric : metrics) writer.add_message(13, metric);
  writer.add_uint64(22, 1);
  writer.add_uint64(23, 7);
  return message;
}

inline std::string MadeFileHeader(uint64_t version = 7) {
  std::string header;
  protozero::pbf_writer(header).add_uint64(1, version);
  return std::string("NVR\0", 4) + SizedBytes(header);
}

// One block with these results, and these texts for the string table.
inline std::string MadeBlock(const std::vector<std::string>& results, const std::vector<std::string>& strings = {}) {
  std::string payload;
  for (const std::string& result : results) payload += SizedBytes(result);
  std::string table;
  for (const std::string& text : strings) protozero::pbf_writer(table).add_string(1, text);
  std::string process;
  protozero::pbf_writer process_writer(process);
  process_writer.add_uint64(1, 42);
  process_writer.add_string(2, "127.0.0.1");
  process_writer.add_string(3, "/opt/app");
  std::string header;
  protozero::pbf_writer writer(header);
  writer.add_uint64(2, results.size());
  writer.add_message(4, table);
  writer.add_uint64(5, payload.size());
  writer.add_message(6, process);
  return SizedBytes(header) + payload;
}

}  // namespace warpsight::testing
