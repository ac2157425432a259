// FindingPlaces: where on the timeline the evidence of a finding can be seen.
//
// From what the finding claims: the pieces of GPU work that it claims most time of, and the longest gaps of the classes of
// idle time that it claims. Place in the flow: diagnosis -> report document -> the page, which jumps there. Units: ns on the
// trace's clock. Errors: none; a finding that claims nothing has no place. Thread-compatible, as the Analysis.
#pragma once

#include <string>
#include <vector>

#include "analysis/pass.h"
#include "base/time.h"
#include "diagnosis/rule.h"

namespace warpsight {

struct FindingPlace {
  Interval time;
  std::string what;
};

// At most five, those of most time first; work before gaps.
std::vector<FindingPlace> PlacesOf(Analysis& analysis, const Finding& finding);

}  // namespace warpsight
