// The functions of NCCL that are followed, declared by ourselves (see cublas_list.h); nccl_abi_test.cc compares them with
// nccl.h where it is installed.
#pragma once

#include <cstddef>

#include "calls/libraries/follow_call.h"

namespace warpsight::calls::nccl {

struct UniqueId {
  char bytes[128];
};

using AllReduce = int(const void* send, void* receive, size_t count, int type, int operation, void* communicator,
                      void* stream);
using AllGather = int(const void* send, void* receive, size_t count, int type, void* communicator, void* stream);
using Broadcast = int(const void* send, void* receive, size_t count, int type, int root, void* communicator, void* stream);
using BroadcastInPlace = int(void* buffer, size_t count, int type, int root, void* communicator, void* stream);
using Reduce = int(const void* send, void* receive, size_t count, int type, int operation, int root, void* communicator,
                   void* stream);
using Send = int(const void* buffer, size_t count, int type, int peer, void* communicator, void* stream);
using Receive = int(void* buffer, size_t count, int type, int peer, void* communicator, void* stream);
using Group = int();
using InitRank = int(void* communicator, int ranks, UniqueId id, int rank);
using InitRankConfig = int(void* communicator, int ranks, UniqueId id, int rank, void* config);
using InitAll = int(void* communicators, int devices, const void* list);
using Split = int(void* communicator, int color, int key, void* made, void* config);
using OfCommunicator = int(void* communicator);
// Not followed: what the sizes are asked from.
using AskCommunicator = int(void* communicator, int* answer);

#define WARPSIGHT_NCCL_LIST(X)                               \
  X(ncclAllReduce, AllReduce, 7, SizesOfReduction)           \
  X(ncclReduceScatter, AllReduce, 7, SizesOfReduction)       \
  X(ncclReduce, Reduce, 8, SizesOfReduce)                    \
  X(ncclAllGather, AllGather, 6, SizesOfExchange)            \
  X(ncclAlltoAll, AllGather, 6, SizesOfExchange)             \
  X(ncclBroadcast, Broadcast, 7, SizesOfRooted)              \
  X(ncclGather, Broadcast, 7, SizesOfRooted)                 \
  X(ncclScatter, Broadcast, 7, SizesOfRooted)                \
  X(ncclBcast, BroadcastInPlace, 6, SizesOfBroadcastInPlace) \
  X(ncclSend, Send, 6, SizesOfPeer)                          \
  X(ncclRecv, Receive, 6, SizesOfPeer)                       \
  X(ncclCommInitRank, InitRank, 4, SizesOfInit)              \
  X(ncclCommInitRankConfig, InitRankConfig, 5, SizesOfInit)  \
  X(ncclCommInitAll, InitAll, 3, SizesOfInitAll)             \
  X(ncclCommSplit, Split, 5, NoSizes)                        \
  X(ncclCommFinalize, OfCommunicator, 1, NoSizes)            \
  X(ncclCommDestroy, OfCommunicator, 1, NoSizes)             \
  X(ncclCommAbort, OfCommunicator, 1, NoSizes)

// Without parameters; Group end is where grouped calls are launched.
#define WARPSIGHT_NCCL_GROUP_LIST(X) \
  X(ncclGroupStart)                  \
  X(ncclGroupEnd)

WARPSIGHT_NCCL_LIST(WARPSIGHT_DECLARE_CALL)
int ncclGroupStart() __asm__("ncclGroupStart");
int ncclGroupEnd() __asm__("ncclGroupEnd");

}  // namespace warpsight::calls::nccl
