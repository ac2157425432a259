// A program that behaves to the recorder as one that uses the GPU and NVTX: it loads the libraries that the driver and NVTX
// would load, and makes "launches" through fake_cupti.cc.
//
// usage: fake_gpu_program FAKE_CUPTI [launches=N] [threads=N] [nvtx=0|1] [sleep_ms=N] [for_ms=N] [end=HOW] [status=N]
//        [cuda=DRIVER]
//   for_ms: makes its launches again and again for so long
//   HOW: return, exit, quick, abort, kill, throw, exec, fork, close
#include <dlfcn.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "capture/nvtx/nvtx_abi.h"

namespace {

using warpsight::capture::nvtx::AnyFunction;
using warpsight::capture::nvtx::CallbacksTable;

using Launch = void (*)(const char* name, uint32_t thread, uint32_t correlation);

int (*push)(const char*) = [](const char*) { return -2; };
int (*pop)() = [] { return -2; };

// NVTX's side: the places of its functions, which the injection fills.
AnyFunction* core[17] = {};
int GetTable(uint32_t module, AnyFunction*** table, unsigned int* size) {
  if (module != 1) return 0;
  core[9] = reinterpret_cast<AnyFunction*>(&push);
  core[11] = reinterpret_cast<AnyFunction*>(&pop);
  *table = core;
  *size = 16;
  return 1;
}
const void* GetExportTable(uint32_t number) {
  static const CallbacksTable callbacks = {sizeof(CallbacksTable), GetTable};
  return number == 1 ? &callbacks : nullptr;
}

void* LoadInjection(const char* variable) {
  const char* path = std::getenv(variable);
  return path == nullptr ? nullptr : dlopen(path, RTLD_LAZY | RTLD_LOCAL);
}

void* InitialiseDriver() {
  void* const library = LoadInjection("CUDA_INJECTION64_PATH");
  if (library == nullptr) return nullptr;
  if (auto* initialise = reinterpret_cast<int (*)()>(dlsym(library, "InitializeInjection"))) initialise();
  return library;
}

void InitialiseNvtx() {
  void* const library = LoadInjection("NVTX_INJECTION64_PATH");
  if (library == nullptr) return;
  using Initialise = int (*)(const void* (*)(uint32_t));
  if (auto* initialise = reinterpret_cast<Initialise>(dlsym(library, "InitializeInjectionNvtx2")))
    initialise(GetExportTable);
}

std::atomic<uint32_t> last_correlation{0};

void MakeLaunches(Launch launch, int count) {
  const auto thread = static_cast<uint32_t>(syscall(SYS_gettid));
  for (int i = 0; i < count; ++i) {
    push("step");
    if (launch != nullptr) launch("_Z5EmptyPf", thread, ++last_correlation);
    pop();
  }
}

[[noreturn]] void End(const std::string& how, int status, char** argv) {
  if (how == "quick") _exit(status);
  if (how == "abort") std::abort();
  if (how == "kill") raise(SIGKILL);
  if (how == "throw") throw std::runtime_error("on purpose");
  if (how == "exec") {
    execlp("sh", "sh", "-c", ("exit " + std::to_string(status)).c_str(), nullptr);
    _exit(99);
  }
  if (how == "fork") {
    const pid_t child = fork();
    if (child == 0) {
      push("in the child");
      pop();
      std::exit(0);
    }
    waitpid(child, nullptr, 0);
  }
  (void)argv;
  std::exit(status);
}

}  // namespace

int main(int argc, char** argv) {
  std::map<std::string, std::string> options = {{"launches", "10"}, {"threads", "1"}, {"nvtx", "1"},  {"sleep_ms", "0"},
                                                {"for_ms", "0"},    {"end", "exit"},  {"status", "0"}};
  for (int i = 2; i < argc; ++i) {
    const std::string word = argv[i];
    options[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
  }
  if (!options["cuda"].empty() && dlopen(options["cuda"].c_str(), RTLD_NOW) == nullptr) return 98;
  if (options["nvtx"] == "1") InitialiseNvtx();
  void* const injected = InitialiseDriver();
  void* const cupti = argc > 1 ? dlopen(argv[1], RTLD_NOW) : nullptr;
  const auto launch = cupti == nullptr ? nullptr : reinterpret_cast<Launch>(dlsym(cupti, "FakeLaunch"));
  std::vector<std::thread> threads;
  for (int i = 1; i < std::stoi(options["threads"]); ++i)
    threads.emplace_back([&] { MakeLaunches(launch, std::stoi(options["launches"])); });
  MakeLaunches(launch, std::stoi(options["launches"]));
  for (std::thread& thread : threads) thread.join();
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(std::stoi(options["for_ms"]));
  while (std::chrono::steady_clock::now() < until) {
    MakeLaunches(launch, std::stoi(options["launches"]));
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(std::stoi(options["sleep_ms"])));
  std::puts("output of the program");
  if (options["end"] == "close" && injected != nullptr) dlclose(injected);
  std::fflush(stdout);
  End(options["end"], std::stoi(options["status"]), argv);
}
