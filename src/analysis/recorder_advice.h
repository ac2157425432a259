// Advice in the words of whom it is for: the recorder that made the file, and the program that was recorded.
//
// Advice is data (data/recorder_advice.toml): an id, and a text a kind. Code asks by id; an id or a kind that is not in the
// file is our bug: CHECK. Texts are clauses ("record with record_shapes=True"); AdviceSentence makes a sentence of one.
// Place in the flow: refusals of passes, lint findings, findings of the diagnosis, notes of documents.
// Thread-safe: the embedded file is parsed once.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>

#include "analysis/pass.h"
#include "trace/trace.h"

namespace warpsight {

// Who made the recording.
enum class Recorder : uint8_t {
  kTorch,      // PyTorch's profiler
  kNsys,       // Nsight Systems
  kWarpsight,  // warpsight record
  kOther,      // JSON that does not say
};
inline constexpr size_t kRecorders = 4;
// The format of PyTorch's profiler, whoever wrote it: it has ops, and marks steps.
constexpr bool HasTorchFormat(Recorder recorder) { return recorder == Recorder::kTorch || recorder == Recorder::kOther; }
Recorder RecorderOf(const RecordingInfo& recording);
// "torch", "nsys", "warpsight", "other": the names in the file.
std::string_view RecorderName(Recorder recorder);

std::string_view RecorderAdvice(Recorder recorder, std::string_view id);
std::string_view RecorderAdvice(const Trace& trace, std::string_view id);

// Whether what was recorded is a program of PyTorch: its profiler, or one that writes its format, made the file, or ops or
// kernels of PyTorch are in it. A C++ program knows no torch.compile.
struct TorchProgramPass {
  using Output = bool;
  static constexpr std::string_view kName = "torch_program";
  static constexpr Needs kNeeds = Needs::kNothing;
  static Result<Output> Run(Analysis& analysis);
};

std::string_view ProgramAdvice(bool is_torch, std::string_view id);
std::string_view ProgramAdvice(Analysis& analysis, std::string_view id);
// The same as a finding shows it: with a capital.
std::string FindingAdvice(Analysis& analysis, std::string_view id);

// "record again" -> "Record again".
std::string Capitalised(std::string_view clause);
// "record again" -> "Record again."
std::string AdviceSentence(std::string_view clause);

// All of the file, for its test.
struct AllAdvice {
  std::map<std::string, std::array<std::string, kRecorders>, std::less<>> by_recorder;
  std::map<std::string, std::array<std::string, 2>, std::less<>> by_program;  // torch, cuda
};
const AllAdvice& AllAdviceTexts();

}  // namespace warpsight
