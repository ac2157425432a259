// A program that behaves to the recorder as one that uses the GPU and NVTX: it loads the libraries that the driver and NVTX
// would load, and makes "launches" through fake_cupti.cc.
//
// usage: fake_gpu_program FAKE_CUPTI [launches=N] [threads=N] [nvtx=0|1] [sleep_ms=N] [for_ms=N] [end=HOW] [status=N]
//                         [windows=N] [by=MEANS] [window=NAME] [gap_ms=N] [run_ms=N] [outer=NAME] [client=LIBRARY] [graph=1]
//                         [payloads=1]
//   for_ms: makes its launches again and again for so long, in a range "OUTER K" when there is an outer one
//   HOW: return, exit, quick, abort, kill, throw, exec, fork, close
//   windows: then so many times launches outside and inside of a window that is made by MEANS: push, start, wide, registered
//     and domain (of the domain "trainer"), profiler (cudaProfilerStart), program (warpsight/recorder.h)
//   client: then profiles launches with a CUPTI client of its own, twice, with gap_ms and launches after each
//   graph: then makes a graph of a launch in a range "attention" and one in "mlp", and replays it in "decode", the second
//   first run_ms: kernels in a window run for so long
//   payloads: then pushes a range with each type of payload, "payload TYPE", of the category 3, "batches"
#include <dlfcn.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "record/fake_injection.h"
#include "warpsight/profiler.h"

