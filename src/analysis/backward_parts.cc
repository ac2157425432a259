#include "analysis/backward_parts.h"

#include <algorithm>

#include "analysis/enclosing_events.h"

namespace warpsight {
namespace {

class ForwardParts {
 public:
  explicit ForwardParts(const WorkSequence& sequence) : sequence_(sequence), host_(sequence.trace().host()) {
    for (const WorkToken& token : sequence.tokens()) {
      if (token.phase == Phase::kForward && token.anchor != kNoRow && token.replay == kNoRow) by_anchor_.push_back(&token);
    }
    // Tokens are in order of their launches, and an anchor may stand before the anchor of an earlier launch inside of it.
    std::sort(by_anchor_.begin(), by_anchor_.end(),
              [](const WorkToken* a, const WorkToken* b) { return a->anchor < b->anchor; });
  }

  // The kernels of a backward op come one after the other.
  std::optional<Part> Find(uint32_t forward) {
    if (forward != known_of_) {
      known_of_ = forward;
      known_ = Look(forward);
    }
    return known_;
  }

 private:
  std::optional<Part> Look(uint32_t forward) {
    for (const uint32_t row : EnclosingEvents(host_, forward)) {
      const auto at = At(row);
      if (at != by_anchor_.end() && (*at)->anchor == row) return (*at)->part;
    }
    auto at = At(forward);
    std::optional<Part> inside;
    for (auto i = at; i != by_anchor_.end() && Inside((*i)->anchor, forward); ++i) {
      if (inside && *inside != (*i)->part) return std::nullopt;
      inside = (*i)->part;
    }
    if (inside) return inside;
    const std::string_view name = sequence_.trace().Text(host_.name[forward]);
    const bool slices = name.find("slice") != std::string_view::npos || name.find("split") != std::string_view::npos ||
                        name.find("select") != std::string_view::npos || name.find("narrow") != std::string_view::npos;
    if (!slices && at != by_anchor_.begin()) --at;
    if (at == by_anchor_.end() || host_.thread[(*at)->anchor] != host_.thread[forward]) return std::nullopt;
    return (*at)->part;
  }

  // The backward pass walks the forward ops from the last to the first, so the next one asked for stands near the last:
  // the search doubles its reach from there.
  std::vector<const WorkToken*>::const_iterator At(uint32_t row) {
    const auto before = [](const WorkToken* token, uint32_t anchor) { return token->anchor < anchor; };
    size_t low = last_;
    size_t high = last_;
    for (size_t reach = 1; low > 0 && by_anchor_[low - 1]->anchor >= row; reach *= 2) low -= std::min(low, reach);
    for (size_t reach = 1; high < by_anchor_.size() && by_anchor_[high]->anchor < row; reach *= 2)
      high += std::min(by_anchor_.size() - high, reach);
    const auto at = std::lower_bound(by_anchor_.begin() + static_cast<ptrdiff_t>(low),
                                     by_anchor_.begin() + static_cast<ptrdiff_t>(high), row, before);
    last_ = static_cast<size_t>(at - by_anchor_.begin());
    return at;
  }
  bool Inside(uint32_t row, uint32_t outer) const {
    return host_.thread[row] == host_.thread[outer] && host_.start_ns[row] < host_.end_ns[outer];
  }

  const WorkSequence& sequence_;
  const HostEvents& host_;
  std::vector<const WorkToken*> by_anchor_;
  size_t last_ = 0;             // where the last search ended
  uint32_t known_of_ = kNoRow;  // the forward op that known_ is of
  std::optional<Part> known_;
};

}  // namespace

std::vector<std::optional<Part>> ForwardPartsOfBackward(const WorkSequence& sequence) {
  const std::vector<WorkToken>& tokens = sequence.tokens();
  std::vector<std::optional<Part>> parts(tokens.size());
  const bool any = std::any_of(tokens.begin(), tokens.end(), [](const WorkToken& t) { return t.phase == Phase::kBackward; });
  if (!any) return parts;
  ForwardParts forward(sequence);
  for (size_t i = 0; i < tokens.size(); ++i) {
    if (tokens[i].phase != Phase::kBackward || tokens[i].part != Part::kBackward) continue;
    const uint32_t op = sequence.attribution().forward_op[sequence.row(tokens[i], 0)];
    if (op != kNoRow) parts[i] = forward.Find(op);
    // Kernels whose names say whose gradient they compute need no op.
    if (!parts[i] && tokens[i].backward) parts[i] = PartOf(tokens[i].kind);
  }
  return parts;
}

}  // namespace warpsight
