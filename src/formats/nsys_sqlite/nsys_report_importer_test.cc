#include "formats/nsys_sqlite/nsys_report_importer.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "base/temporary_folder.h"
#include "formats/nsys_sqlite/made_export.h"
#include "formats/open_trace.h"

namespace warpsight {
namespace {

const char* const kReport = "NVIDIA Tegra Profiler Report 2024@6@2@225-246235244400v0.\n rest";

// A folder that is all of PATH while the test runs, and a stand-in for nsys in it.
class NsysReportImporterTest : public ::testing::Test {
 protected:
  NsysReportImporterTest() : path_(std::getenv("PATH")) { setenv("PATH", folder_.path().c_str(), 1); }
  ~NsysReportImporterTest() override { setenv("PATH", path_.c_str(), 1); }
  void Install(const std::string& script) const {
    std::ofstream(folder_.File("nsys")) << "#!/bin/sh\n" << script << "\n";
    chmod(folder_.File("nsys").c_str(), 0755);
  }

  std::string path_;
  const TemporaryFolder folder_;
};

TEST(NsysReportVersionTest, OfEveryEra) {
  EXPECT_EQ(NsysReportVersion(kReport), "2024.6.2");
  EXPECT_EQ(NsysReportVersion("NVIDIA Tegra Profiler Report 1.\n"), "");
  EXPECT_EQ(NsysReportVersion("NVIDIA Tegra Profiler Report "), "");
  EXPECT_EQ(NsysReportVersion("something else"), "");
}

TEST_F(NsysReportImporterTest, WithoutNsysItSaysWhatToRun) {
  const Result<Trace> trace = OpenTraceBytes(kReport, "run.nsys-rep", {});
  ASSERT_FALSE(trace.ok());
  EXPECT_EQ(trace.status().kind(), StatusKind::kLacks);
  const std::string& message = trace.status().message();
  EXPECT_NE(message.find("run.nsys-rep: is an Nsight Systems 2024.6.2 report"), std::string::npos) << message;
  EXPECT_NE(message.find("nsys export --type sqlite"), std::string::npos) << message;
  EXPECT_EQ(message.find('\n'), std::string::npos);
}

TEST_F(NsysReportImporterTest, NsysExportsIt) {
  testing::CudaExport made;
  made.Kernel(1, 2, "k", 1);
  std::ofstream(folder_.File("made.sqlite"), std::ios::binary) << made.Bytes();
  // Arguments: export --type sqlite --force-overwrite true --output OUT REPORT
  Install("[ \"$1\" = --version ] && exit 0\n/bin/grep -q 'Tegra Profiler' \"$8\" || exit 1\n/bin/cp " + folder_.path() +
          "/made.sqlite \"$7\"");
  const Result<Trace> trace = OpenTraceBytes(kReport, "run.nsys-rep", {});
  ASSERT_TRUE(trace.ok()) << trace.status().message();
  EXPECT_EQ(trace->gpu().size(), 1u);
  EXPECT_EQ(trace->recording().file, "run.nsys-rep");
}

TEST_F(NsysReportImporterTest, NsysRefusesIt) {
  Install("[ \"$1\" = --version ] && exit 0\necho starting; echo 'Error: bad file' >&2; exit 1");
  const Result<Trace> trace = OpenTraceBytes(kReport, "run.nsys-rep", {});
  ASSERT_FALSE(trace.ok());
  EXPECT_EQ(trace.status().kind(), StatusKind::kUnreadable);
  EXPECT_NE(trace.status().message().find("(Error: bad file)"), std::string::npos) << trace.status().message();
}

}  // namespace
}  // namespace warpsight
