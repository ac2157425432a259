// PageAnswer: the files of the web page by their exact names; nothing is looked up on disk.
//
// Place in the flow: path -> PageFiles() -> Response, gzip'd where the client takes that. Thread-safe.
#pragma once

#include <span>
#include <string_view>

#include "server/api/message.h"
#include "server/api/page_files.h"

namespace warpsight::server {

// "/" is index.html. 404 for what is not there; without a page "/" says how to build it in.
Response PageAnswer(const Request& request, std::span<const PageFile> files);

// By the ending of a file's name.
std::string_view ContentTypeOf(std::string_view path);

}  // namespace warpsight::server
