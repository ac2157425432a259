#include "capture/cupti/cupti_library.h"

#include <dlfcn.h>

namespace warpsight::capture::cupti {
namespace {

// Newest first. The plain name is there only where the toolkit's development files are.
constexpr const char* kNames[] = {"libcupti.so.13", "libcupti.so.12", "libcupti.so.11.8", "libcupti.so.11.7", "libcupti.so"};

void* Open(const std::string& path) {
  for (const char* name : kNames) {
    if (void* library = dlopen(name, RTLD_NOW | RTLD_NOLOAD)) return library;
  }
  if (!path.empty()) {
    if (void* library = dlopen(path.c_str(), RTLD_NOW)) return library;
  }
  for (const char* name : kNames) {
    if (void* library = dlopen(name, RTLD_NOW)) return library;
  }
  return nullptr;
}

template <typename Function>
bool Find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  return function != nullptr;
}

}  // namespace

CuptiLibrary CuptiLibrary::Load(const std::string& path) {
  CuptiLibrary cupti;
  void* library = Open(path);
  if (library == nullptr) {
    cupti.missing = "libcupti was not found";
    return cupti;
  }
  const bool all = Find(library, "cuptiGetVersion", cupti.GetVersion) &&
                   Find(library, "cuptiActivityRegisterCallbacks", cupti.ActivityRegisterCallbacks) &&
                   Find(library, "cuptiActivityEnable", cupti.ActivityEnable) &&
                   Find(library, "cuptiActivityDisable", cupti.ActivityDisable) &&
                   Find(library, "cuptiActivityFlushAll", cupti.ActivityFlushAll) &&
                   Find(library, "cuptiActivityGetNextRecord", cupti.ActivityGetNextRecord) &&
                   Find(library, "cuptiActivityGetNumDroppedRecords", cupti.ActivityGetNumDroppedRecords) &&
                   Find(library, "cuptiGetCallbackName", cupti.GetCallbackName) &&
                   Find(library, "cuptiGetResultString", cupti.GetResultString);
  if (!all) {
    cupti.missing = "libcupti lacks functions that every CUPTI since CUDA 11 has";
    return cupti;
  }
  Find(library, "cuptiActivityEnableAndDump", cupti.ActivityEnableAndDump);
  Find(library, "cuptiActivityFlushPeriod", cupti.ActivityFlushPeriod);
  Find(library, "cuptiActivityRegisterTimestampCallback", cupti.ActivityRegisterTimestampCallback);
  Find(library, "cuptiSetThreadIdType", cupti.SetThreadIdType);
  Find(library, "cuptiActivityEnableRuntimeApi", cupti.ActivityEnableRuntimeApi);
  Find(library, "cuptiActivityEnableDriverApi", cupti.ActivityEnableDriverApi);
  Find(library, "cuptiSubscribe", cupti.Subscribe);
  Find(library, "cuptiEnableCallback", cupti.EnableCallback);
  cupti.GetVersion(&cupti.version);
  return cupti;
}

std::string CuptiLibrary::ErrorText(int result) const {
  const char* text = nullptr;
  if (GetResultString != nullptr && GetResultString(result, &text) == 0 && text != nullptr) return text;
  return "CUPTI error " + std::to_string(result);
}

}  // namespace warpsight::capture::cupti
