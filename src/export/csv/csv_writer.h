// CsvWriter: the fields of one CSV table (RFC 4180, lines end with a line feed).
//
// Texts are quoted where they must be; what is no UTF-8 and the NUL, which readers choke on, become U+FFFD. Absent is empty.
// Threads: one.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "export/output_buffer.h"

namespace warpsight::csv {

class CsvWriter {
 public:
  explicit CsvWriter(OutputBuffer& out) : out_(out) {}

  // "a,b,c"
  void Header(std::string_view names) {
    out_.Append(names);
    out_.Append("\n");
  }
  void Integer(int64_t value);
  void Unsigned(uint64_t value);
  void Double(double value);  // the shortest text that reads back as the same value
  void Text(std::string_view text);
  void Absent() { Separate(); }
  // Empty when the value is what stands for absent.
  void IntegerUnless(int64_t value, int64_t absent) {
    if (value == absent) return Absent();
    Integer(value);
  }
  void EndRow() {
    out_.Append("\n");
    first_ = true;
  }

 private:
  void Separate() {
    if (!first_) out_.Append(",");
    first_ = false;
  }

  OutputBuffer& out_;
  bool first_ = true;
};

}  // namespace warpsight::csv
