#include "cli/export_output.h"

#include <utility>

namespace warpsight {

Result<ExportOutput> ExportOutput::Open(const std::string& path) {
  Result<std::unique_ptr<FileSink>> file = FileSink::Open(path);
  if (!file.ok()) return file.status();
  ExportOutput output;
  output.file_ = std::move(file).value();
  output.compressor_ = CompressorByName(path, *output.file_);
  return output;
}

Status ExportOutput::Commit() {
  if (compressor_) WARPSIGHT_RETURN_IF_ERROR(compressor_->Finish());
  return file_->Commit();
}

}  // namespace warpsight
