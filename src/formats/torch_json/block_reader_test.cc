#include "formats/torch_json/block_reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "formats/torch_json/event_parser.h"

namespace warpsight::torch_json {
namespace {

// A pipe that gives few bytes at a time.
class SequentialSource final : public ByteSource {
 public:
  explicit SequentialSource(std::string_view bytes) : ByteSource("pipe", "plain"), bytes_(bytes) {}

 protected:
  size_t ReadSome(char* out, size_t size) override {
    const size_t count = std::min({size, bytes_.size() - at_, size_t{777}});
    std::memcpy(out, bytes_.data() + at_, count);
    at_ += count;
    return count;
  }

 private:
  std::string_view bytes_;
  size_t at_ = 0;
};

std::string Events(size_t count) {
  std::string text;
  for (size_t i = 0; i < count; ++i) {
    text += (i == 0 ? "\n  {" : ",\n  {") + std::string(R"("ph": "X", "name": ")") + std::string(i * 37 % 300, 'n') +
            R"(", "ts": )" + std::to_string(i) + R"(, "args": {"list": [{"a": 1}, {"name": 2}]}})";
  }
  return text + "\n]}";
}

struct Piece {
  uint64_t offset = 0;
  std::string text;
  friend bool operator==(const Piece&, const Piece&) = default;
};

std::vector<Piece> ReadAll(BlockReader& reader) {
  std::vector<Piece> pieces;
  Block block;
  while (reader.Next(block)) {
    EXPECT_EQ(block.index, pieces.size());
    pieces.push_back({block.offset, std::string(block.text.view())});
  }
  return pieces;
}

std::vector<Piece> ReadWithRandomAccess(const std::string& text, size_t events_at, size_t block_bytes) {
  ImportOptions options;
  options.block_bytes = block_bytes;
  const std::unique_ptr<ByteSource> source = OpenByteSource(text, "bytes").value();
  BlockReader reader(*source, events_at, "", options);
  return ReadAll(reader);
}

std::vector<Piece> ReadSequentially(const std::string& text, size_t events_at, size_t read_ahead, size_t block_bytes) {
  ImportOptions options;
  options.block_bytes = block_bytes;
  SequentialSource source(text);
  std::string start(events_at + read_ahead, '\0');
  start.resize(source.Read(start.data(), start.size()));
  BlockReader reader(source, events_at, start.substr(events_at), options);
  return ReadAll(reader);
}

// Blocks join to the text, and each but the first begins at a border, the first one after `block_bytes`.
void ExpectCut(const std::vector<Piece>& pieces, const std::string& text, size_t events_at, size_t block_bytes) {
  size_t at = events_at;
  PaddedText padded;
  padded.Assign(text);
  for (size_t i = 0; i < pieces.size(); ++i) {
    ASSERT_EQ(pieces[i].offset, at);
    ASSERT_EQ(pieces[i].text, text.substr(at, pieces[i].text.size()));
    if (i + 1 < pieces.size()) {
      const char* const border = FindEventBorder(padded.begin() + std::min(at + block_bytes, text.size()), padded.end());
      ASSERT_EQ(at + pieces[i].text.size(), static_cast<size_t>(border - padded.begin()));
    }
    at += pieces[i].text.size();
  }
  EXPECT_EQ(at, text.size());
}

