#include "base/check.h"

#include <cstdio>
#include <cstdlib>

namespace warpsight {

void CheckFailed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "warpsight: internal error: %s does not hold (%s:%d); please report this with the input file\n",
               condition, file, line);
  std::_Exit(5);
}

}  // namespace warpsight
