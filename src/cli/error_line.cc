#include "cli/error_line.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <utility>

#include "base/one_line.h"
#include "render/display_text.h"

namespace warpsight {

void SayError(std::string text) {
  // Printable takes the others that a terminal would obey, and bytes that are no text: names of files may be anything.
  text = Printable(OneLine(std::move(text)), false);
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
