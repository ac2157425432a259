#include "analysis/projection_roles.h"

namespace warpsight {
namespace {

std::vector<Part> ByCount(size_t count, bool norm_between) {
  switch (count) {
    case 1:
      return {Part::kQkv};
    case 2:
      return {Part::kQ, Part::kKv};
    case 3:
      if (norm_between) return {Part::kQ, Part::kKv, Part::kKv};
      return {Part::kQ, Part::kK, Part::kV};
    case 4:
      return {Part::kQ, Part::kQ, Part::kKv, Part::kKv};
    default: {
      std::vector<Part> parts(count, Part::kLinear);
      if (count >= 3) parts[count - 3] = Part::kQ, parts[count - 2] = Part::kK, parts[count - 1] = Part::kV;
      return parts;
    }
  }
}

// Products that read what another of them wrote belong to its chain: q_a -> q_b, kv_a -> kv_b.
std::vector<Part> ByChains(const std::vector<LinearSize>& sizes) {
  const int64_t hidden = sizes.front().in;
  std::vector<Part> parts;
  int chain = 0;
  for (const LinearSize& size : sizes) {
    if (size.in == hidden) ++chain;
    parts.push_back(chain <= 1 ? Part::kQ : Part::kKv);
  }
  return parts;
}

}  // namespace

std::optional<LinearSize> SizeOf(const WorkToken& token) {
  return token.has_linear() ? *token.linear : std::optional<LinearSize>();
}

ProjectionKey KeyOf(const WorkToken& token) {
  const std::optional<LinearSize> size = SizeOf(token);
  return size ? ProjectionKey{size->in, size->out, StringId::kEmpty} : ProjectionKey{0, 0, token.kernel};
}

std::vector<Part> ProjectionRoles(const std::vector<const WorkToken*>& products, std::optional<int64_t> attention_width,
                                  bool norm_between) {
  std::vector<LinearSize> sizes;
  for (const WorkToken* product : products) {
    if (const std::optional<LinearSize> size = SizeOf(*product)) sizes.push_back(*size);
  }
  if (sizes.size() != products.size()) return ByCount(products.size(), norm_between);
  for (const LinearSize& size : sizes) {
    // A decoder that attends to an encoder reads both; their widths are the same.
    if (size.in != sizes.front().in && sizes.size() > 2) return ByChains(sizes);
  }
  if (sizes.size() == 1 && attention_width && sizes.front().out == *attention_width) return {Part::kQ};
  return ByCount(sizes.size(), false);
}

CatUse CatUseOf(const WorkToken& token) {
  if (token.shapes == nullptr || token.shapes->operands.size() < 2) return CatUse::kUnknown;
  const Shape& a = token.shapes->operands[0];
  const Shape& b = token.shapes->operands[1];
  if (a.size() == 1 && a[0] == 0 && b.size() > 2) return CatUse::kGrowth;
  if (a.size() != b.size() || a.size() < 3) return CatUse::kAssembly;
  for (size_t side = 0; side < a.size(); ++side) {
    if (a[side] == b[side]) continue;
    return side + 1 == a.size() ? CatUse::kAssembly : CatUse::kGrowth;
  }
  return CatUse::kUnknown;
}

}  // namespace warpsight
