#include "formats/cubin/cubin.h"

#include <gtest/gtest.h>

#include <string>

#include "formats/cubin/made_cubin.h"

namespace warpsight::testing {
namespace {

Result<Cubin::Reading> ReadMadeFunction(const std::string& bytes, int capability = 90) {
  const Result<Cubin> cubin = Cubin::Open(bytes, capability);
  if (!cubin.ok()) return cubin.status();
  return cubin->ReadFunction("k");
}

// "a.cu:7" of an instruction; "" when it has no line.
std::string PlaceText(const FunctionCode& code, size_t instruction) {
  const uint32_t place = code.instructions[instruction].place;
  if (place == 0) return "";
  return code.files[code.places[place - 1].file].path + ":" + std::to_string(code.places[place - 1].line);
}

TEST(CubinTest, InstructionsHaveOpcodesAndLines) {
  const std::string cubin =
      MadeCubinOf(MadeCode(4), SetAddress() + AdvanceLine(6) + CopyRow() + AdvanceAddress(16) + SetFile(2) + AdvanceLine(3) +
                                   CopyRow() + AdvanceAddress(32) + EndSequence());
  const Result<Cubin::Reading> reading = ReadMadeFunction(cubin);
  ASSERT_TRUE(reading.ok()) << reading.status().message();
  EXPECT_EQ(reading->problem, "");
  const FunctionCode& code = reading->code;
  ASSERT_EQ(code.instructions.size(), 4u);
  EXPECT_EQ(code.instructions[3].offset, 48u);
  EXPECT_EQ(code.instructions[3].opcode, "FFMA");
  EXPECT_EQ(PlaceText(code, 0), "/src/a.cu:7");
  EXPECT_EQ(PlaceText(code, 1), "/inc/b.h:10");
  EXPECT_EQ(PlaceText(code, 2), "/inc/b.h:10");
  EXPECT_EQ(PlaceText(code, 3), "") << "after the end of the rows";
  EXPECT_EQ(code.files[0].size_bytes, 100u);
}

TEST(CubinTest, ShortInstructionsStandInGroupsOfThree) {
  const Result<Cubin::Reading> reading = ReadMadeFunction(MadeCubinOf(std::string(64, '\0'), SetAddress()), 61);
  ASSERT_TRUE(reading.ok());
  ASSERT_EQ(reading->code.instructions.size(), 6u);
  EXPECT_EQ(reading->code.instructions[0].offset, 8u);
  EXPECT_EQ(reading->code.instructions[3].offset, 40u);
  EXPECT_EQ(reading->code.instructions[0].opcode, "");
}

TEST(CubinTest, InlinedCodeHasItsCaller) {
  const std::string cubin = MadeCubinOf(MadeCode(2), SetAddress() + AdvanceLine(1) + CopyRow() + InlinedCall(1, 0) +
                                                         SetFile(2) + AdvanceLine(5) + CopyRow() + AdvanceAddress(16) +
                                                         InlinedCall(9, 0) + CopyRow() + AdvanceAddress(16) + EndSequence());
  const Result<Cubin::Reading> reading = ReadMadeFunction(cubin);
  ASSERT_TRUE(reading.ok());
  const FunctionCode& code = reading->code;
  EXPECT_EQ(PlaceText(code, 0), "/inc/b.h:7") << "the innermost of the rows with one address";
  const CodePlace& inner = code.places[code.instructions[0].place - 1];
  ASSERT_NE(inner.caller, 0u);
  EXPECT_EQ(code.InlinedFunction(inner), "inner");
  EXPECT_EQ(code.places[inner.caller - 1].line, 2u);
  ASSERT_NE(code.instructions[1].place, 0u);
  EXPECT_EQ(code.places[code.instructions[1].place - 1].caller, 0u) << "a row that does not exist yet is no caller";
}

TEST(CubinTest, NewestFormOfTheTable) {
  // Version 5: addresses of 8 bytes, paths as text, folder number 0 is that of the compiler.
  std::string header = std::string("\x01\x01\x01\xFB\x0E\x0A\0\x01\x01\x01\x01\0\0\0\x01", 15);
  header += std::string("\x01\x01\x08\x01/src\0", 9);
  header += std::string(
      "\x02\x01\x08\x02\x0B\x01"
      "c.cu\0\0",
      12);
  const std::string program = SetAddress() + SetFile(0) + AdvanceLine(4) + CopyRow() + AdvanceAddress(16) + EndSequence();
  const std::string unit = LittleEndian(5, 2) + std::string("\x08\0", 2) + LittleEndian(header.size(), 4) + header + program;
  const std::string lines = LittleEndian(unit.size(), 4) + unit;
  const Result<Cubin::Reading> reading = ReadMadeFunction(MadeCubin(MadeCode(1), lines, lines.size() - program.size() + 3));
  ASSERT_TRUE(reading.ok());
  EXPECT_EQ(reading->problem, "");
  EXPECT_EQ(PlaceText(reading->code, 0), "/src/c.cu:5");
}

TEST(CubinTest, WhatIsNoProgramIsSaid) {
  EXPECT_NE(ReadMadeFunction("").status().message().find("no 64-bit ELF"), std::string::npos);
  const std::string cubin = MadeCubinOf(MadeCode(1), SetAddress());
  EXPECT_EQ(Cubin::Open(cubin, 90)->ReadFunction("other").status().kind(), StatusKind::kUnreadable);
  std::string far_table = cubin;
  far_table.replace(40, 8, LittleEndian(uint64_t{1} << 60, 8));
  EXPECT_NE(ReadMadeFunction(far_table).status().message().find("outside"), std::string::npos);
}

// Whatever is cut off or changed, there is an answer.
TEST(CubinTest, DamageIsNoCrash) {
  const std::string cubin = MadeCubinOf(
      MadeCode(3), SetAddress() + CopyRow() + InlinedCall(1, 0) + AdvanceAddress(16) + CopyRow() + EndSequence());
  for (size_t bytes = 0; bytes < cubin.size(); ++bytes) {
    const Result<Cubin::Reading> reading = ReadMadeFunction(cubin.substr(0, bytes));
    EXPECT_FALSE(reading.ok()) << "the section table is at the end: " << bytes;
  }
  for (size_t at = 0; at < cubin.size(); ++at) {
    for (const char value : {'\0', '\x01', '\x7F', '\xFF'}) {
      std::string changed = cubin;
      changed[at] = value;
      const Result<Cubin::Reading> reading = ReadMadeFunction(changed);
      if (!reading.ok()) continue;
      for (const CodeInstruction& instruction : reading->code.instructions) {
        ASSERT_LE(instruction.place, reading->code.places.size());
        if (instruction.place != 0) {
          ASSERT_LT(reading->code.places[instruction.place - 1].file, reading->code.files.size());
        }
      }
      for (size_t i = 0; i < reading->code.places.size(); ++i) ASSERT_LE(reading->code.places[i].caller, i);
    }
  }
}

TEST(CubinTest, ProgramsThatMakeNoSense) {
  const std::string code = MadeCode(2);
  // Addresses that run around.
  Result<Cubin::Reading> reading = ReadMadeFunction(MadeCubinOf(
      code, SetAddress() + CopyRow() + AdvanceAddress(~uint64_t{0}) + CopyRow() + AdvanceAddress(17) + EndSequence()));
  ASSERT_TRUE(reading.ok());
  EXPECT_EQ(PlaceText(reading->code, 0), "/src/a.cu:1");
  // An operation that reaches beyond the table.
  reading = ReadMadeFunction(MadeCubinOf(code, SetAddress() + CopyRow() + std::string("\0\x7F\x02", 3)));
  ASSERT_TRUE(reading.ok());
  EXPECT_NE(reading->problem.find("ends inside"), std::string::npos);
  EXPECT_EQ(PlaceText(reading->code, 1), "/src/a.cu:1") << "what stands before it is kept";
  // A division by zero.
  reading = ReadMadeFunction(MadeCubin(code, MadeLineUnit(SetAddress() + CopyRow(), 0), 0));
  ASSERT_TRUE(reading.ok());
  EXPECT_NE(reading->problem.find("make no sense"), std::string::npos);
  // A unit that is longer than the section, one of no bytes, one of a version to come.
  for (const std::string& lines : {LittleEndian(1000, 4), LittleEndian(0, 4), LittleEndian(4, 4) + LittleEndian(9, 4)}) {
    reading = ReadMadeFunction(MadeCubin(code, lines, 0));
    ASSERT_TRUE(reading.ok());
    EXPECT_NE(reading->problem, "");
    EXPECT_FALSE(reading->code.has_lines());
  }
}

}  // namespace
}  // namespace warpsight::testing
