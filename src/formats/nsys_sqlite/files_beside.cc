#include "formats/nsys_sqlite/files_beside.h"

#include <sys/stat.h>

#include <fstream>
#include <string_view>

namespace warpsight::nsys_sqlite {
namespace {

// A log without a frame is its header alone.
constexpr off_t kWalHeaderBytes = 32;

off_t FileBytes(const std::string& path) {
  struct stat facts {};
  return stat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) ? facts.st_size : 0;
}

// A journal that is done with may stay, with zeros for its first bytes.
bool IsDone(const std::string& journal) {
  char first = 1;
  std::ifstream(journal, std::ios::binary).read(&first, 1);
  return first == 0;
}

}  // namespace

void NoteFilesBeside(const std::string& path, ImportLog& log) {
  if (FileBytes(path + "-wal") > kWalHeaderBytes) {
    log.Add("wal_not_read", ImportSeverity::kWarning, Effect::kNote,
            "a write-ahead log (" + path +
                "-wal) lies beside the file and is not read: its rows are missing here unless they were written back; write "
                "them back with: sqlite3 FILE 'PRAGMA wal_checkpoint(TRUNCATE)'",
            -1);
  }
  const std::string journal = path + "-journal";
  if (FileBytes(journal) > 0 && !IsDone(journal)) {
    log.Add(
        "journal_not_read", ImportSeverity::kWarning, Effect::kNote,
        "a journal (" + journal +
            ") lies beside the file and is not read: a change of the file was broken off, so rows may be missing or stand "
            "for others; export again, or let sqlite3 open the file once",
        -1);
  }
}

}  // namespace warpsight::nsys_sqlite
