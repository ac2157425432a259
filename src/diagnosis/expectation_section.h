// The section of `report --expect`: the prediction, then prediction and measurement side by side.
//
// Place in the flow: expectation.h -> blocks and JSON of the report, before the measured tables. Units: ns, shares 0..1.
// Errors: none. Thread-compatible.
#pragma once

#include <vector>

#include "analysis/kernels_pass.h"
#include "diagnosis/expectation.h"
#include "document/document.h"

namespace warpsight {

// Calls per step and share of GPU time by family, of one device. Empty when the recording has no steps.
std::vector<MeasuredFamily> MeasureFamilies(const KernelsResult& kernels, int32_t device);

// The facts of a recording's model and device, from the model, roofline and peaks passes. Lacks what is not known, and for
// recordings of training: only forward passes are predicted.
struct ExpectationFacts {
  ModelFacts model;
  DeviceFacts device;
};
Result<ExpectationFacts> FindExpectationFacts(Analysis& analysis);

// Predicts from the facts and appends the section; says why when it can't.
void AddExpectation(Analysis& analysis, Document& document);

// Appends the blocks, and "expectation" to the data.
void AddExpectation(const ModelFacts& model, const DeviceFacts& device, const ExpectedStep& expected,
                    const std::vector<MeasuredFamily>& measured, Document& document);

}  // namespace warpsight
