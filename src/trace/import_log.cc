#include "trace/import_log.h"

#include <algorithm>

namespace warpsight {

void ImportLog::Add(std::string_view cause, ImportSeverity severity, Effect effect, std::string_view example, int64_t place,
                    int64_t count) {
  if (count == 0) return;
  ImportCause* found = Find(cause);
  if (found == nullptr) {
    causes_.push_back({std::string(cause), count, severity, effect, std::string(example), place});
    return;
  }
  found->count += count;
  if (place >= 0 && (found->first_place < 0 || place < found->first_place)) {
    found->first_place = place;
    found->example = std::string(example);
  }
}

void ImportLog::Merge(const ImportLog& other) {
  read_ += other.read_;
  for (const ImportCause& cause : other.causes_) {
    Add(cause.cause, cause.severity, cause.effect, cause.example, cause.first_place, cause.count);
  }
}

ImportCause* ImportLog::Find(std::string_view cause) {
  const auto found = std::find_if(causes_.begin(), causes_.end(), [&](const ImportCause& c) { return c.cause == cause; });
  return found == causes_.end() ? nullptr : &*found;
}

namespace {

int64_t Sum(const std::vector<ImportCause>& causes, Effect effect) {
  int64_t sum = 0;
  for (const ImportCause& cause : causes) sum += cause.effect == effect ? cause.count : 0;
  return sum;
}

}  // namespace

int64_t ImportLog::repaired() const { return Sum(causes_, Effect::kRepaired); }
int64_t ImportLog::excluded() const { return Sum(causes_, Effect::kExcluded); }

std::vector<ImportCause> ImportLog::causes() const {
  std::vector<ImportCause> sorted = causes_;
  std::sort(sorted.begin(), sorted.end(), [](const ImportCause& a, const ImportCause& b) {
    return a.severity != b.severity ? a.severity > b.severity : a.cause < b.cause;
  });
  return sorted;
}

int64_t ImportLog::count(std::string_view cause) const {
  for (const ImportCause& c : causes_) {
    if (c.cause == cause) return c.count;
  }
  return 0;
}

}  // namespace warpsight
