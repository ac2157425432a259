// `warpsight record --armed` and `warpsight trigger`: captures by time and by steps, one at a time, from processes that are
// the user's own.
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "record/record_fixture.h"

namespace warpsight::record_trigger_test {
namespace {

class RecordTriggerTest : public RecordTest {
 protected:
  void SetUp() override {
#ifdef WARPSIGHT_SANITIZED
    GTEST_SKIP() << "the leak check can't stop the threads of a program in the background";
#endif
  }
  // Runs `script` while an armed program runs, which has `$ARMED` for its number and must end as if nobody had looked.
  void WhileArmed(const std::string& arguments, const std::string& script) {
    EXPECT_EQ(Script("\"$WARPSIGHT\" record --armed --quiet --cupti \"$CUPTI\" -- $PROGRAM " + arguments +
                     " status=3 > out 2> err &\nARMED=$!\nsleep 0.5\n" + script + "\nwait $ARMED; echo $? > status\n"),
              0);
    EXPECT_EQ(Said("status"), "3\n") << Said("err");
    EXPECT_EQ(Said("out"), "output of the program\n");
  }
  int64_t RangesLike(const Trace& trace, std::string_view beginning) {
    int64_t rows = 0;
    for (uint32_t row = 0; row < trace.host().size(); ++row)
      rows += trace.Text(trace.host().name[row]).starts_with(beginning) ? 1 : 0;
    return rows;
  }
};

TEST_F(RecordTriggerTest, StepsAreCounted) {
  WhileArmed("for_ms=4000 outer=iteration",
             "\"$WARPSIGHT\" trigger $ARMED --steps 5 -o outer.wscap 2> said1\n"
             "\"$WARPSIGHT\" trigger $ARMED --steps 3 --step-range iteration -o named.wscap 2> said2\n"
             "\"$WARPSIGHT\" trigger $ARMED --steps 7 --step-range step -o inner.wscap 2> said3\n");
  const Trace outer = OpenFile(folder_.File("outer.wscap"), Said("said1"));
  CheckInvariants(outer);
  EXPECT_EQ(RangesLike(outer, "iteration"), 5);
  EXPECT_EQ(outer.gpu().size(), 50u);
  EXPECT_EQ(outer.log().excluded() + CountOf(outer, "recording_not_finished"), 0);
  EXPECT_NE(Said("said1").find("5 steps, ranges iteration"), std::string::npos) << Said("said1");
  EXPECT_EQ(RangesLike(OpenFile(folder_.File("named.wscap"), Said("said2")), "iteration"), 3);
  const Trace inner = OpenFile(folder_.File("inner.wscap"), Said("said3"));
  EXPECT_EQ(RangesNamed(inner, "step"), 7);
  EXPECT_EQ(inner.gpu().size(), 7u);
}

TEST_F(RecordTriggerTest, WithoutStepsNothingIsCaptured) {
  WhileArmed("for_ms=6000 nvtx=0",
             "\"$WARPSIGHT\" trigger $ARMED --steps 5 -d 0.5 -o none.wscap 2> said1; echo $? > status1\n"
             "\"$WARPSIGHT\" trigger $ARMED -d 0.2 -o after.wscap 2> said2; echo $? > status2\n");
  EXPECT_EQ(Said("status1"), "4\n");
  EXPECT_NE(Said("said1").find("made no step within 0.5 s"), std::string::npos) << Said("said1");
  EXPECT_FALSE(Exists("none.wscap"));
  EXPECT_EQ(Said("status2"), "0\n") << Said("said2");
  EXPECT_TRUE(Exists("after.wscap"));
}

TEST_F(RecordTriggerTest, RangesThatMightBeStepsAreNamed) {
  WhileArmed("for_ms=5000 outer=iteration",
             "\"$WARPSIGHT\" trigger $ARMED --steps 5 -d 0.5 --step-range decode -o none.wscap 2> said; echo $? > status1\n"
             "\"$WARPSIGHT\" trigger $ARMED --steps 10000 -d 0.7 -o few.wscap 2> few; echo $? > status2\n");
  EXPECT_EQ(Said("status1"), "4\n");
  EXPECT_NE(Said("said").find("no range decode ended"), std::string::npos) << Said("said");
  EXPECT_EQ(Said("status2"), "0\n");
  EXPECT_NE(Said("few").find("ONLY"), std::string::npos) << Said("few");
  EXPECT_GT(OpenFile(folder_.File("few.wscap")).gpu().size(), 20u);
}

TEST_F(RecordTriggerTest, OneTriggerAtATime) {
  WhileArmed("for_ms=4000",
             "\"$WARPSIGHT\" trigger $ARMED -d 1.5 -o first.wscap 2> said1 & FIRST=$!\nsleep 0.5\n"
             "\"$WARPSIGHT\" trigger $ARMED -d 0.2 -o second.wscap 2> said2; echo $? > status2\n"
             "wait $FIRST; echo $? > status1\n"
             "\"$WARPSIGHT\" trigger $ARMED -d 0.2 -o third.wscap 2> said3; echo $? > status3\n");
  EXPECT_EQ(Said("status1"), "0\n");
  EXPECT_EQ(Said("status2"), "4\n");
  EXPECT_NE(Said("said2").find("another trigger is at work"), std::string::npos) << Said("said2");
  EXPECT_FALSE(Exists("second.wscap"));
  EXPECT_EQ(Said("status3"), "0\n");
  const Trace first = OpenFile(folder_.File("first.wscap"), Said("said1"));
  EXPECT_GT(first.capture().duration(), 1'200'000'000);
  EXPECT_EQ(CountOf(first, "recording_not_finished"), 0);
}

TEST_F(RecordTriggerTest, WorkThatIsNotFinishedIsWaitedFor) {
  WhileArmed("for_ms=300 windows=300 run_ms=120 gap_ms=5 launches=1",
             "\"$WARPSIGHT\" trigger $ARMED -d 0.5 -o run.wscap 2> said\n");
  const Trace trace = OpenFile(folder_.File("run.wscap"), Said("said"));
  CheckInvariants(trace);
  EXPECT_EQ(CountOf(trace, "dropped_without_time"), 0);
  EXPECT_EQ(trace.gpu().size(), HostRows(trace, HostKind::kApi));
}

TEST_F(RecordTriggerTest, StepsNeedANumber) {
  EXPECT_EQ(Script("\"$WARPSIGHT\" trigger $$ --step-range step 2> err"), 2);
  EXPECT_EQ(Script("\"$WARPSIGHT\" trigger $$ --steps 0 2> err"), 2);
  EXPECT_EQ(Script("\"$WARPSIGHT\" trigger $$ --steps 2 --step-range @x 2> err"), 2);
}

// A process may name any folder as its own: only one that is the user's alone is taken for it.
TEST_F(RecordTriggerTest, FoldersThatAreNotOursAreNotTrusted) {
  const std::string trigger =
      "\nWARPSIGHT_CAPTURE=\"armed=1;folder=$PWD/parts\" sleep 5 & ARMED=$!\nsleep 0.2\n"
      "\"$WARPSIGHT\" trigger $ARMED -o run.wscap 2> err; STATUS=$?\nkill $ARMED\nexit $STATUS\n";
  EXPECT_EQ(Script("mkdir real; ln -s real parts" + trigger), 2);
  EXPECT_NE(Said("err").find("nothing is triggered"), std::string::npos) << Said("err");
  EXPECT_EQ(Script("rm parts; mkdir parts; chmod 777 parts" + trigger), 2);
  EXPECT_EQ(Script("chmod 700 parts; touch parts/x" + trigger), 4) << Said("err");
  if (geteuid() == 0) {
    EXPECT_EQ(Script("chown 12345 parts" + trigger), 2) << Said("err");
  }
  EXPECT_FALSE(Exists("run.wscap"));
}

TEST_F(RecordTriggerTest, ProcessesOfOthersAreNotTriggered) {
  if (geteuid() != 0) GTEST_SKIP() << "needs another user";
  EXPECT_EQ(Script("setpriv --reuid 12345 --clear-groups sleep 5 & OTHER=$!\nsleep 0.3\n"
                   "\"$WARPSIGHT\" trigger $OTHER 2> err; STATUS=$?\nkill $OTHER\nexit $STATUS\n"),
            2);
  EXPECT_NE(Said("err").find("belongs to another user"), std::string::npos) << Said("err");
}

}  // namespace
}  // namespace warpsight::record_trigger_test
