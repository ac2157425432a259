// The preloaded libraries as a program gets them: every function of the lists is there, and nothing but the C library is
// loaded with them.
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <string>

#include "calls/call_recorder.h"
#include "calls/libraries/cublas_list.h"
#include "calls/libraries/cudnn_list.h"
#include "calls/libraries/nccl_list.h"
#include "calls/os/os_list.h"

namespace warpsight::calls {
namespace {

#define WARPSIGHT_NAME(name, ...) #name,
constexpr const char* kLibraryFunctions[] = {
    WARPSIGHT_CUBLAS_LIST(WARPSIGHT_NAME) WARPSIGHT_CUBLAS_OVERLOADED_LIST(WARPSIGHT_NAME)
        WARPSIGHT_CUBLASLT_LIST(WARPSIGHT_NAME) WARPSIGHT_NCCL_LIST(WARPSIGHT_NAME) WARPSIGHT_NCCL_GROUP_LIST(WARPSIGHT_NAME)
            WARPSIGHT_CUDNN_LIST(WARPSIGHT_NAME)};
constexpr const char* kOsFunctions[] = {WARPSIGHT_OS_LIST(WARPSIGHT_NAME) WARPSIGHT_LOCK_LIST(WARPSIGHT_NAME)};

template <size_t kCount>
void CheckExports(const char* file, const char* const (&names)[kCount], const char* follower_function) {
  void* const library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  for (const char* name : names) {
    void* const function = dlsym(library, name);
    Dl_info info = {};
    ASSERT_TRUE(function != nullptr && dladdr(function, &info) != 0) << name;
    EXPECT_EQ(std::string(info.dli_fname), file) << name;
  }
  const auto ask = reinterpret_cast<CallFollowerFunction>(dlsym(library, follower_function));
  ASSERT_NE(ask, nullptr);
  EXPECT_EQ(ask()->version, kCallInterface);
  std::ifstream stream(file, std::ios::binary);
  const std::string bytes((std::istreambuf_iterator<char>(stream)), {});
  EXPECT_EQ(bytes.find("libstdc++"), std::string::npos);
}

TEST(ExportedFunctionsTest, OfLibraries) { CheckExports(WARPSIGHT_LIBRARY_CALLS, kLibraryFunctions, kFollowerFunctions[0]); }
TEST(ExportedFunctionsTest, OfTheCLibrary) { CheckExports(WARPSIGHT_OS_CALLS, kOsFunctions, kFollowerFunctions[1]); }

}  // namespace
}  // namespace warpsight::calls
