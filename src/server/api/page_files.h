// The web page, compiled into the program: cmake/EmbedPage.cmake makes the contents from what `npm run build` wrote to
// ui/dist. Without them the program was built without the page.
//
// The bytes live as long as the program. Thread-safe.
#pragma once

#include <span>
#include <string_view>

namespace warpsight::server {

struct PageFile {
  std::string_view path;  // "index.html", "assets/app.js"
  std::string_view bytes;
};

// Sorted by path; empty in a program without the page.
std::span<const PageFile> PageFiles();

}  // namespace warpsight::server
