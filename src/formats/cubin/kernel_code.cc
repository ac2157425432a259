#include "formats/cubin/kernel_code.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/cubin/cubin.h"
#include "formats/cubin/disassembler.h"
#include "formats/cubin/source_texts.h"

namespace warpsight {
namespace {

constexpr std::string_view kExecuted = "inst_executed";

// Addresses at which instructions were executed, sorted.
std::vector<uint64_t> ExecutedAddresses(const CounterReport& report, const ProfiledKernel& kernel) {
  std::vector<uint64_t> addresses;
  const Metric* metric = report.Find(kernel, kExecuted);
  for (uint32_t i = 0; metric != nullptr && i < metric->instance_count; ++i) {
    const CounterValue& key = kernel.instances[metric->first_instance + i].key;
    if (const uint64_t* address = std::get_if<uint64_t>(&key)) addresses.push_back(*address);
  }
  std::ranges::sort(addresses);
  return addresses;
}

std::optional<uint64_t> AddressNumber(const CounterValue& value) {
  if (const uint64_t* whole = std::get_if<uint64_t>(&value)) return *whole;
  const std::optional<double> real = NumberOf(value);
  constexpr double kExactLimit = 9007199254740992.0;  // 2^53
  if (!real || !(*real >= 0 && *real < kExactLimit)) return std::nullopt;
  return static_cast<uint64_t>(*real);
}

// Where the kernel's first instruction was. Older recorders said it in a metric.
std::optional<uint64_t> KernelBase(const CounterReport& report, const ProfiledKernel& kernel, const CodeModule& module,
                                   const std::vector<uint64_t>& executed) {
  const auto known = std::ranges::find(module.functions, kernel.mangled_name, &CodeModule::Function::mangled_name);
  if (known != module.functions.end() && known->base_address != 0) return known->base_address;
  const Metric* addresses = report.Find(kernel, "launch__function_pcs");
  if (addresses != nullptr && addresses->instance_count > 0)
    return AddressNumber(kernel.instances[addresses->first_instance].value);
  if (!executed.empty()) return executed.front();
  return std::nullopt;
}

class KernelCodeReader {
 public:
  KernelCodeReader(const Cubin& cubin, const CodeModule& module, const KernelCodeOptions& options)
      : cubin_(cubin), module_(module), options_(options) {}

  void Read(std::string_view name, uint64_t base_address) {
    Result<Cubin::Reading> reading = cubin_.ReadFunction(name);
    if (!reading.ok()) return AddProblem(reading.status().message());
    if (!reading->problem.empty()) AddProblem(reading->problem);
    KernelCode::Function function{base_address, std::move(reading->code), {}};
    if (options_.disassemble) {
      std::string disassembler = AddSassTexts(module_.cubin, function.code);
      if (code_.disassembler.empty()) code_.disassembler = std::move(disassembler);
    }
    function.texts = FindSourceTexts(function.code, &module_);
    code_.functions.push_back(std::move(function));
  }

  // Functions of the module, other than the kernel, that have one of these addresses.
  void ReadCalled(const std::vector<uint64_t>& executed) {
    std::vector<const CodeModule::Function*> functions;
    for (const CodeModule::Function& function : module_.functions) functions.push_back(&function);
    std::ranges::sort(functions, {}, &CodeModule::Function::base_address);
    for (size_t i = 0; i < functions.size() && code_.functions.size() < kMostFunctions; ++i) {
      const uint64_t begin = functions[i]->base_address;
      const auto first = std::ranges::lower_bound(executed, begin);
      if (first == executed.end() || begin == 0) continue;
      const bool is_last = i + 1 == functions.size();
      if ((is_last || *first < functions[i + 1]->base_address) && !IsKnown(*first)) Read(functions[i]->mangled_name, begin);
    }
  }

  KernelCode Take() && { return std::move(code_); }
  void AddProblem(std::string problem) { code_.problems.push_back(std::move(problem)); }

 private:
  static constexpr size_t kMostFunctions = 256;

  bool IsKnown(uint64_t address) const {
    return std::ranges::any_of(code_.functions, [&](const KernelCode::Function& function) {
      return address >= function.base_address && address - function.base_address < function.code.size_bytes;
    });
  }

  const Cubin& cubin_;
  const CodeModule& module_;
  const KernelCodeOptions& options_;
  KernelCode code_;
};

}  // namespace

KernelCode ReadKernelCode(const CounterReport& report, const ProfiledKernel& kernel, const KernelCodeOptions& options) {
  const CodeModule* module = report.FindModule(kernel.module_id);
  KernelCode none;
  if (module == nullptr || module->cubin.empty()) {
    if (!report.modules().empty()) none.problems.emplace_back("the report does not hold the program of this kernel");
    return none;
  }
  const Result<Cubin> cubin = Cubin::Open(module->cubin, ComputeCapability(report, kernel).value_or(90));
  if (!cubin.ok()) {
    none.problems.push_back(cubin.status().message());
    return none;
  }
  const std::vector<uint64_t> executed = ExecutedAddresses(report, kernel);
  const std::optional<uint64_t> base = KernelBase(report, kernel, *module, executed);
  if (!base) {
    none.problems.emplace_back("the report does not say where in memory the kernel was");
    return none;
  }
  KernelCodeReader reader(*cubin, *module, options);
  reader.Read(kernel.mangled_name, *base);
  reader.ReadCalled(executed);
  return std::move(reader).Take();
}

}  // namespace warpsight
