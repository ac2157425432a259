#include "formats/nsys_sqlite/nsys_report_importer.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <utility>
#include <vector>

#include "base/child_program.h"
#include "base/temporary_folder.h"
#include "formats/file_head.h"
#include "formats/nsys_sqlite/nsys_sqlite_importer.h"

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
    if (!RunChildProgram({"nsys", "--version"}, log, ChildErrors::kWithOutput).found) return NoNsys(file, version);
    if (!CopyTo(*source, report)) return UnreadableError(file + ": cannot copy it to " + report + ": set TMPDIR");
    const ChildProgramEnd end =
        RunChildProgram({"nsys", "export", "--type", "sqlite", "--force-overwrite", "true", "--output", exported, report},
                        log, ChildErrors::kWithOutput);
    if (!end.succeeded() || !std::filesystem::exists(exported)) {
      return UnreadableError(file + ": nsys cannot export it (" + LastLine(log) +
                             "): the report is damaged, or newer than the nsys on PATH");
    }
    Result<std::unique_ptr<ByteSource>> database = OpenByteSource(exported);
    if (!database.ok()) return database.status();
    Result<Trace> trace = MakeNsysSqliteImporter()->Import(
        std::make_unique<RenamedSource>(std::move(database).value(), file, container, file_bytes), options);
    return trace;
  }

  Result<std::string> ReadEvent(std::unique_ptr<ByteSource> source, uint64_t /*event*/) const override {
    return LacksError(
        source->name() +
        ": an Nsight Systems report is exported anew each time it is read: run `nsys export --type sqlite` once, "
        "and ask for the event in what that writes");
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
