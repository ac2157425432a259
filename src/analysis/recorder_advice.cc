#include "analysis/recorder_advice.h"

#include <toml++/toml.h>

#include <algorithm>
#include <vector>

#include "base/check.h"
#include "base/embedded_data.h"

namespace warpsight {
namespace {

constexpr std::array<std::string_view, kRecorders> kRecorderNames = {"torch", "nsys", "warpsight", "other"};
constexpr std::array<std::string_view, 2> kProgramNames = {"torch", "cuda"};

template <size_t N>
void ReadTexts(const toml::table& file, std::string_view section, const std::array<std::string_view, N>& kinds,
               std::map<std::string, std::array<std::string, N>, std::less<>>& texts) {
  const toml::table* entries = file[section].as_table();
  CHECK(entries != nullptr);
  for (const auto& [id, node] : *entries) {
    const toml::table* entry = node.as_table();
    CHECK(entry != nullptr);
    std::array<std::string, N>& of_id = texts[std::string(id.str())];
    for (size_t i = 0; i < N; ++i) of_id[i] = (*entry)[kinds[i]].value_or(std::string());
  }
}

template <typename Texts>
std::string_view FindAdvice(const Texts& texts, std::string_view id, size_t kind) {
  const auto found = texts.find(id);
  CHECK(found != texts.end());
  return found->second[kind];
}

// Kernels of PyTorch carry its C++ namespaces; Inductor's have a prefix of their own.
bool IsTorchKernel(std::string_view name) {
  return name.find("at::") != std::string_view::npos || name.find("at_cuda_detail") != std::string_view::npos ||
         name.find("c10::") != std::string_view::npos || name.starts_with("triton_poi_") ||
         name.starts_with("triton_red_") || name.starts_with("triton_per_");
}

bool IsTorchOp(std::string_view name) {
  return name.starts_with("aten::") || name.starts_with("c10d::") || name.starts_with("autograd::engine");
}

bool HasTorchRows(const Trace& trace) {
  std::vector<bool> asked(trace.strings().size(), false);
  const auto is_new = [&asked](StringId name) {
    const bool known = asked[static_cast<uint32_t>(name)];
    asked[static_cast<uint32_t>(name)] = true;
    return !known;
  };
  for (const StringId name : trace.gpu().name) {
    if (is_new(name) && IsTorchKernel(trace.Text(name))) return true;
  }
  const HostEvents& host = trace.host();
  for (uint32_t row = 0; row < host.size(); ++row) {
    if (host.kind[row] == HostKind::kOp && is_new(host.name[row]) && IsTorchOp(trace.Text(host.name[row]))) return true;
  }
  return false;
}

}  // namespace

Recorder RecorderOf(const RecordingInfo& recording) {
  if (recording.producer == "pytorch-profiler") return Recorder::kTorch;
  if (recording.producer == "nsys") return Recorder::kNsys;
  return recording.producer == "warpsight" ? Recorder::kWarpsight : Recorder::kOther;
}

std::string_view RecorderName(Recorder recorder) { return kRecorderNames[static_cast<size_t>(recorder)]; }

const AllAdvice& AllAdviceTexts() {
  static const AllAdvice& advice = *[] {
    const std::string_view path = "data/recorder_advice.toml";
    const toml::table file = toml::parse(EmbeddedFile(path), path);
    auto* all = new AllAdvice;
    ReadTexts(file, "recorder", kRecorderNames, all->by_recorder);
    ReadTexts(file, "program", kProgramNames, all->by_program);
    return all;
  }();
  return advice;
}

std::string_view RecorderAdvice(Recorder recorder, std::string_view id) {
  return FindAdvice(AllAdviceTexts().by_recorder, id, static_cast<size_t>(recorder));
}

std::string_view RecorderAdvice(const Trace& trace, std::string_view id) {
  return RecorderAdvice(RecorderOf(trace.recording()), id);
}

Result<bool> TorchProgramPass::Run(Analysis& analysis) {
  const Trace& trace = analysis.trace();
  const Recorder recorder = RecorderOf(trace.recording());
  // JSON with GPU work is of PyTorch's recorder, whoever wrote it in the end.
  return HasTorchFormat(recorder) || HasTorchRows(trace);
}

std::string_view ProgramAdvice(bool is_torch, std::string_view id) {
  return FindAdvice(AllAdviceTexts().by_program, id, is_torch ? 0 : 1);
}

std::string_view ProgramAdvice(Analysis& analysis, std::string_view id) {
  return ProgramAdvice(*analysis.Get<TorchProgramPass>(), id);
}

std::string FindingAdvice(Analysis& analysis, std::string_view id) { return Capitalised(ProgramAdvice(analysis, id)); }

std::string Capitalised(std::string_view clause) {
  std::string text(clause);
  // Names of tools keep their spelling.
  const bool is_name = text.starts_with("nsys") || text.starts_with("warpsight");
  if (!text.empty() && !is_name && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

std::string AdviceSentence(std::string_view clause) { return Capitalised(clause) + "."; }

}  // namespace warpsight
