// The name of a frame that stands for a module of the model: "nn.Module: Linear_3". Its one spelling.
#pragma once

#include <string_view>

namespace warpsight {

constexpr bool IsModuleFrame(std::string_view name) { return name.starts_with("nn.Module: "); }

}  // namespace warpsight
