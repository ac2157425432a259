// The name of a step range: what `prof.step()` writes, "ProfilerStep#3". Its one spelling.
//
// Place in the flow: the importer tells steps from operators by it; steps, key averages and findings know steps by it.
#pragma once

#include <string_view>

namespace warpsight {

inline constexpr std::string_view kProfilerStepName = "ProfilerStep";
inline constexpr std::string_view kProfilerStepPrefix = "ProfilerStep#";
// All steps together, where tables merge them.
inline constexpr std::string_view kAnyProfilerStep = "ProfilerStep*";

constexpr bool IsProfilerStep(std::string_view name) { return name.starts_with(kProfilerStepPrefix); }

}  // namespace warpsight
