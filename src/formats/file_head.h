// The first bytes of a file, by which its format is recognised, and what to say when nothing recognises them.
#pragma once

#include <string>
#include <string_view>

#include "base/byte_source.h"

namespace warpsight {

// Up to 64 KiB of inflated bytes. Reading from the source still starts at its beginning.
std::string ReadHead(ByteSource& source);

// One line: the file, what it is, what to do.
std::string NotRecognised(const ByteSource& source, std::string_view head);

}  // namespace warpsight
