#include "formats/torch_json/parse_events.h"

#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>

#include "base/parallel.h"

namespace warpsight::torch_json {
namespace {

// Blocks parsed but not yet joined, by index; joined as soon as their turn comes.
class JoinQueue {
 public:
  JoinQueue(BlockJoiner& joiner, int workers) : joiner_(joiner), most_ahead_(static_cast<uint64_t>(workers) * 2) {}

  // Waits until the block may be held: workers must not run far ahead of a slow one, or memory would grow.
  void AwaitTurn(uint64_t index) {
    std::unique_lock lock(mutex_);
    joined_.wait(lock, [&] { return index < next_ + most_ahead_; });
  }

  // Takes the block; gives back the buffers of whatever could be joined, one of them to be used again.
  std::unique_ptr<Block> Add(std::unique_ptr<Block> block, BlockResult result) {
    std::unique_ptr<Block> reusable;
    std::unique_lock lock(mutex_);
    const uint64_t index = block->index;
    waiting_.emplace(index, std::pair(std::move(block), std::move(result)));
    for (auto first = waiting_.begin(); first != waiting_.end() && first->first == next_; first = waiting_.begin()) {
      joiner_.Add(*first->second.first, std::move(first->second.second));
      reusable = std::move(first->second.first);
      waiting_.erase(first);
      ++next_;
    }
    joined_.notify_all();
    return reusable;
  }

 private:
  BlockJoiner& joiner_;
  const uint64_t most_ahead_;
  std::mutex mutex_;
  std::condition_variable joined_;
  std::map<uint64_t, std::pair<std::unique_ptr<Block>, BlockResult>> waiting_;
  uint64_t next_ = 0;
};

}  // namespace

void ParseEvents(BlockReader& reader, int workers, BlockJoiner& joiner) {
  JoinQueue queue(joiner, workers);
  RunOnThreads(workers, [&](int /*worker*/) {
    BlockParser parser(std::make_shared<LocalNames>());
    std::unique_ptr<Block> block;
    for (;;) {
      if (block == nullptr) block = std::make_unique<Block>();
      if (!reader.Next(*block)) return;
      queue.AwaitTurn(block->index);
      BlockResult result = parser.Parse(block->text.view(), block->offset);
      block = queue.Add(std::move(block), std::move(result));
    }
  });
}

}  // namespace warpsight::torch_json
