#include "capture/cupti/cupti_library.h"

#include <dlfcn.h>

#include "capture/loaded_function.h"

namespace warpsight::capture::cupti {
namespace {

// Newest first. The plain name is there only where the toolkit's development files are.
constexpr const char* kNames[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so.11.8", "libcupti.so.11.7", "libcupti.so"};

void* FindLoaded(const std::string& path) {
  for (const char* name : kNames) {
    if (void* library = dlopen(name, RTLD_NOW | RTLD_NOLOAD)) return library;
  }
  return path.empty() ? nullptr : dlopen(path.c_str(), RTLD_NOW | RTLD_NOLOAD);
}

void* Open(const std::string& path) {
  if (void* library = FindLoaded(path)) return library;
  if (!path.empty()) {
    if (void* library = dlopen(path.c_str(), RTLD_NOW)) return library;
  }
  for (const char* name : kNames) {
    if (void* library = dlopen(name, RTLD_NOW)) return library;
  }
  return nullptr;
}

CuptiLibrary FunctionsOf(void* library) {
  CuptiLibrary cupti;
  if (library == nullptr) {
    cupti.missing = "libcupti was not found";
    return cupti;
  }
  const bool all = FindFunction(library, "cuptiGetVersion", cupti.GetVersion) &&
                   FindFunction(library, "cuptiActivityRegisterCallbacks", cupti.ActivityRegisterCallbacks) &&
                   FindFunction(library, "cuptiActivityEnable", cupti.ActivityEnable) &&
                   FindFunction(library, "cuptiActivityDisable", cupti.ActivityDisable) &&
                   FindFunction(library, "cuptiActivityFlushAll", cupti.ActivityFlushAll) &&
                   FindFunction(library, "cuptiActivityGetNextRecord", cupti.ActivityGetNextRecord) &&
                   FindFunction(library, "cuptiActivityGetNumDroppedRecords", cupti.ActivityGetNumDroppedRecords) &&
                   FindFunction(library, "cuptiGetCallbackName", cupti.GetCallbackName) &&
                   FindFunction(library, "cuptiGetResultString", cupti.GetResultString);
  if (!all) {
    cupti.missing = "libcupti lacks functions that every CUPTI since CUDA 11 has";
    return cupti;
  }
  FindFunction(library, "cuptiActivityEnableAndDump", cupti.ActivityEnableAndDump);
  FindFunction(library, "cuptiActivityFlushPeriod", cupti.ActivityFlushPeriod);
  FindFunction(library, "cuptiActivityRegisterTimestampCallback", cupti.ActivityRegisterTimestampCallback);
  FindFunction(library, "cuptiSetThreadIdType", cupti.SetThreadIdType);
  FindFunction(library, "cuptiActivityEnableRuntimeApi", cupti.ActivityEnableRuntimeApi);
  FindFunction(library, "cuptiActivityEnableDriverApi", cupti.ActivityEnableDriverApi);
  FindFunction(library, "cuptiSubscribe", cupti.Subscribe);
  FindFunction(library, "cuptiUnsubscribe", cupti.Unsubscribe);
  FindFunction(library, "cuptiEnableCallback", cupti.EnableCallback);
  FindFunction(library, "cuptiActivityEnableContext", cupti.ActivityEnableContext);
  FindFunction(library, "cuptiActivityDisableContext", cupti.ActivityDisableContext);
  FindFunction(library, "cuptiFinalize", cupti.Finalize);
  FindFunction(library, "cuptiActivityEnableCudaEventDeviceTimestamps", cupti.ActivityEnableCudaEventDeviceTimestamps);
  FindFunction(library, "cuptiGetGraphNodeId", cupti.GetGraphNodeId);
  cupti.GetVersion(&cupti.version);
  return cupti;
}

}  // namespace

CuptiLibrary CuptiLibrary::Load(const std::string& path) { return FunctionsOf(Open(path)); }
CuptiLibrary CuptiLibrary::IfLoaded(const std::string& path) { return FunctionsOf(FindLoaded(path)); }

std::string CuptiLibrary::ErrorText(int result) const {
  const char* text = nullptr;
  if (GetResultString != nullptr && GetResultString(result, &text) == 0 && text != nullptr) return text;
  return "CUPTI error " + std::to_string(result);
}

}  // namespace warpsight::capture::cupti
