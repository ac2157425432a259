// The source page: every instruction of kernels with its counters, as ncu prints it (`ncu --import FILE --page source
// --csv`).
//
// Place in the flow: SourceView -> one table -> CSV; and the texts of its cells, which tests compare with ncu's. Beside
// ncu's columns are the kernel, and the file and line of each instruction. Errors: none. Threads: pure functions.
#pragma once

#include <string>
#include <vector>

#include "analysis/counters/source_view.h"
#include "document/document.h"

namespace warpsight {

// The value of a counter as ncu prints it: "0" when the instruction has none, "-" for flags.
std::string PrintedSourceCell(const SourceView& view, const SourceColumn& column, uint32_t instruction);

// "0x7f53c37a0000"
std::string AddressText(uint64_t address);

// Of one instruction: its text where a disassembler gave one, else its opcode, else nothing.
std::string_view PrintedInstruction(const SourceInstruction& instruction);

Document MakeSourcePageDocument(const std::vector<SourceView>& views);

}  // namespace warpsight
