#include "formats/file_head.h"

#include "formats/known_files.h"

namespace warpsight {
namespace {

constexpr size_t kHeadBytes = size_t{64} << 10;

}  // namespace

std::string ReadHead(ByteSource& source) {
  if (source.size() < 0) return std::string(source.Peek(kHeadBytes));
  std::string head(kHeadBytes, '\0');
  head.resize(source.ReadAt(0, head.data(), head.size()));
  return head;
}

std::string NotRecognised(const ByteSource& source, std::string_view head) {
  std::string message = source.name() + ": " + DescribeUnreadable(head);
  if (!source.problem().empty()) message += " (" + source.problem() + ")";
  return message;
}

}  // namespace warpsight
