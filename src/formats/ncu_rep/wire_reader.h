// WireReader: the fields of one protobuf message, one after the other, by number.
//
// Over protozero, with what hostile bytes need beyond its bounds checks: a field of an unexpected wire type gives 0 or "",
// never a wrong reading. Messages are never followed deeper than the caller asks, so depth costs nothing.
// Errors: protozero::exception when the bytes are no protobuf; each caller that reads one entry of a file catches it.
// Threads: one thread a reader.
#pragma once

#include <cstdint>
#include <protozero/pbf_reader.hpp>
#include <string_view>

namespace warpsight {

class WireReader {
 public:
  explicit WireReader(std::string_view bytes) : reader_(bytes.data(), bytes.size()) {}

  // The next field; false at the end of the message. What was not taken is skipped.
  bool Next() {
    if (pending_) reader_.skip();
    pending_ = reader_.next();
    return pending_;
  }
  uint32_t field() const { return reader_.tag(); }

  // The field's value; call at most one of these, once a field.
  uint64_t Whole() { return Take(protozero::pbf_wire_type::varint) ? reader_.get_uint64() : 0; }
  double Real() { return Take(protozero::pbf_wire_type::fixed64) ? reader_.get_double() : 0; }
  float ShortReal() { return Take(protozero::pbf_wire_type::fixed32) ? reader_.get_float() : 0; }
  std::string_view Bytes() {
    if (!Take(protozero::pbf_wire_type::length_delimited)) return {};
    const protozero::data_view view = reader_.get_view();
    return {view.data(), view.size()};
  }
  // Text of a C program: without the NUL that some recorders put at its end.
  std::string_view Text() {
    std::string_view text = Bytes();
    while (!text.empty() && text.back() == '\0') text.remove_suffix(1);
    return text;
  }

 private:
  bool Take(protozero::pbf_wire_type type) {
    if (reader_.wire_type() != type) return false;
    pending_ = false;
    return true;
  }

  protozero::pbf_reader reader_;
  bool pending_ = false;
};

}  // namespace warpsight
