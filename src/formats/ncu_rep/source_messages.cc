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

}  // namespace

void ModuleReader::Add(CodeModule&& entry) {
  const auto [known, is_new] = place_of_.try_emplace(entry.id, modules_.size());
  if (is_new) {
    budget_.Append(modules_, std::move(entry));
    return;
  }
  CodeModule& module = modules_[known->second];
  if (module.cubin.empty()) module.cubin = entry.cubin;
  module.sources.insert(module.sources.end(), entry.sources.begin(), entry.sources.end());
  module.functions.insert(module.functions.end(), entry.functions.begin(), entry.functions.end());
}

void ModuleReader::ReadEntry(std::string_view message) {
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
          if (files.field() == 1) budget_.Append(entry.sources, ReadSourceFile(files.Bytes()));
        }
        break;
      case 9:
        for (WireReader functions(reader.Bytes()); functions.Next();) {
          if (functions.field() == 1) budget_.Append(entry.functions, ReadFunction(functions.Bytes()));
        }
        break;
      default:
        break;
    }
  }
  Add(std::move(entry));
}

}  // namespace warpsight
