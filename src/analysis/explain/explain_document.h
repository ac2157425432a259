// Documents of `warpsight explain`: one term, or the list of all.
//
// JSON of a term: {"term","kind","title","what","unit","healthy","misleads","next","see":[...],"asked","also":[...]}, with
// "parts" of a metric's name and "decoded" and "family" of a kernel; `also` has the other meanings of the term in the same
// shape. Absent is null. JSON of the list: {"groups":[{"group","kind","terms":[{"term","title"}]}]}.
#pragma once

#include <string_view>
#include <vector>

#include "analysis/explain/explain.h"
#include "document/document.h"

namespace warpsight {

// `answers` must not be empty.
Document MakeExplainDocument(std::string_view asked, const std::vector<Explanation>& answers);
Document MakeTermListDocument();

}  // namespace warpsight
