// What the words of a report's page mean: the texts of `warpsight explain` under findings and headings, only of what is on
// the page.
//
// Place in the flow: report document, nearly done -> this fills `terms` of its blocks -> page. Text and JSON never see them.
// Errors: none; a heading that is not there gets nothing. One thread drives the Analysis.
#pragma once

#include <vector>

#include "analysis/pass.h"
#include "diagnosis/diagnose.h"
#include "diagnosis/what_ifs.h"
#include "document/document.h"

namespace warpsight {

void AddTermsOfPage(Analysis& analysis, const Diagnosis& diagnosis, const std::vector<WhatIf>& what_ifs, Document& report);

}  // namespace warpsight
