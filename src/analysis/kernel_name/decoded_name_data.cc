#include "analysis/kernel_name/decoded_name_data.h"

#include "document/absent.h"

namespace warpsight {
namespace {

using Json = nlohmann::ordered_json;

Json CountOrNull(int32_t count) { return count == 0 ? Json(nullptr) : Json(count); }
Json BoolOrNull(std::optional<bool> value) { return value ? Json(*value) : Json(nullptr); }

Json ExtentOrNull(const KernelExtent& extent) {
  if (!extent.told()) return nullptr;
  return Json::array({CountOrNull(extent.m), CountOrNull(extent.n), CountOrNull(extent.k)});
}

Json Use(TensorCoreUse use) { return use == TensorCoreUse::kNotTold ? Json(nullptr) : Json(use == TensorCoreUse::kUsed); }

Json Direction(PassDirection direction) {
  if (direction == PassDirection::kNotTold) return nullptr;
  return direction == PassDirection::kForward ? "forward" : "backward";
}

}  // namespace

Json DecodedNameData(const DecodedKernelName& decoded) {
  Json data;
  data["library"] = TextOrNull(decoded.library);
  data["kind"] = TextOrNull(decoded.kind);
  data["architecture"] = TextOrNull(decoded.architecture);
  data["a_type"] = TextOrNull(decoded.a_type);
  data["b_type"] = TextOrNull(decoded.b_type);
  data["accumulate_type"] = TextOrNull(decoded.accumulate_type);
  data["output_type"] = TextOrNull(decoded.output_type);
  data["math_type"] = TextOrNull(decoded.math_type);
  data["instruction"] = TextOrNull(decoded.instruction);
  data["instruction_shape"] = ExtentOrNull(decoded.instruction_shape);
  data["tensor_cores"] = Use(decoded.tensor_cores);
  data["tile"] = ExtentOrNull(decoded.tile);
  data["cluster"] = ExtentOrNull(decoded.cluster);
  data["stages"] = CountOrNull(decoded.stages);
  data["layout"] = TextOrNull(decoded.layout);
  data["a_transposed"] = BoolOrNull(decoded.a_transposed);
  data["b_transposed"] = BoolOrNull(decoded.b_transposed);
  data["split_k"] = TextOrNull(decoded.split_k);
  data["split_k_slices"] = CountOrNull(decoded.split_k_slices);
  data["epilogue"] = decoded.epilogue;
  data["vector_width"] = CountOrNull(decoded.vector_width);
  data["direction"] = Direction(decoded.direction);
  data["head_dim"] = CountOrNull(decoded.head_dim);
  data["causal"] = BoolOrNull(decoded.causal);
  data["ops"] = decoded.ops;
  data["collective"] = TextOrNull(decoded.collective);
  data["reduction"] = TextOrNull(decoded.reduction);
  data["algorithm"] = TextOrNull(decoded.algorithm);
  data["protocol"] = TextOrNull(decoded.protocol);
  data["modifiers"] = decoded.modifiers;
  data["label"] = TextOrNull(ShortLabel(decoded));
  return data;
}

}  // namespace warpsight
