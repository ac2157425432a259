#include "cli/error_line.h"

#include <cstdio>

#include "render/display_text.h"

namespace warpsight {

void SayError(std::string text) {
  for (char& c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F) c = ' ';
  }
  // The others that a terminal would obey, and bytes that are no text: names of files and programs may be anything.
  text = Printable(text, false);
  text = "warpsight: " + text + "\n";
  // Not fmt::print, which throws when the stream does not take it.
  (void)std::fwrite(text.data(), 1, text.size(), stderr);
}

int Fail(const Status& status) {
  SayError(status.message());
  return ExitCode(status.kind());
}

}  // namespace warpsight
