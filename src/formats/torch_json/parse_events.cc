#include "formats/torch_json/parse_events.h"

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include "base/parallel.h"

namespace warpsight::torch_json {
namespace {

// Blocks parsed but not yet joined, by index; joined as soon as their turn comes.
class JoinQueue {
 public:
  JoinQueue(BlockJoiner& joiner, int workers) : joiner_(joiner), most_ahead_(static_cast<uint64_t>(workers) * 2) {}

  // Waits until the block may be held: workers must not run far ahead of a slow one, or memory would grow.
  // False when another worker failed.
  bool AwaitTurn(uint64_t index) {
    std::unique_lock lock(mutex_);
    joined_.wait(lock, [&] { return failed_ || index < next_ + most_ahead_; });
    return !failed_;
  }

  void Fail() {
    const std::lock_guard lock(mutex_);
    failed_ = true;
    joined_.notify_all();
  }

  // An empty block; its buffer has been used before when one is free.
  std::unique_ptr<Block> NewBlock() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return std::make_unique<Block>();
    std::unique_ptr<Block> block = std::move(free_.back());
    free_.pop_back();
    return block;
  }

  void Add(std::unique_ptr<Block> block, BlockResult result) {
    const std::lock_guard lock(mutex_);
    const uint64_t index = block->index;
    waiting_.emplace(index, std::pair(std::move(block), std::move(result)));
    for (auto first = waiting_.begin(); first != waiting_.end() && first->first == next_; first = waiting_.begin()) {
      joiner_.Add(*first->second.first, std::move(first->second.second));
      free_.push_back(std::move(first->second.first));
      waiting_.erase(first);
      ++next_;
    }
    joined_.notify_all();
  }

 private:
  BlockJoiner& joiner_;
  const uint64_t most_ahead_;
  std::mutex mutex_;
  std::condition_variable joined_;
  std::map<uint64_t, std::pair<std::unique_ptr<Block>, BlockResult>> waiting_;
  std::vector<std::unique_ptr<Block>> free_;
  uint64_t next_ = 0;
  bool failed_ = false;
};

}  // namespace

void ParseEvents(BlockReader& reader, int workers, BlockJoiner& joiner) {
  JoinQueue queue(joiner, workers);
  RunOnThreads(workers, [&](int /*worker*/) {
    try {
      BlockParser parser(std::make_shared<LocalNames>());
      for (;;) {
        std::unique_ptr<Block> block = queue.NewBlock();
        if (!reader.Next(*block) || !queue.AwaitTurn(block->index)) return;
        BlockResult result = parser.Parse(block->text.view(), block->offset);
        queue.Add(std::move(block), std::move(result));
      }
    } catch (...) {  // out of memory: the others must not wait for this worker's block
      queue.Fail();
      throw;
    }
  });
}

}  // namespace warpsight::torch_json
