#include "formats/torch_json/category.h"

#include <gtest/gtest.h>

namespace warpsight::torch_json {
namespace {

TEST(ClassifyCategoryTest, SpellingsOfAllYearsAndVendors) {
  for (const char* category : {"cpu_op", "Operator"}) EXPECT_EQ(ClassifyCategory(category), EventClass::kOp) << category;
  for (const char* category : {"cuda_runtime", "cuda_driver", "Runtime", "hip_runtime", "hip_driver", "xpu_runtime",
                               "mtia_runtime", "privateuse1_runtime", "privateuse1_driver"}) {
    EXPECT_EQ(ClassifyCategory(category), EventClass::kApi) << category;
  }
  for (const char* category : {"kernel", "Kernel", "mtia_ccp_events"})
    EXPECT_EQ(ClassifyCategory(category), EventClass::kKernel) << category;
  for (const char* category : {"gpu_memcpy", "Memcpy"})
    EXPECT_EQ(ClassifyCategory(category), EventClass::kMemcpy) << category;
  for (const char* category : {"gpu_memset", "Memset"})
    EXPECT_EQ(ClassifyCategory(category), EventClass::kMemset) << category;
  EXPECT_EQ(ClassifyCategory("user_annotation"), EventClass::kRange);
  EXPECT_EQ(ClassifyCategory("python_function"), EventClass::kPythonFrame);
  EXPECT_EQ(ClassifyCategory("overhead"), EventClass::kOverhead);
  EXPECT_EQ(ClassifyCategory("gpu_user_annotation"), EventClass::kGpuAnnotation);
  EXPECT_EQ(ClassifyCategory("cuda_sync"), EventClass::kGpuSync);
  EXPECT_EQ(ClassifyCategory("cuda_profiler_range"), EventClass::kGpuOther);
  EXPECT_EQ(ClassifyCategory("Trace"), EventClass::kRecording);
}

TEST(ClassifyCategoryTest, CaseDoesNotMatterTheRestDoes) {
  EXPECT_EQ(ClassifyCategory("CPU_OP"), EventClass::kOp);
  for (const char* category : {"", "cpu_op ", "cpu-op", "cpu_ops", "kernels", "kerne", "fwdbwd"}) {
    EXPECT_EQ(ClassifyCategory(category), EventClass::kUnknown) << category;
  }
}

}  // namespace
}  // namespace warpsight::torch_json
