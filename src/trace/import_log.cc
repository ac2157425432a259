#include "trace/import_log.h"

#include <algorithm>
#include <tuple>

#include "base/one_line.h"

namespace warpsight {

size_t ImportLog::Add(std::string_view cause, ImportSeverity severity, Effect effect, std::string_view example,
                      int64_t place, int64_t count) {
  if (count == 0) return 0;
  repaired_ += effect == Effect::kRepaired ? count : 0;
  excluded_ += effect == Effect::kExcluded ? count : 0;
  return Join({std::string(cause), count, severity, effect, OneLine(std::string(example)), place});
}

size_t ImportLog::Join(const ImportCause& cause) {
  const auto found = std::find_if(causes_.begin(), causes_.end(), [&](const ImportCause& known) {
    return known.cause == cause.cause && known.effect == cause.effect;
  });
  if (found == causes_.end()) {
    causes_.push_back(cause);
    return causes_.size() - 1;
  }
  found->count += cause.count;
  if (cause.first_place >= 0 && (found->first_place < 0 || cause.first_place < found->first_place)) {
    found->first_place = cause.first_place;
    found->example = cause.example;
  }
  return static_cast<size_t>(found - causes_.begin());
}

void ImportLog::TurnRepairToNote(const ImportCause& cause) {
  Add(cause.cause, cause.severity, Effect::kRepaired, cause.example, cause.first_place, -1);
  Add(cause.cause, cause.severity, Effect::kNote, cause.example, cause.first_place);
  std::erase_if(causes_, [](const ImportCause& known) { return known.count == 0; });
}

void ImportLog::Merge(const ImportLog& other) {
  read_ += other.read_;
  repaired_ += other.repaired_;
  excluded_ += other.excluded_;
  for (const ImportCause& cause : other.causes_) Join(cause);
}

std::vector<ImportCause> ImportLog::causes() const {
  std::vector<ImportCause> sorted = causes_;
  std::sort(sorted.begin(), sorted.end(), [](const ImportCause& a, const ImportCause& b) {
    return std::tie(b.severity, a.cause, b.effect) < std::tie(a.severity, b.cause, a.effect);
  });
  return sorted;
}

int64_t ImportLog::count(std::string_view cause) const {
  int64_t count = 0;
  for (const ImportCause& c : causes_) count += c.cause == cause ? c.count : 0;
  return count;
}

}  // namespace warpsight
