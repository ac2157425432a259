/* What a program may ask of the recorder that `warpsight record` has loaded into it: the C interface behind
 * warpsight/profiler.h, the Python module and the op recorder of --pytorch. Plain C, so that anything can call it.
 *
 * The library is found with dlopen(WARPSIGHT_RECORDER_LIBRARY, RTLD_NOLOAD): where it is not loaded there is no recorder,
 * and a program must do without. WarpsightRecorder(WARPSIGHT_RECORDER_VERSION) gives its functions, or null when it is too
 * old. All functions are thread-safe, never throw, never wait for the disk, and do nothing where nothing is recorded.
 */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

#define WARPSIGHT_RECORDER_LIBRARY "libwarpsight_inject.so"
#define WARPSIGHT_RECORDER_VERSION 2

struct WarpsightRecorderFunctions {
  unsigned version;
  /* Loads what start needs, so that the first recorded step does not pay for it. */
  void (*prepare)(void);
  /* Recording begins and ends here when the program was started with --capture-range=program; else they do nothing. */
  void (*start)(void);
  void (*stop)(void);
  /* A range of the calling thread; text is copied. Pushes and pops nest, apart from NVTX's. */
  void (*push)(const char* text);
  void (*pop)(void);
  /* Since version 2: whether what is pushed now is looked at: kept, or perhaps the range that a recording begins with.
   * Cheap, for who would have to make the text first. */
  int (*recording)(void);
};

typedef const struct WarpsightRecorderFunctions* (*WarpsightRecorderFunction)(unsigned version);
#define WARPSIGHT_RECORDER_FUNCTION "WarpsightRecorder"

#ifdef __cplusplus
}
#endif
