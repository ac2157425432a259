// The JSON body of the `diff` document (warpsight.diff/1, docs/diff.md).
#pragma once

#include <nlohmann/json.hpp>
#include <vector>

#include "analysis/diff/diff.h"
#include "analysis/diff/diff_condition.h"

namespace warpsight {

nlohmann::ordered_json DiffData(const DiffResult& diff, const std::vector<ConditionAnswer>& conditions);

}  // namespace warpsight
