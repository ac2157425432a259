#include "base/status.h"

namespace warpsight {

int ExitCode(StatusKind kind) {
  switch (kind) {
    case StatusKind::kOk:
      return 0;
    case StatusKind::kUsage:
      return 2;
    case StatusKind::kUnreadable:
      return 3;
    case StatusKind::kLacks:
      return 4;
    case StatusKind::kInternal:
      return 5;
  }
  return 5;
}

}  // namespace warpsight
