#include <algorithm>

#include "formats/ncu_rep/report_messages.h"
#include "formats/ncu_rep/wire_reader.h"

namespace warpsight {
namespace {

CodeModule::SourceFile ReadSourceFile(std::string_view message) {
  CodeModule::SourceFile file;
  for (WireReader reader(message); reader.Next();) {
    if (reader.field() == 1) file.path = reader.Text();
    if (reader.field() == 2) file.text = reader.Bytes();
  }
  return file;
}

CodeModule::Function ReadFunction(std::string_view message) {
  CodeModule::Function function;
  for (WireReader reader(message); reader.Next();) {
    if (reader.field() == 1) function.mangled_name = reader.Text();
    if (reader.field() == 2) function.base_address = reader.Whole();
    if (reader.field() == 3) function.symbol = reader.Whole();
  }
  return function;
}

void AddModule(CodeModule&& entry, std::vector<CodeModule>& modules) {
  const auto known = std::ranges::find(modules, entry.id, &CodeModule::id);
  if (known == modules.end()) {
    modules.push_back(std::move(entry));
    return;
  }
  if (known->cubin.empty()) known->cubin = entry.cubin;
  known->sources.insert(known->sources.end(), entry.sources.begin(), entry.sources.end());
  known->functions.insert(known->functions.end(), entry.functions.begin(), entry.functions.end());
}

}  // namespace

void ReadSourceEntry(std::string_view message, std::vector<CodeModule>& modules) {
  CodeModule entry;
  for (WireReader reader(message); reader.Next();) {
    switch (reader.field()) {
      case 1:
        entry.id = reader.Whole();
        break;
      case 4:
        entry.cubin = reader.Bytes();
        break;
      case 5:
        entry.capability_major = reader.Whole();
        break;
      case 6:
        entry.capability_minor = reader.Whole() & 0xFFFF;
        break;
      case 8:
        for (WireReader files(reader.Bytes()); files.Next();) {
          if (files.field() == 1) entry.sources.push_back(ReadSourceFile(files.Bytes()));
        }
        break;
      case 9:
        for (WireReader functions(reader.Bytes()); functions.Next();) {
          if (functions.field() == 1) entry.functions.push_back(ReadFunction(functions.Bytes()));
        }
        break;
      default:
        break;
    }
  }
  AddModule(std::move(entry), modules);
}

}  // namespace warpsight
