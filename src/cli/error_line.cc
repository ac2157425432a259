#include "cli/error_line.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>

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

void EndInOrderWithoutMemory() {
  std::set_terminate([] {
    try {
      if (const std::exception_ptr thrown = std::current_exception()) std::rethrow_exception(thrown);
    } catch (const std::bad_alloc&) {
      for (const char* text : {"warpsight: ", kOutOfMemory, "\n"}) std::fputs(text, stderr);
      std::fflush(stderr);
      _exit(ExitCode(StatusKind::kUnreadable));
    } catch (...) {  // a bug: as it would be without this
    }
    std::abort();
  });
}

}  // namespace warpsight