namespace {

using Launch = void (*)(const char* name, uint32_t thread, uint32_t correlation, uint64_t run_ns);

std::atomic<uint32_t> last_correlation{0};

void MakeLaunches(Launch launch, int count, uint64_t run_ns = 0) {
  const auto thread = static_cast<uint32_t>(syscall(SYS_gettid));
  for (int i = 0; i < count; ++i) {
    push("step");
    if (launch != nullptr) launch("_Z5EmptyPf", thread, ++last_correlation, run_ns);
    pop();
  }
}

// One window of the program, with `work` in it.
template <typename Work>
void InWindow(const std::string& by, const std::string& name, void* cupti, const Work& work) {
  const auto call = [&](const char* function) {
    if (auto* what = reinterpret_cast<void (*)()>(cupti == nullptr ? nullptr : dlsym(cupti, function))) what();
  };
  if (by == "start") {
    const uint64_t id = start(name.c_str());
    work();
    return end(id);
  }
  if (by == "registered" || by == "domain") {
    static const void* const domain = create_domain("trainer");
    EventAttributes attributes = {};
    attributes.size = sizeof(attributes);
    attributes.message_type = by == "domain" ? 1 : 3;
    if (by == "domain") attributes.message.ascii = name.c_str();
    if (by == "registered") attributes.message.registered = register_text(domain, name.c_str());
    domain_push(domain, &attributes);
    work();
    domain_pop(domain);
    return;
  }
  const auto* recorder = by == "program" ? warpsight::Recorder() : nullptr;
  if (by == "push") push(name.c_str());
  if (by == "wide") push_wide(std::wstring(name.begin(), name.end()).c_str());
  if (by == "profiler") call("FakeProfilerStart");
  if (recorder != nullptr) recorder->start();
  work();
  if (recorder != nullptr) recorder->stop();
  if (by == "profiler") call("FakeProfilerStop");
  if (by == "push" || by == "wide") pop();
}

void MakeGraph(void* cupti) {
  const auto captured = reinterpret_cast<void (*)(uint64_t, uint32_t, uint32_t)>(dlsym(cupti, "FakeCapturedLaunch"));
  const auto clone = reinterpret_cast<void (*)(uint64_t, uint64_t)>(dlsym(cupti, "FakeClone"));
  const auto replay = reinterpret_cast<void (*)(const char* const*, const uint64_t*, int, uint32_t, uint32_t)>(
      dlsym(cupti, "FakeGraphLaunch"));
  if (captured == nullptr || clone == nullptr || replay == nullptr) return;
  const auto thread = static_cast<uint32_t>(syscall(SYS_gettid));
  constexpr uint64_t kAttention = 0x1'0000'0000;
  constexpr uint64_t kMlp = 0x1'0000'0001;
  constexpr uint64_t kClones = 0x1'0000'0000;
  push("attention");
  captured(kAttention, thread, ++last_correlation);
  pop();
  push("mlp");
  captured(kMlp, thread, ++last_correlation);
  pop();
  for (const uint64_t node : {kAttention, kMlp}) clone(node + kClones, node);
  constexpr const char* kNames[] = {"_Z3MlpPf", "_Z9AttentionPf"};
  constexpr uint64_t kNodes[] = {kMlp + kClones, kAttention + kClones};
  for (int i = 0; i < 3; ++i) {
    push("decode");
    replay(kNames, kNodes, 2, thread, ++last_correlation);
    pop();
  }
}

void PushPayloads() {
  name_category(3, "batches");
  for (int32_t type = 0; type <= 7; ++type) {
    const std::string text = "payload " + std::to_string(type);
    EventAttributes attributes = {};
    attributes.size = sizeof(attributes);
    attributes.category = 3;
    attributes.color_type = 1;
    attributes.color = 0xFF102030;
    attributes.payload_type = type;
    const double wide = -2.5;
    const float narrow = 0.5F;
    attributes.payload = ~uint64_t{0};  // -1, and the largest number without a sign
    if (type == 3) std::memcpy(&attributes.payload, &wide, sizeof(wide));
    if (type == 6) std::memcpy(&attributes.payload, &narrow, sizeof(narrow));
    attributes.message_type = 1;
    attributes.message.ascii = text.c_str();
    push_with(&attributes);
    pop();
  }
}

bool in_child = false;

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
      in_child = true;
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

// In a forked child the search for leaks would wait forever for a lock of the sanitizer's allocator that the recorder's
// thread held at the fork.
extern "C" int __lsan_is_turned_off() { return in_child ? 1 : 0; }

int main(int argc, char** argv) {
  std::map<std::string, std::string> options = {
      {"launches", "10"}, {"threads", "1"}, {"nvtx", "1"},  {"sleep_ms", "0"},    {"for_ms", "0"}, {"end", "exit"},
      {"status", "0"},    {"windows", "0"}, {"by", "push"}, {"window", "window"}, {"gap_ms", "0"}, {"run_ms", "0"},
      {"outer", ""},      {"client", ""},   {"graph", "0"}, {"payloads", "0"}};
  for (int i = 2; i < argc; ++i) {
    const std::string word = argv[i];
    options[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
  }
  if (options["nvtx"] == "1") InitialiseNvtx();
  void* const injected = InitialiseDriver();
  void* const cupti = argc > 1 ? dlopen(argv[1], RTLD_NOW) : nullptr;
  const auto launch = cupti == nullptr ? nullptr : reinterpret_cast<Launch>(dlsym(cupti, "FakeLongLaunch"));
  std::vector<std::thread> threads;
  for (int i = 1; i < std::stoi(options["threads"]); ++i)
    threads.emplace_back([&] { MakeLaunches(launch, std::stoi(options["launches"])); });
  MakeLaunches(launch, std::stoi(options["launches"]));
  for (std::thread& thread : threads) thread.join();
  const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(std::stoi(options["for_ms"]));
  for (int round = 0; std::chrono::steady_clock::now() < until; ++round) {
    if (!options["outer"].empty()) push((options["outer"] + " " + std::to_string(round)).c_str());
    MakeLaunches(launch, std::stoi(options["launches"]));
    if (!options["outer"].empty()) pop();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  for (int window = 0; window < std::stoi(options["windows"]); ++window) {
    MakeLaunches(launch, std::stoi(options["launches"]));
    InWindow(options["by"], options["window"], cupti, [&] {
      // One like it inside, and one more thread, belong to the window.
      const bool in_domain = options["by"] == "domain" || options["by"] == "registered";
      push(in_domain ? "inside" : options["window"].c_str());
      pop();
      std::thread other([&] { MakeLaunches(launch, std::stoi(options["launches"])); });
      MakeLaunches(launch, std::stoi(options["launches"]), 1'000'000 * std::stoull(options["run_ms"]));
      other.join();
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(std::stoi(options["gap_ms"])));
  }
  if (options["payloads"] == "1") PushPayloads();
  if (!options["client"].empty()) {
    void* const client = dlopen(options["client"].c_str(), RTLD_NOW);
    const auto profile = reinterpret_cast<void (*)(void (*)())>(dlsym(client, "ProfileWithCupti"));
    static const Launch launch_of_client = launch;
    // Until the recorder has seen that there is a new library.
    std::this_thread::sleep_for(std::chrono::milliseconds(std::stoi(options["gap_ms"])));
    for (int round = 0; round < 2; ++round) {
      profile([] { MakeLaunches(launch_of_client, 40); });
      std::this_thread::sleep_for(std::chrono::milliseconds(std::stoi(options["gap_ms"])));
      MakeLaunches(launch, std::stoi(options["launches"]));
    }
  }
  if (options["graph"] == "1" && cupti != nullptr) MakeGraph(cupti);
  std::this_thread::sleep_for(std::chrono::milliseconds(std::stoi(options["sleep_ms"])));
  std::puts("output of the program");
  if (options["end"] == "close" && injected != nullptr) dlclose(injected);
  std::fflush(stdout);
  End(options["end"], std::stoi(options["status"]), argv);
}
