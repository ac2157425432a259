#include "cli/record/capture_parts.h"

#include <errno.h>
#include <fmt/format.h>
#include <stdlib.h>
#include <string.h>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>
#include <utility>
#include <vector>

#include "cli/record/file_text.h"
#include "formats/native/chunk_list.h"
#include "formats/native/chunk_rows.h"
#include "wire/chunk_decoder.h"

namespace warpsight {
namespace {

constexpr const char* kPartEnding = ".wscap";

// What the last chunk of a part says; of a part that was not closed, what its chunks hold.
void TakeCounts(const native::ChunkList& list, JoinedCapture& joined) {
  std::vector<uint8_t> raw;
  native::WorkerNames names;
  native::ChunkRows last(names, {}, 0);
  if (native::Inflate(list.chunks.back(), raw)) (void)wire::DecodeChunk(raw, list.chunks.back().header.base_ns, last);
  for (const auto& [cause, count] : last.counts) joined.counts[cause] += count;
  if (last.finished) return;
  if (list.chunks.back().header.process == 0) {
    ++joined.counts["problem: GPU metrics end early: their sampler was ended"];
  } else {
    ++joined.unfinished;
  }
  for (const native::StoredChunk& chunk : list.chunks) {
    native::ChunkRows rows(names, {}, 0);
    if (!native::Inflate(chunk, raw)) continue;
    (void)wire::DecodeChunk(raw, chunk.header.base_ns, rows);
    joined.counts["records_kept"] += static_cast<uint64_t>(rows.shard.log.read());
    for (const GpuWorkRow& row : rows.shard.gpu) joined.counts["kernels_kept"] += row.kind == GpuKind::kKernel ? 1 : 0;
  }
}

}  // namespace

std::vector<StoredPart> PartsOf(const std::string& folder) {
  std::map<std::string, std::vector<std::filesystem::path>> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() != kPartEnding) continue;
    const std::string stem = entry.path().stem().string();
    files[stem.substr(0, stem.find('-', stem.find('-') + 1))].push_back(entry.path());
  }
  std::vector<StoredPart> parts;
  for (auto& [name, of_part] : files) {
    // A ring's chunks by their numbers; the file of the last chunk behind them.
    std::sort(of_part.begin(), of_part.end(), [&name = name](const auto& a, const auto& b) {
      return std::pair(a.stem() == name, a.string()) < std::pair(b.stem() == name, b.string());
    });
    parts.push_back({name, std::move(of_part)});
  }
  return parts;
}

std::string BytesOfPart(const StoredPart& part) {
  std::string all;
  for (const std::filesystem::path& file : part.files) {
    const std::string bytes = TextOfFile(file);
    if (all.empty()) {
      all = bytes;
      continue;
    }
    const Result<native::ChunkList> list = native::ListChunks(bytes, file.string());
    if (list.ok() && !list->chunks.empty()) all.append(bytes, list->chunks.front().offset - sizeof(wire::ChunkHeader));
  }
  return all;
}

std::string MakePartsFolder(const std::string& output) {
  std::error_code error;
  std::string path = std::filesystem::absolute(output, error).string() + ".parts-XXXXXX";
  return mkdtemp(path.data()) == nullptr ? std::string() : path;
}

Result<JoinedCapture> JoinParts(const std::string& folder, const std::string& output) {
  JoinedCapture joined;
  std::ofstream file;
  const auto failed = [&] {
    return UnreadableError(
        fmt::format("{}: the capture can't be written ({}): what was recorded lies in {}", output, strerror(errno), folder));
  };
  const std::vector<StoredPart> parts = PartsOf(folder);
  // Of the machine alone there is nothing to tell.
  if (std::all_of(parts.begin(), parts.end(), [](const StoredPart& part) { return part.of_machine(); })) return joined;
  for (const StoredPart& part : parts) {
    const std::string bytes = BytesOfPart(part);
    if (bytes.empty()) continue;  // there was no room even for its header
    const Result<native::ChunkList> list = native::ListChunks(bytes, part.name);
    if (!list.ok()) {
      ++joined.unreadable;
      continue;
    }
    if (list->chunks.empty()) {
      // Killed before its first chunk, or what follows the header is no chunk.
      joined.unreadable += list->bytes_left > 0 ? 1 : 0;
      continue;
    }
    joined.processes += part.of_machine() ? 0 : 1;
    TakeCounts(*list, joined);
    const uint64_t end = list->bytes_left > 0 ? list->damaged_at : bytes.size();
    const uint64_t begin = list->chunks.front().offset - sizeof(wire::ChunkHeader);
    if (!file.is_open()) {
      file.open(output, std::ios::binary | std::ios::trunc);
      if (!file.is_open()) return failed();
      file.write(bytes.data(), static_cast<std::streamsize>(begin));
      joined.bytes = begin;
    }
    file.write(bytes.data() + begin, static_cast<std::streamsize>(end - begin));
    joined.bytes += end - begin;
  }
  if (!file.is_open()) return joined;
  file.close();
  if (file.fail()) return failed();
  return joined;
}

}  // namespace warpsight
