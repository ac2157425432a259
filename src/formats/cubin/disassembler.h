// The text of SASS instructions, from NVIDIA's disassemblers where they are on PATH.
//
// Place in the flow: FunctionCode, whose instructions get their texts. nvdisasm is asked first, then cuobjdump, both without
// a shell, on a temporary copy of the program and with a time limit. Errors: none; without a disassembler there is no text.
// Threads: any number at a time.
#pragma once

#include <string>
#include <string_view>

#include "counters/function_code.h"

namespace warpsight {

// The program that gave the texts; empty when there is none, or none could read the program.
std::string AddSassTexts(std::string_view cubin, FunctionCode& code);

// Takes the texts of one function out of what a disassembler printed. The number of instructions that got one.
size_t TakeSassTexts(std::string_view printed, FunctionCode& code);

}  // namespace warpsight
