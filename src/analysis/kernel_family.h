// KernelFamilies: what a GPU kernel does (gemm, attention, copy, ...), told from its name by the rules of
// data/kernel_families.toml.
//
// Place in the flow: names of GPU work -> family -> kernels table, parts, findings. Classify once per distinct name (see
// FamiliesOf), not once per row.
// Rules are ordered, the first match wins, no match is "other". Errors: a damaged rule file is our bug (CHECK).
// Threads: immutable after construction; the embedded table is built on first use, thread-safe.
#pragma once

#include <bitset>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "trace/trace.h"

namespace warpsight {

// One entry of data/kernel_families.toml, for matching, tests and explanations.
struct KernelFamilyRule {
  std::string family;
  std::vector<std::string> patterns;  // lower case, * = any text
  std::vector<std::string> words;     // lower case, between borders
  std::string source;
  std::vector<std::string> examples;
};

class KernelFamilies {
 public:
  // `text` is TOML; the rules are its array of tables `array`.
  explicit KernelFamilies(std::string_view text, std::string_view array = "rule");
  // The rules that the program was built with.
  static const KernelFamilies& Embedded();

  // The rule that matches first, null when none does.
  const KernelFamilyRule* Match(std::string_view kernel_name) const;
  // "other" without a match. Views live as long as this object.
  std::string_view Classify(std::string_view kernel_name) const;
  // Copies and sets are known by what they are, whatever the recorder called them.
  std::string_view Classify(GpuKind kind, std::string_view name) const;
  const std::vector<KernelFamilyRule>& rules() const { return rules_; }

 private:
  // Pairs of neighbouring letters, hashed: a text that lacks a pair of the pattern cannot hold the pattern.
  using Pairs = std::bitset<1024>;
  struct Pattern {
    std::string text;
    Pairs pairs;
    bool word = false;
    uint32_t rule = 0;
  };
  static Pairs PairsOf(std::string_view text);
  static bool Matches(const Pattern& pattern, std::string_view lower_name);

  std::vector<KernelFamilyRule> rules_;
  std::vector<Pattern> patterns_;  // of all rules, in order
};

// Families of a trace's GPU work by StringId; each distinct name is classified once, when first asked for.
class FamiliesOf {
 public:
  explicit FamiliesOf(const Trace& trace) : trace_(trace), by_name_(trace.strings().size()) {}
  std::string_view family(uint32_t gpu_row);

 private:
  const Trace& trace_;
  std::vector<std::string_view> by_name_;  // by StringId; empty = not asked for yet
};

}  // namespace warpsight
