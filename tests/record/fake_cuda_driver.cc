// The part of libcuda.so.1 that the recorder asks which devices a process uses: two are visible, in the reverse of NVML's
// order, and the process has a context on the first of them. The name by which it is found is in the build file.
#include <cstdio>

#define WARPSIGHT_FAKE extern "C" __attribute__((visibility("default")))

WARPSIGHT_FAKE int cuDeviceGetCount(int* count) {
  *count = 2;
  return 0;
}
WARPSIGHT_FAKE int cuDeviceGet(int* device, int number) {
  *device = number;
  return number < 2 ? 0 : 101;
}
WARPSIGHT_FAKE int cuDeviceGetUuid(unsigned char* uuid, int device) {
  for (int i = 0; i < 16; ++i) uuid[i] = static_cast<unsigned char>((device == 0 ? 16 : 0) + i);
  return 0;
}
WARPSIGHT_FAKE int cuDeviceGetPCIBusId(char* text, int size, int device) {
  std::snprintf(text, static_cast<unsigned>(size), "0000:%02x:00.0", device);
  return 0;
}
WARPSIGHT_FAKE int cuDevicePrimaryCtxGetState(int device, unsigned* flags, int* active) {
  *flags = 0;
  *active = device == 0 ? 1 : 0;
  return 0;
}
