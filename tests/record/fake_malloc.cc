// An allocator that is preloaded by its user and takes a lock of its own, as jemalloc and tcmalloc do: a followed call of
// pthread_mutex_lock is inside of malloc then, and what follows it must not allocate.
#include <pthread.h>
#include <sys/mman.h>

#include <cstddef>
#include <cstring>

namespace {
pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
char* pool = nullptr;
size_t used = 0;
constexpr size_t kPoolBytes = size_t{1} << 34;  // of addresses
constexpr size_t kHeader = 16;

size_t& SizeOf(void* block) { return *reinterpret_cast<size_t*>(static_cast<char*>(block) - kHeader); }
}  // namespace

extern "C" {

void* malloc(size_t bytes) {
  pthread_mutex_lock(&mutex);
  if (pool == nullptr) {
    pool = static_cast<char*>(
        mmap(nullptr, kPoolBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  }
  char* const block = pool + used + kHeader;
  used += kHeader + (bytes + 15) / 16 * 16;
  SizeOf(block) = bytes;
  for (volatile int i = 0; i < 200; i = i + 1) {
  }
  pthread_mutex_unlock(&mutex);
  return block;
}
void free(void*) {}
void* calloc(size_t count, size_t bytes) { return std::memset(malloc(count * bytes), 0, count * bytes); }
void* realloc(void* old, size_t bytes) {
  void* const block = malloc(bytes);
  if (old != nullptr) std::memcpy(block, old, SizeOf(old) < bytes ? SizeOf(old) : bytes);
  return block;
}
}
