// cuDNN: names and times (see cudnn_list.h).
#include "calls/libraries/cudnn_list.h"

namespace warpsight::calls::cudnn {
namespace {

constexpr LibraryFile kCudnn = {"libcudnn.so.", {"9", "8", nullptr}};

}  // namespace

#define WARPSIGHT_CUDNN(name, Type, count, sizes) WARPSIGHT_DEFINE_CALL(Library::kCudnn, kCudnn, name, Type, count, sizes)
WARPSIGHT_CUDNN_LIST(WARPSIGHT_CUDNN)

}  // namespace warpsight::calls::cudnn
