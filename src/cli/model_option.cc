#include "cli/model_option.h"

#include <utility>

namespace warpsight {

void ModelOption::Add(CLI::App& app) {
  app.add_option("--model", path_, "the model that ran: a config.json of Hugging Face, or a descriptor (docs/parts.md)");
}

Status ModelOption::Give(Analysis& analysis) {
  if (path_.empty()) return OkStatus();
  Result<ModelDescription> model = ReadModelDescription(path_);
  if (!model.ok()) return model.status();
  model_ = std::move(model).value();
  analysis.Give([this](Given& given) { given.model = &*model_; });
  return OkStatus();
}

}  // namespace warpsight
