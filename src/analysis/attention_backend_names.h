// Which implementation of attention a kernel's name says, by data/attention_backends.toml.
//
// Place in the flow: names of kernels -> this -> attention_backend. Thread-safe.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace warpsight {

// One entry of data/attention_backends.toml, for matching and tests.
struct AttentionBackendRule {
  std::string name;  // "cuDNN flash"
  std::string starts;
  std::vector<std::string> contains;
  std::string source;
  std::vector<std::string> examples;
};
const std::vector<AttentionBackendRule>& AttentionBackendRules();

// "" when the name says nothing. The text lives as long as the program.
std::string_view AttentionBackendOfKernel(std::string_view kernel_name);

}  // namespace warpsight
