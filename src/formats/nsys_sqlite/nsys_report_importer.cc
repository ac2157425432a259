#include "formats/nsys_sqlite/nsys_report_importer.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>
#include <vector>

#include "base/temporary_folder.h"
#include "formats/file_head.h"
#include "formats/nsys_sqlite/nsys_sqlite_importer.h"

extern char** environ;

namespace warpsight {
namespace {

constexpr std::string_view kNsysReportMagic = "NVIDIA Tegra Profiler Report ";

bool CopyTo(ByteSource& source, const std::string& path) {
  std::ofstream out(path, std::ios::binary);
  std::vector<char> piece(size_t{1} << 20);
  for (size_t got = source.Read(piece.data(), piece.size()); got > 0; got = source.Read(piece.data(), piece.size())) {
    out.write(piece.data(), static_cast<std::streamsize>(got));
  }
  return static_cast<bool>(out.flush());
}

// Exit status of the command, its output in `log`; -1 when there is no such program, -2 when it ended otherwise.
int RunProgram(std::vector<std::string> words, const std::string& log) {
  std::vector<char*> arguments;
  arguments.reserve(words.size() + 1);
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&files, 1, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&files, 1, 2);
  pid_t child = 0;
  const int failed = posix_spawnp(&child, arguments[0], &files, nullptr, arguments.data(), environ);
  posix_spawn_file_actions_destroy(&files);
  if (failed != 0) return failed == ENOENT || failed == EACCES ? -1 : -2;
  int status = 0;
  while (waitpid(child, &status, 0) < 0) {
    if (errno != EINTR) return -2;
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -2;
}

// The last line of what nsys said.
std::string LastLine(const std::string& log) {
  std::ifstream in(log);
  std::string last;
  for (std::string line; std::getline(in, line);) {
    if (line.find_first_not_of(" \t\r") != std::string::npos) last = line;
  }
  return last.substr(0, 200);
}

class NsysReportImporter final : public Importer {
 public:
  std::string_view name() const override { return "nsys_report"; }
  std::string_view description() const override {
    return "Nsight Systems report (.nsys-rep, .qdrep), where nsys is on PATH to export it";
  }
  bool Recognises(std::string_view head) const override {
    return head.substr(0, kNsysReportMagic.size()) == kNsysReportMagic;
  }

  Result<Trace> Import(std::unique_ptr<ByteSource> source, const ImportOptions& options) const override {
    const std::string file = source->name();
    const std::string container = source->container();
    const int64_t file_bytes = source->stored_bytes();
    const std::string version = NsysReportVersion(ReadHead(*source));
    const TemporaryFolder folder;
    if (!folder.made()) return UnreadableError(file + ": cannot make a temporary folder to export it to: set TMPDIR");
    const std::string report = folder.File("report.nsys-rep");
    const std::string exported = folder.File("export.sqlite");
    const std::string log = folder.File("log");
    if (RunProgram({"nsys", "--version"}, log) == -1) return NoNsys(file, version);
    if (!CopyTo(*source, report)) return UnreadableError(file + ": cannot copy it to " + report + ": set TMPDIR");
    const int status =
        RunProgram({"nsys", "export", "--type", "sqlite", "--force-overwrite", "true", "--output", exported, report}, log);
    if (status != 0 || !std::filesystem::exists(exported)) {
      return UnreadableError(file + ": nsys cannot export it (" + LastLine(log) +
                             "): the report is damaged, or newer than the nsys on PATH");
    }
    Result<std::unique_ptr<ByteSource>> database = OpenByteSource(exported);
    if (!database.ok()) return database.status();
    Result<Trace> trace = MakeNsysSqliteImporter()->Import(
        std::make_unique<RenamedSource>(std::move(database).value(), file, container, file_bytes), options);
    return trace;
  }

 private:
  // The export under the name of the report that it was made of.
  class RenamedSource final : public ByteSource {
   public:
    RenamedSource(std::unique_ptr<ByteSource> source, const std::string& name, const std::string& container, int64_t bytes)
        : ByteSource(name, container), source_(std::move(source)), bytes_(bytes) {}
    int64_t size() const override { return source_->size(); }
    size_t ReadAt(uint64_t offset, char* out, size_t size) const override { return source_->ReadAt(offset, out, size); }
    int64_t stored_bytes() const override { return bytes_; }

   protected:
    size_t ReadSome(char* out, size_t size) override { return source_->Read(out, size); }

   private:
    std::unique_ptr<ByteSource> source_;
    int64_t bytes_;
  };

  static Status NoNsys(const std::string& file, const std::string& version) {
    const std::string made_by = version.empty() ? "" : " " + version;
    const std::string needed = version.empty() ? "" : " (version " + version + " or newer)";
    return LacksError(file + ": is an Nsight Systems" + made_by +
                      " report, whose events only nsys itself can read, and nsys is not on PATH: run `nsys export --type "
                      "sqlite --output export.sqlite REPORT` where Nsight Systems" +
                      needed + " is installed, and give warpsight the export.sqlite");
  }
};

}  // namespace

std::string NsysReportVersion(std::string_view head) {
  if (head.substr(0, kNsysReportMagic.size()) != kNsysReportMagic) return {};
  head.remove_prefix(kNsysReportMagic.size());
  // "2024@6@2@225-..." since the end of 2023, "1." before.
  std::string version;
  for (const char c : head.substr(0, head.find('-'))) {
    if (c != '@' && (c < '0' || c > '9')) return {};
    version += c == '@' ? '.' : c;
  }
  if (version.find('.') == std::string::npos || version.size() > 32) return {};
  // Without the build number.
  if (std::count(version.begin(), version.end(), '.') == 3) version.resize(version.rfind('.'));
  return version;
}

std::unique_ptr<Importer> MakeNsysReportImporter() { return std::make_unique<NsysReportImporter>(); }

}  // namespace warpsight
