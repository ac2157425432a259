// RenderJson: the JSON document of a verb, as the command line contract fixes it.
//
// {"schema": "warpsight.<verb>/1", ...document.data...}, indented by 2, with a line feed at the end. Bytes that are not
// UTF-8 become U+FFFD, NaN and infinities become null, integers keep every digit.
// Errors: CHECKs that document.data is an object or null. Threads: pure, thread-safe.
#pragma once

#include <string>

#include "document/document.h"

namespace warpsight {

// Move the document in when it is not needed any more: its data may be large.
std::string RenderJson(Document document);

}  // namespace warpsight
