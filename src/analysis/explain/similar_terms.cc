// SimilarTerms: near misses by edit distance, common beginnings and texts in one another.
#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "analysis/explain/explain.h"
#include "analysis/explain/metric_name.h"
#include "analysis/explain/term_text.h"

namespace warpsight {
namespace {

constexpr double kFarthest = 0.45;        // of the scores below; beyond it a term is not similar
constexpr double kFarthestByEdit = 0.34;  // one letter of three
constexpr size_t kLongestCompared = 160;

// Inserted, deleted, replaced letters, and neighbours that changed places.
size_t EditDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> before(b.size() + 1);
  std::vector<size_t> previous(b.size() + 1);
  std::vector<size_t> current(b.size() + 1);
  std::iota(previous.begin(), previous.end(), size_t{0});
  for (size_t i = 1; i <= a.size(); ++i) {
    current[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t replaced = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      current[j] = std::min({replaced, previous[j] + 1, current[j - 1] + 1});
      const bool changed_places = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (changed_places) current[j] = std::min(current[j], before[j - 2] + 1);
    }
    std::swap(before, previous);
    std::swap(previous, current);
  }
  return previous[b.size()];
}

// 0 = equal, 1 = nothing in common. A common beginning says more than a text in the middle.
double Distance(std::string_view typed, std::string_view key) {
  const double longer = static_cast<double>(std::max(typed.size(), key.size()));
  const double shorter = static_cast<double>(std::min(typed.size(), key.size()));
  const double missing = 1 - shorter / longer;
  double distance = 1;
  if (shorter >= 3) {
    if (key.starts_with(typed) || typed.starts_with(key))
      distance = 0.1 + 0.2 * missing;
    else if (key.find(typed) != std::string_view::npos)
      distance = 0.2 + 0.2 * missing;
    else if (shorter >= 4 && typed.find(key) != std::string_view::npos)
      distance = 0.25 + 0.2 * missing;
  }
  if (missing >= kFarthest) return distance;  // the edits alone are more
  const double edits = static_cast<double>(EditDistance(typed, key)) / longer;
  return edits > kFarthestByEdit ? distance : std::min(distance, edits);
}

struct SimilarTerm {
  std::string name;
  double distance = 1;
  size_t place = 0;  // as they come, for a steady order
};

class SimilarList {
 public:
  explicit SimilarList(std::string_view typed) : typed_(TermKey(typed).substr(0, kLongestCompared)) {}

  void Consider(const std::string& name, std::string_view spelling) { Add(name, Distance(typed_, TermKey(spelling))); }
  void Take(const SimilarList& other) {
    for (const SimilarTerm& term : other.terms_) Add(term.name, term.distance);
  }

  std::vector<std::string> Best(size_t most) {
    std::ranges::sort(terms_, [](const SimilarTerm& a, const SimilarTerm& b) {
      return std::pair(a.distance, a.place) < std::pair(b.distance, b.place);
    });
    std::vector<std::string> names;
    for (const SimilarTerm& term : terms_) {
      if (names.size() < most) names.push_back(term.name);
    }
    return names;
  }

 private:
  void Add(const std::string& name, double distance) {
    if (distance > kFarthest) return;
    const auto [at, is_new] = places_.try_emplace(name, terms_.size());
    if (is_new) terms_.push_back({name, distance, terms_.size()});
    terms_[at->second].distance = std::min(terms_[at->second].distance, distance);
  }

  std::string typed_;
  std::vector<SimilarTerm> terms_;
  std::unordered_map<std::string, size_t> places_;
};

void ConsiderMetrics(std::string_view term, SimilarList& similar) {
  // Names agree in their base or not at all: endings are alike.
  SimilarList bases(term.substr(0, term.find('.')));
  for (const std::string& metric : AllKnownMetrics()) {
    similar.Consider(metric, metric);
    bases.Consider(metric, metric.substr(0, metric.find('.')));
  }
  similar.Take(bases);
}

}  // namespace

std::vector<std::string> SimilarMetrics(std::string_view term, size_t most) {
  SimilarList similar(term);
  ConsiderMetrics(term, similar);
  return similar.Best(most);
}

std::vector<std::string> SimilarTerms(std::string_view term, size_t most) {
  SimilarList similar(term);
  for (const TermText& one : AllTerms()) {
    similar.Consider(one.id, one.id);
    for (const std::string& spelling : one.also) similar.Consider(one.id, spelling);
  }
  ConsiderMetrics(term, similar);
  return similar.Best(most);
}

}  // namespace warpsight
