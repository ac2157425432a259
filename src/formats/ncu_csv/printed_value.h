// Values and units as ncu prints them, turned back into base units: "3.147584" of "ms" is 3147584 ns.
//
// Errors: none; what is no number is a text. Threads: pure functions.
#pragma once

#include <string>
#include <string_view>

#include "counters/counter_value.h"
#include "counters/profiled_kernel.h"

namespace warpsight {

// A printed unit: which base unit it is of, and how many of it one is, as a power of ten.
struct PrintedUnit {
  std::string base;  // "ns", "byte/s", "hz"; as printed when it is none of the scaled ones
  int exponent = 0;
};

// Names of all versions: "Kbyte", "msecond", "cycle/nsecond".
PrintedUnit ReadPrintedUnit(std::string_view unit);

// The value of a cell. Absent for "" and "no data"; whole numbers are whole. Texts stay views of the cell.
CounterValue ReadPrintedValue(std::string_view cell, const PrintedUnit& unit);

// "(128, 1, 1)"; zeros where there is no number.
Extent ReadPrintedExtent(std::string_view cell);

// A whole number, decimal or after "0x" hexadecimal; `otherwise` when the cell is none.
uint64_t ReadPrintedWhole(std::string_view cell, uint64_t otherwise);

}  // namespace warpsight
