#include "formats/nsys_sqlite/source_vfs.h"

#include <algorithm>
#include <atomic>
#include <cstring>

#include "base/check.h"

namespace warpsight::nsys_sqlite {
namespace {

struct SourceFile {
  sqlite3_file base;  // first, as SQLite asks
  const SourceVfs* vfs;
};

const SourceVfs& VfsOf(sqlite3_file* file) { return *reinterpret_cast<SourceFile*>(file)->vfs; }

int CloseFile(sqlite3_file* /*file*/) { return SQLITE_OK; }

int ReadFile(sqlite3_file* file, void* out, int size, sqlite3_int64 offset) {
  const SourceVfs& vfs = VfsOf(file);
  const auto wanted = static_cast<size_t>(size);
  const size_t got = vfs.source().ReadAt(static_cast<uint64_t>(offset), static_cast<char*>(out), wanted);
  if (got == wanted) return SQLITE_OK;
  std::memset(static_cast<char*>(out) + got, 0, wanted - got);
  return offset + size <= vfs.whole_size() ? SQLITE_OK : SQLITE_IOERR_SHORT_READ;
}

int FileSize(sqlite3_file* file, sqlite3_int64* size) {
  *size = VfsOf(file).whole_size();
  return SQLITE_OK;
}

int RefuseWrite(sqlite3_file* /*file*/, const void* /*bytes*/, int /*size*/, sqlite3_int64 /*offset*/) {
  return SQLITE_READONLY;
}
int RefuseTruncate(sqlite3_file* /*file*/, sqlite3_int64 /*size*/) { return SQLITE_READONLY; }
int NothingToSync(sqlite3_file* /*file*/, int /*flags*/) { return SQLITE_OK; }
int NothingToLock(sqlite3_file* /*file*/, int /*level*/) { return SQLITE_OK; }
int NobodyReserved(sqlite3_file* /*file*/, int* reserved) {
  *reserved = 0;
  return SQLITE_OK;
}
int NoControl(sqlite3_file* /*file*/, int /*operation*/, void* /*argument*/) { return SQLITE_NOTFOUND; }
int SectorSize(sqlite3_file* /*file*/) { return 4096; }
int Characteristics(sqlite3_file* /*file*/) { return SQLITE_IOCAP_IMMUTABLE; }

constexpr sqlite3_io_methods kMethods = {1,
                                         CloseFile,
                                         ReadFile,
                                         RefuseWrite,
                                         RefuseTruncate,
                                         NothingToSync,
                                         FileSize,
                                         NothingToLock,
                                         NothingToLock,
                                         NobodyReserved,
                                         NoControl,
                                         SectorSize,
                                         Characteristics,
                                         nullptr,
                                         nullptr,
                                         nullptr,
                                         nullptr,
                                         nullptr,
                                         nullptr};

int OpenFile(sqlite3_vfs* vfs, const char* /*name*/, sqlite3_file* file, int flags, int* out_flags) {
  file->pMethods = nullptr;
  if ((flags & SQLITE_OPEN_MAIN_DB) == 0) return SQLITE_CANTOPEN;
  reinterpret_cast<SourceFile*>(file)->vfs = static_cast<const SourceVfs*>(vfs->pAppData);
  file->pMethods = &kMethods;
  if (out_flags != nullptr) *out_flags = SQLITE_OPEN_READONLY;
  return SQLITE_OK;
}

int RefuseDelete(sqlite3_vfs* /*vfs*/, const char* /*name*/, int /*sync*/) { return SQLITE_IOERR_DELETE; }
int NothingElseExists(sqlite3_vfs* /*vfs*/, const char* /*name*/, int /*flags*/, int* result) {
  *result = 0;
  return SQLITE_OK;
}
int SameName(sqlite3_vfs* /*vfs*/, const char* name, int size, char* out) {
  sqlite3_snprintf(size, out, "%s", name);
  return SQLITE_OK;
}
int NoRandomness(sqlite3_vfs* /*vfs*/, int size, char* out) {
  std::memset(out, 0, static_cast<size_t>(size));
  return size;
}
int NoSleep(sqlite3_vfs* /*vfs*/, int /*microseconds*/) { return 0; }
int NoTime(sqlite3_vfs* /*vfs*/, double* now) {
  *now = 0;
  return SQLITE_OK;
}
int NoLastError(sqlite3_vfs* /*vfs*/, int /*size*/, char* /*out*/) { return 0; }

// Page count and size by the file's header; 0 when it has none to go by.
int64_t SizeByHeader(const ByteSource& source) {
  unsigned char header[100];
  if (source.ReadAt(0, reinterpret_cast<char*>(header), sizeof(header)) < sizeof(header)) return 0;
  const auto big_endian = [&](int at, int bytes) {
    int64_t value = 0;
    for (int i = 0; i < bytes; ++i) value = value << 8 | header[at + i];
    return value;
  };
  const int64_t page_bytes = big_endian(16, 2) == 1 ? 65536 : big_endian(16, 2);
  // The count holds only when the change counter and the one it was written with agree.
  return big_endian(24, 4) == big_endian(92, 4) ? page_bytes * big_endian(28, 4) : 0;
}

}  // namespace

SourceVfs::SourceVfs(const ByteSource& source) : source_(source), room_(source.size()) {
  static std::atomic<uint64_t> made = 0;
  name_ = "warpsight-source-" + std::to_string(made++);
  // A header that promises much more than there is tells of nothing that could be read.
  constexpr int64_t kMostMissing = int64_t{1} << 40;
  whole_size_ = std::clamp(SizeByHeader(source), source.size(), std::max(source.size(), kMostMissing));
  vfs_.iVersion = 1;
  vfs_.szOsFile = sizeof(SourceFile);
  vfs_.mxPathname = 512;
  vfs_.zName = name_.c_str();
  vfs_.pAppData = this;
  vfs_.xOpen = OpenFile;
  vfs_.xDelete = RefuseDelete;
  vfs_.xAccess = NothingElseExists;
  vfs_.xFullPathname = SameName;
  vfs_.xRandomness = NoRandomness;
  vfs_.xSleep = NoSleep;
  vfs_.xCurrentTime = NoTime;
  vfs_.xGetLastError = NoLastError;
  CHECK(sqlite3_vfs_register(&vfs_, 0) == SQLITE_OK);
}

SourceVfs::~SourceVfs() { sqlite3_vfs_unregister(&vfs_); }

int64_t SourceVfs::missing_bytes() const { return whole_size_ - source_.size(); }

}  // namespace warpsight::nsys_sqlite
