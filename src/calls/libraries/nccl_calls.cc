// NCCL: "count=1048576 f16 bytes=2097152 op=sum ranks=8 rank=3". Count is the call's own argument, bytes that many elements.
#include <iterator>

#include "calls/libraries/data_type.h"
#include "calls/libraries/nccl_list.h"

namespace warpsight::calls::nccl {
namespace {

constexpr LibraryFile kNccl = {"libnccl.so.", {"2", nullptr}};
constinit NextFunction ask_count("ncclCommCount", &kNccl);
constinit NextFunction ask_rank("ncclCommUserRank", &kNccl);

void PutData(CallText& text, size_t count, int type) {
  const NcclType known = NcclTypeOf(type);
  text.Number("count", static_cast<int64_t>(count)).Word(known.word);
  if (known.bytes > 0) text.Number("bytes", static_cast<int64_t>(count * known.bytes));
}
void PutOperation(CallText& text, int operation) {
  constexpr std::string_view kOperations[] = {"op=sum", "op=prod", "op=max", "op=min", "op=avg"};
  const bool is_known = operation >= 0 && operation < static_cast<int>(std::size(kOperations));
  text.Word(is_known ? kOperations[operation] : "op=own");
}
void PutRanks(CallText& text, const void* caller, void* communicator) {
  if (communicator == nullptr) return;
  int answer = 0;
  const auto count = reinterpret_cast<AskCommunicator*>(ask_count.For(caller));
  if (count != nullptr && count(communicator, &answer) == 0) text.Number("ranks", answer);
  const auto rank = reinterpret_cast<AskCommunicator*>(ask_rank.For(caller));
  if (rank != nullptr && rank(communicator, &answer) == 0) text.Number("rank", answer);
}

void SizesOfReduction(CallText& text, const void* caller, const void* /*send*/, void* /*receive*/, size_t count, int type,
                      int operation, void* communicator, void* /*stream*/) {
  PutData(text, count, type);
  PutOperation(text, operation);
  PutRanks(text, caller, communicator);
}
void SizesOfReduce(CallText& text, const void* caller, const void* /*send*/, void* /*receive*/, size_t count, int type,
                   int operation, int root, void* communicator, void* /*stream*/) {
  PutData(text, count, type);
  PutOperation(text, operation);
  text.Number("root", root);
  PutRanks(text, caller, communicator);
}
void SizesOfExchange(CallText& text, const void* caller, const void* /*send*/, void* /*receive*/, size_t count, int type,
                     void* communicator, void* /*stream*/) {
  PutData(text, count, type);
  PutRanks(text, caller, communicator);
}
void SizesOfRooted(CallText& text, const void* caller, const void* /*send*/, void* /*receive*/, size_t count, int type,
                   int root, void* communicator, void* /*stream*/) {
  PutData(text, count, type);
  text.Number("root", root);
  PutRanks(text, caller, communicator);
}
void SizesOfBroadcastInPlace(CallText& text, const void* caller, void* /*buffer*/, size_t count, int type, int root,
                             void* communicator, void* /*stream*/) {
  PutData(text, count, type);
  text.Number("root", root);
  PutRanks(text, caller, communicator);
}
void SizesOfPeer(CallText& text, const void* caller, const void* /*buffer*/, size_t count, int type, int peer,
                 void* communicator, void* /*stream*/) {
  PutData(text, count, type);
  text.Number("peer", peer);
  PutRanks(text, caller, communicator);
}
template <typename... Rest>
void SizesOfInit(CallText& text, const void* /*caller*/, void* /*communicator*/, int ranks, UniqueId /*id*/, int rank,
                 Rest... /*rest*/) {
  text.Number("ranks", ranks).Number("rank", rank);
}
void SizesOfInitAll(CallText& text, const void* /*caller*/, void* /*communicators*/, int devices, const void* /*list*/) {
  text.Number("ranks", devices);
}

}  // namespace

#define WARPSIGHT_NCCL(name, Type, count, sizes) WARPSIGHT_DEFINE_CALL(Library::kNccl, kNccl, name, Type, count, sizes)
WARPSIGHT_NCCL_LIST(WARPSIGHT_NCCL)

#define WARPSIGHT_NCCL_GROUP(name)                                                           \
  constinit NextFunction next_##name(#name, &kNccl);                                         \
  __attribute__((visibility("default"))) int name() {                                        \
    return FollowCall(Library::kNccl, next_##name, __builtin_return_address(0), &NoSizes<>); \
  }
WARPSIGHT_NCCL_GROUP_LIST(WARPSIGHT_NCCL_GROUP)

}  // namespace warpsight::calls::nccl
