// CuptiLibrary: the functions of the CUPTI that is loaded (or can be) in this process.
//
// Found by dlopen at run time: the one that the program has loaded already, else the path of the settings, else by name.
// Functions that an older CUPTI lacks are null. Threads: immutable once loaded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace warpsight::capture::cupti {

using BufferRequested = void (*)(uint8_t** buffer, size_t* bytes, size_t* most_records);
using BufferCompleted = void (*)(void* context, uint32_t stream, uint8_t* buffer, size_t bytes, size_t valid_bytes);
using Callback = void (*)(void* user, uint32_t domain, uint32_t callback, const void* info);

struct CuptiLibrary {
  // Null functions and a reason when there is no CUPTI.
  static CuptiLibrary Load(const std::string& path);
  // Of a CUPTI that the program has loaded, by one of NVIDIA's names or `path`; none otherwise.
  static CuptiLibrary IfLoaded(const std::string& path);

  bool loaded() const { return missing.empty(); }
  std::string missing;  // why not
  uint32_t version = 0;

  int (*GetVersion)(uint32_t* version) = nullptr;
  int (*ActivityRegisterCallbacks)(BufferRequested, BufferCompleted) = nullptr;
  int (*ActivityEnable)(uint32_t kind) = nullptr;
  int (*ActivityDisable)(uint32_t kind) = nullptr;
  int (*ActivityFlushAll)(uint32_t flag) = nullptr;
  int (*ActivityGetNextRecord)(uint8_t* buffer, size_t valid_bytes, uint8_t** record) = nullptr;
  int (*ActivityGetNumDroppedRecords)(void* context, uint32_t stream, size_t* dropped) = nullptr;
  int (*GetCallbackName)(uint32_t domain, uint32_t callback, const char** name) = nullptr;
  int (*GetResultString)(int result, const char** text) = nullptr;
  // May be null.
  int (*ActivityEnableAndDump)(uint32_t kind) = nullptr;  // and records what is there already
  int (*ActivityFlushPeriod)(uint32_t milliseconds) = nullptr;
  int (*ActivityRegisterTimestampCallback)(uint64_t (*clock)()) = nullptr;
  int (*SetThreadIdType)(uint32_t type) = nullptr;
  int (*ActivityEnableRuntimeApi)(uint32_t callback, uint8_t enable) = nullptr;
  int (*ActivityEnableDriverApi)(uint32_t callback, uint8_t enable) = nullptr;
  int (*Subscribe)(void** subscriber, Callback callback, void* user) = nullptr;
  int (*Unsubscribe)(void* subscriber) = nullptr;
  int (*ActivityEnableContext)(void* context, uint32_t kind) = nullptr;
  int (*ActivityDisableContext)(void* context, uint32_t kind) = nullptr;
  int (*Finalize)() = nullptr;
  int (*ActivityEnableCudaEventDeviceTimestamps)(uint8_t enable) = nullptr;
  int (*GetGraphNodeId)(void* node, uint64_t* id) = nullptr;
  int (*EnableCallback)(uint32_t enable, void* subscriber, uint32_t domain, uint32_t callback) = nullptr;

  // "CUPTI_ERROR_..." of a result.
  std::string ErrorText(int result) const;
};

}  // namespace warpsight::capture::cupti
