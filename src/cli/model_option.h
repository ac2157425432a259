// ModelOption: --model FILE, for every verb whose analyses know the model that ran.
//
// A verb adds it in Configure, and gives the model to its Analysis (Given::model) before asking passes. One thread.
#pragma once

#include <CLI/App.hpp>
#include <optional>
#include <string>

#include "analysis/model_description.h"
#include "analysis/pass.h"

namespace warpsight {

class ModelOption {
 public:
  void Add(CLI::App& app);
  // Reads the file, when one was named, and states the model to the analysis.
  Status Give(Analysis& analysis);

 private:
  std::string path_;
  std::optional<ModelDescription> model_;
};

}  // namespace warpsight