TEST(BlockReaderTest, BordersLieAtEvents) {
  const std::string text = "{\"traceEvents\": [" + Events(300);
  const size_t events_at = text.find('[') + 1;
  for (const size_t block_bytes : {size_t{1}, size_t{100}, size_t{4096}, size_t{20'000}, text.size()}) {
    ExpectCut(ReadWithRandomAccess(text, events_at, block_bytes), text, events_at, block_bytes);
  }
}

TEST(BlockReaderTest, SequentialBordersAreTheSame) {
  const std::string text = "{\"traceEvents\": [" + Events(300);
  const size_t events_at = text.find('[') + 1;
  for (const size_t block_bytes : {size_t{100}, size_t{4096}, size_t{20'000}, text.size()}) {
    const std::vector<Piece> random_access = ReadWithRandomAccess(text, events_at, block_bytes);
    for (const size_t read_ahead : {size_t{0}, size_t{500}, size_t{30'000}, text.size()}) {
      std::vector<Piece> sequential = ReadSequentially(text, events_at, read_ahead, block_bytes);
      ExpectCut(sequential, text, events_at, block_bytes);
      // Only the last block may be longer: it takes what is left when the end is seen.
      ASSERT_LE(sequential.size(), random_access.size());
      sequential.pop_back();
      EXPECT_TRUE(std::equal(sequential.begin(), sequential.end(), random_access.begin()));
    }
  }
}

TEST(BlockReaderTest, AnEventLongerThanTheWindowIsOneBlock) {
  const std::string event = R"({"ph": "X", "name": ")" + std::string(100'000, 'n') + "\"}";
  const std::string text = event + ", " + event + "]";
  for (const std::vector<Piece>& pieces : {ReadWithRandomAccess(text, 0, 10), ReadSequentially(text, 0, 0, 10)}) {
    ASSERT_EQ(pieces.size(), 2u);
    EXPECT_EQ(pieces[1].offset, event.size() + 2);
  }
}

TEST(BlockReaderTest, TextWithoutBordersIsCutSomewhere) {
  const std::string text(BlockReader::kLargestBlock * 2 + 1000, 'n');
  for (const std::vector<Piece>& pieces : {ReadWithRandomAccess(text, 0, 1000), ReadSequentially(text, 0, 0, 1000)}) {
    ASSERT_GE(pieces.size(), 2u);
    size_t size = 0;
    for (const Piece& piece : pieces) size += piece.text.size();
    EXPECT_EQ(size, text.size());
    EXPECT_LE(pieces[0].text.size(), BlockReader::kLargestBlock + 1000);
  }
}

TEST(BlockReaderTest, NothingLeft) {
  EXPECT_TRUE(ReadWithRandomAccess("[", 1, 100).empty());
  EXPECT_TRUE(ReadSequentially("[", 1, 0, 100).empty());
}

TEST(BlockReaderTest, ProgressIsTold) {
  const std::string text = Events(50);
  ImportOptions options;
  options.block_bytes = 1000;
  std::vector<int64_t> done;
  options.progress = [&](int64_t now, int64_t total) {
    done.push_back(now);
    EXPECT_EQ(total, static_cast<int64_t>(text.size()));
  };
  const std::unique_ptr<ByteSource> source = OpenByteSource(text, "bytes").value();
  BlockReader reader(*source, 0, "", options);
  ReadAll(reader);
  EXPECT_TRUE(std::is_sorted(done.begin(), done.end()));
  ASSERT_FALSE(done.empty());
  EXPECT_EQ(done.back(), static_cast<int64_t>(text.size()));
  EXPECT_EQ(reader.bytes_given(), text.size());
}

TEST(BlockReaderTest, ManyThreadsGetEachBlockOnce) {
  const std::string text = Events(500);
  ImportOptions options;
  options.block_bytes = 500;
  const std::unique_ptr<ByteSource> source = OpenByteSource(text, "bytes").value();
  BlockReader reader(*source, 0, "", options);
  std::vector<std::vector<Piece>> by_thread(4);
  std::vector<std::thread> threads;
  for (std::vector<Piece>& pieces : by_thread) {
    threads.emplace_back([&] {
      Block block;
      while (reader.Next(block)) pieces.push_back({block.offset, std::string(block.text.view())});
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::vector<Piece> all;
  for (const std::vector<Piece>& pieces : by_thread) all.insert(all.end(), pieces.begin(), pieces.end());
  std::sort(all.begin(), all.end(), [](const Piece& a, const Piece& b) { return a.offset < b.offset; });
  ExpectCut(all, text, 0, 500);
}

}  // namespace
}  // namespace warpsight::torch_json
