#include "analysis/counters/run_conditions.h"

#include <gtest/gtest.h>

#include <string_view>
#include <utility>

namespace warpsight {
namespace {

CounterReport ReportOfCommand(std::string_view command, std::string_view message = "") {
  CounterReportParts parts;
  parts.session.command_line = command;
  ProfiledKernel& kernel = parts.kernels.emplace_back();
  if (!message.empty()) kernel.rules.emplace_back().advice.emplace_back().text = message;
  return CounterReport(std::move(parts));
}

std::string ConditionsOfCommand(std::string_view command, std::string_view message = "") {
  const CounterReport report = ReportOfCommand(command, message);
  const CounterReport* const reports[] = {&report};
  return RunConditions(reports);
}

TEST(RunConditionsTest, WhatTheCommandLineSays) {
  EXPECT_EQ(ConditionsOfCommand("ncu --set full ./k"), "usually with fixed clocks and cold caches");
  EXPECT_EQ(ConditionsOfCommand(""), "usually with fixed clocks and cold caches");
  EXPECT_EQ(ConditionsOfCommand("ncu --clock-control none ./k"), "with clocks that were not fixed and usually cold caches");
  EXPECT_EQ(ConditionsOfCommand("ncu --clock-control=none --cache-control  none"),
            "with clocks that were not fixed and with caches that were not flushed");
  EXPECT_EQ(ConditionsOfCommand("ncu --cache-control all --clock-control base ./k"), "with fixed clocks and cold caches");
  EXPECT_EQ(ConditionsOfCommand("ncu ./k --clock-control"), "usually with fixed clocks and cold caches");
}

TEST(RunConditionsTest, TheRecordersMessageCountsMore) {
  EXPECT_EQ(ConditionsOfCommand("ncu --clock-control base ./k",
                                "Data collection happened without fixed GPU frequencies. Results may be inconsistent."),
            "with clocks that were not fixed and usually cold caches");
}

TEST(RunConditionsTest, ReportsThatDifferSayNothing) {
  const CounterReport free = ReportOfCommand("ncu --clock-control none ./k");
  const CounterReport other = ReportOfCommand("ncu ./k");
  const CounterReport* const reports[] = {&free, &other};
  EXPECT_EQ(RunConditions(reports), "usually with fixed clocks and cold caches");
  EXPECT_EQ(RunConditions({}), "usually with fixed clocks and cold caches");
}

}  // namespace
}  // namespace warpsight
