// A recorder that lists what it is told (record_ops_test.cc). Its file has the name of the real one.
#include <warpsight/recorder.h>

#include <string>
#include <vector>

#include "record/fake_recorder.h"

namespace {

FakeRecorder recorder;

void Nothing() {}
void Push(const char* text) { recorder.told.emplace_back(text); }
void Pop() { recorder.told.emplace_back("."); }
int Recording() { return recorder.recording ? 1 : 0; }

constexpr WarpsightRecorderFunctions kFunctions = {
    WARPSIGHT_RECORDER_VERSION, Nothing, Nothing, Nothing, Push, Pop, Recording};

}  // namespace

extern "C" __attribute__((visibility("default"))) const WarpsightRecorderFunctions* WarpsightRecorder(unsigned /*version*/) {
  return &kFunctions;
}
extern "C" __attribute__((visibility("default"))) FakeRecorder* TheFakeRecorder() { return &recorder; }
