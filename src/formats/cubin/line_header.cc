#include "formats/cubin/line_header.h"

#include <fmt/format.h>

#include <filesystem>

#include "formats/cubin/byte_cursor.h"

namespace warpsight {
namespace {

constexpr size_t kLongestPath = 4096;

// Forms of attributes, as DWARF numbers them.
enum LineForm : uint64_t {
  kFormBlock2 = 0x03,
  kFormBlock4 = 0x04,
  kFormData2 = 0x05,
  kFormData4 = 0x06,
  kFormData8 = 0x07,
  kFormText = 0x08,
  kFormBlock = 0x09,
  kFormBlock1 = 0x0A,
  kFormData1 = 0x0B,
  kFormNames = 0x0E,
  kFormNumber = 0x0F,
  kFormData16 = 0x1E,
  kFormLineNames = 0x1F,
};
enum LineContent : uint64_t { kContentPath = 1, kContentFolder = 2, kContentSize = 4 };

struct LineEntry {
  std::string_view path;
  uint64_t folder = 0;
  uint64_t size_bytes = 0;
};

struct EntryField {
  uint64_t content = 0;
  uint64_t form = 0;
};

std::string_view NameAt(std::string_view table, uint64_t offset) {
  if (offset >= table.size()) return {};
  const std::string_view name = table.substr(offset, kLongestPath);
  return name.substr(0, name.find('\0'));
}

// DWARF 2 to 4: texts up to an empty one.
void ReadOldFiles(ByteCursor& cursor, LineHeader& header) {
  std::vector<std::string_view> folders = {""};  // number 0: where the compiler ran, which is not said
  for (std::string_view folder = cursor.Text(); !folder.empty(); folder = cursor.Text()) folders.push_back(folder);
  for (std::string_view name = cursor.Text(); !name.empty(); name = cursor.Text()) {
    const uint64_t folder = cursor.Unsigned();
    cursor.Unsigned();  // time of its last change
    const uint64_t size_bytes = cursor.Unsigned();
    header.files.push_back({folder < folders.size() ? folders[folder] : std::string_view(), name, size_bytes});
  }
}

struct FieldValue {
  std::string_view text;
  uint64_t number = 0;
};

// False when the form is not known, so that what follows can't be found.
bool ReadField(ByteCursor& cursor, uint64_t form, bool is_64_bit, const LineTexts& texts, FieldValue& value) {
  switch (form) {
    case kFormText:
      value.text = cursor.Text();
      return true;
    case kFormLineNames:
      value.text = NameAt(texts.line_names, is_64_bit ? cursor.U64() : cursor.U32());
      return true;
    case kFormNames:
      value.text = NameAt(texts.names, is_64_bit ? cursor.U64() : cursor.U32());
      return true;
    case kFormNumber:
      value.number = cursor.Unsigned();
      return true;
    case kFormData1:
      value.number = cursor.U8();
      return true;
    case kFormData2:
      value.number = cursor.U16();
      return true;
    case kFormData4:
      value.number = cursor.U32();
      return true;
    case kFormData8:
      value.number = cursor.U64();
      return true;
    case kFormData16:
      cursor.Bytes(16);
      return true;
    case kFormBlock:
      cursor.Bytes(cursor.Unsigned());
      return true;
    case kFormBlock1:
      cursor.Bytes(cursor.U8());
      return true;
    case kFormBlock2:
      cursor.Bytes(cursor.U16());
      return true;
    case kFormBlock4:
      cursor.Bytes(cursor.U32());
      return true;
    default:
      return false;
  }
}

// DWARF 5: a description of the fields, then the entries. False when it can't be read.
bool ReadEntries(ByteCursor& cursor, bool is_64_bit, const LineTexts& texts, std::vector<LineEntry>& entries) {
  std::vector<EntryField> fields(cursor.U8());
  for (EntryField& field : fields) {
    field.content = cursor.Unsigned();
    field.form = cursor.Unsigned();
  }
  const uint64_t count = cursor.Unsigned();
  // Entries without a byte of their own would be a bomb.
  if (cursor.failed() || count > cursor.left() || (fields.empty() && count > 0)) return false;
  for (uint64_t i = 0; i < count; ++i) {
    LineEntry& entry = entries.emplace_back();
    for (const EntryField& field : fields) {
      FieldValue value;
      if (!ReadField(cursor, field.form, is_64_bit, texts, value) || cursor.failed()) return false;
      if (field.content == kContentPath) entry.path = value.text;
      if (field.content == kContentFolder) entry.folder = value.number;
      if (field.content == kContentSize) entry.size_bytes = value.number;
    }
  }
  return true;
}

bool ReadNewFiles(ByteCursor& cursor, bool is_64_bit, const LineTexts& texts, LineHeader& header) {
  header.first_file = 0;
  std::vector<LineEntry> folders;
  std::vector<LineEntry> files;
  if (!ReadEntries(cursor, is_64_bit, texts, folders) || !ReadEntries(cursor, is_64_bit, texts, files)) return false;
  for (const LineEntry& file : files) {
    const std::string_view folder = file.folder < folders.size() ? folders[file.folder].path : std::string_view();
    header.files.push_back({folder, file.path, file.size_bytes});
  }
  return true;
}

}  // namespace

std::string LineFile::Path() const {
  std::string path(name.substr(0, kLongestPath));
  if (!name.starts_with('/') && !folder.empty()) path = std::string(folder.substr(0, kLongestPath)) + '/' + path;
  return std::filesystem::path(path).lexically_normal().string();
}

LineHeader ReadLineHeader(std::string_view section, size_t at, const LineTexts& texts) {
  LineHeader header;
  header.program_end = section.size();
  const auto fail = [&](std::string why) {
    header.problem = fmt::format("the line table is damaged at byte {}: {}", at, why);
    return header;
  };
  ByteCursor lengths(section, at);
  uint64_t unit_bytes = lengths.U32();
  const bool is_64_bit = unit_bytes == 0xFFFFFFFF;
  if (is_64_bit) unit_bytes = lengths.U64();
  if (lengths.failed() || unit_bytes > lengths.left()) return fail("a unit reaches beyond its end");
  header.program_end = lengths.at() + unit_bytes;

  ByteCursor cursor(section.substr(0, header.program_end), lengths.at());
  header.version = cursor.U16();
  if (header.version < 2 || header.version > 5) return fail(fmt::format("DWARF version {} is not known", header.version));
  if (header.version == 5) cursor.Bytes(2);  // bytes of an address and of a segment number
  const uint64_t header_bytes = is_64_bit ? cursor.U64() : cursor.U32();
  if (cursor.failed() || header_bytes > cursor.left()) return fail("a header reaches beyond its unit");
  header.program_begin = cursor.at() + header_bytes;
  header.address_step = cursor.U8();
  if (header.version >= 4) cursor.U8();  // operations an instruction
  cursor.U8();                           // rows are statements
  header.line_base = static_cast<int8_t>(cursor.U8());
  header.line_range = cursor.U8();
  header.opcode_base = cursor.U8();
  if (cursor.failed() || header.line_range == 0 || header.opcode_base == 0) return fail("its numbers make no sense");
  for (uint8_t i = 1; i < header.opcode_base; ++i) header.opcode_operands.push_back(cursor.U8());
  if (header.version < 5) {
    ReadOldFiles(cursor, header);
  } else if (!ReadNewFiles(cursor, is_64_bit, texts, header)) {
    return fail("its list of files");
  }
  return header;
}

}  // namespace warpsight
