// ActivityReader: the records of one of CUPTI's buffers, as records of the wire.
//
// Place in the flow: a completed buffer -> this -> chunk_encoder, on the writer thread. Texts are borrowed from CUPTI and
// copied by the encoder at once. Records of kinds that were not asked for are counted, not kept. Threads: one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "capture/cupti/cupti_library.h"
#include "wire/chunk_encoder.h"

namespace warpsight::capture::cupti {

class ActivityReader {
 public:
  explicit ActivityReader(const CuptiLibrary& cupti) : cupti_(cupti) {}

  // `after_each` is called after every record: there the owner may take a full chunk.
  void Read(uint8_t* buffer, size_t valid_bytes, wire::ChunkEncoder& encoder,
            const std::function<void(uint64_t newest_ns)>& after_each);

  // Those seen, with their names.
  const std::vector<std::pair<wire::DeviceRecord, std::string>>& devices() const { return devices_; }
  // Bits by their numbers, of those below 64.
  uint64_t devices_with_work() const { return devices_with_work_; }
  uint64_t unknown_records() const { return unknown_; }
  // Kernels and copies for which CUPTI had no time: left out.
  uint64_t records_without_time() const { return without_time_; }
  // Buffers that CUPTI did not walk to their end.
  uint64_t unread_buffers() const { return unread_buffers_; }

 private:
  // The end of the record; 0 when it has none.
  uint64_t Add(const uint8_t* record, wire::ChunkEncoder& encoder);
  uint64_t AddKernel(const uint8_t* record, wire::ChunkEncoder& encoder);
  uint64_t AddCall(const uint8_t* record, uint32_t domain, wire::ChunkEncoder& encoder);
  const std::string& CallName(uint32_t domain, uint32_t callback);

  const CuptiLibrary& cupti_;
  std::unordered_map<uint64_t, std::string> call_names_;
  std::vector<std::pair<wire::DeviceRecord, std::string>> devices_;
  uint64_t devices_with_work_ = 0;
  uint64_t unknown_ = 0;
  uint64_t without_time_ = 0;
  uint64_t unread_buffers_ = 0;
};

}  // namespace warpsight::capture::cupti
