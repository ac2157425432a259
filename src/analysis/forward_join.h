// ForwardJoin: the forward op of a backward op.
//
// Autograd numbers its nodes thread by thread; an op records the number that the next node will get, its backward op records
// the number of its node and the framework's id of the thread that made it. So a backward op belongs to the last op with
// its number that started before it on the thread of that id. The framework's thread ids stand in no forward op: of the
// host threads of its process the one is taken whose numbers fit most of the backward ops of that id.
// Place in the flow: HostEvents -> ForwardJoin -> attribution. Cost: linear in ops with numbers. Thread-compatible.
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "trace/trace.h"

namespace warpsight {

class ForwardJoin {
 public:
  explicit ForwardJoin(const Trace& trace);
  // Host row of the forward op; kNoRow when the row is no backward op or its forward op was not recorded.
  uint32_t ForwardOf(uint32_t backward_row) const;

 private:
  struct Numbered {
    ThreadIndex thread;
    uint32_t number;
    uint32_t row;
  };
  // The forward ops with this number on this thread, by start.
  std::span<const Numbered> Find(ThreadIndex thread, uint32_t number) const;

  void IndexNumbers();

  const HostEvents& host_;
  std::vector<Numbered> forward_;  // by thread, number, row
  // Of one thread: where the ops of each number from `least` on begin in forward_, with one place more at the end. Numbers
  // of a thread are dense; where damage made them sparse, `first` stays empty and they are searched for.
  struct Numbers {
    uint32_t begin = 0;
    uint32_t end = 0;
    uint32_t least = 0;
    std::vector<uint32_t> first;
  };
  std::unordered_map<ThreadIndex, Numbers> numbers_;
  // The framework's number of a thread, told apart by the process of a backward row.
  using FrameworkThread = uint64_t;
  FrameworkThread ForwardThreadOf(uint32_t backward_row) const {
    return uint64_t{process_of_[host_.thread[backward_row]]} << 16 | host_.forward_thread[backward_row];
  }

  std::vector<uint32_t> process_of_;  // by thread: a number of its process
  std::unordered_map<FrameworkThread, ThreadIndex> thread_of_id_;
};

}  // namespace warpsight
