#include "server/api/page_answer.h"

#include <isa-l/igzip_lib.h>

#include <algorithm>
#include <map>
#include <mutex>
#include <string>
#include <utility>

namespace warpsight::server {
namespace {

constexpr std::pair<std::string_view, std::string_view> kTypes[] = {{".html", "text/html; charset=utf-8"},
                                                                    {".js", "text/javascript; charset=utf-8"},
                                                                    {".css", "text/css; charset=utf-8"},
                                                                    {".svg", "image/svg+xml"},
                                                                    {".json", "application/json"},
                                                                    {".map", "application/json"},
                                                                    {".txt", "text/plain; charset=utf-8"},
                                                                    {".png", "image/png"},
                                                                    {".ico", "image/x-icon"},
                                                                    {".woff2", "font/woff2"},
                                                                    {".wasm", "application/wasm"}};

constexpr std::string_view kNoPage =
    "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>warpsight</title>\n"
    "<h1>This program was built without the web page</h1>\n"
    "<p>The interface works: <a href=\"/api/v1/state\">/api/v1/state</a>. To have the page, install Node.js with npm and "
    "build again\n(<code>make</code> builds it from <code>ui/</code>), or build it by hand with "
    "<code>npm ci &amp;&amp; npm run build</code> in <code>ui/</code>\nand configure once more. "
    "<code>warpsight report FILE --html report.html</code> writes a page that needs neither.</p></html>\n";

// Empty when it does not become smaller.
std::string Gzip(std::string_view bytes) {
  isal_zstream stream;
  isal_deflate_init(&stream);
  std::string level_buffer(ISAL_DEF_LVL1_DEFAULT, '\0');
  stream.level = 1;
  stream.level_buf = reinterpret_cast<uint8_t*>(level_buffer.data());
  stream.level_buf_size = static_cast<uint32_t>(level_buffer.size());
  stream.gzip_flag = IGZIP_GZIP;
  stream.end_of_stream = 1;
  stream.next_in = reinterpret_cast<uint8_t*>(const_cast<char*>(bytes.data()));
  stream.avail_in = static_cast<uint32_t>(bytes.size());
  std::string packed(bytes.size(), '\0');
  stream.next_out = reinterpret_cast<uint8_t*>(packed.data());
  stream.avail_out = static_cast<uint32_t>(packed.size());
  const bool whole = isal_deflate(&stream) == COMP_OK && stream.internal_state.state == ZSTATE_END;
  packed.resize(whole ? stream.total_out : 0);
  return packed;
}

// Each file is packed once. Threads: locked.
const std::string& Packed(const PageFile& file) {
  static std::mutex mutex;
  static auto& packed = *new std::map<const char*, std::string>;
  const std::lock_guard<std::mutex> lock(mutex);
  const auto [found, is_new] = packed.try_emplace(file.bytes.data());
  if (is_new) found->second = Gzip(file.bytes);
  return found->second;
}

}  // namespace

std::string_view ContentTypeOf(std::string_view path) {
  for (const auto& [ending, type] : kTypes) {
    if (path.ends_with(ending)) return type;
  }
  return "application/octet-stream";
}

Response PageAnswer(const Request& request, std::span<const PageFile> files) {
  if (!request.path.starts_with('/')) return ErrorResponse(kNotFound, "there is no such path");
  const bool is_root = request.path == "/" || request.path == "/index.html";
  Response response;
  if (is_root && files.empty()) {
    response.content_type = "text/html; charset=utf-8";
    response.body = kNoPage;
    return response;
  }
  const std::string_view name = is_root ? "index.html" : std::string_view(request.path).substr(1);
  const auto file = std::ranges::lower_bound(files, name, {}, &PageFile::path);
  if (file == files.end() || file->path != name) return ErrorResponse(kNotFound, "there is no such path");
  response.content_type = ContentTypeOf(file->path);
  if (request.accepts_gzip) response.body = Packed(*file);
  response.is_gzip = !response.body.empty();
  if (!response.is_gzip) response.body = file->bytes;
  return response;
}

}  // namespace warpsight::server
