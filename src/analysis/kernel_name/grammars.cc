// The list of grammars, in the order they are asked: a grammar stands before every more general one. Adding one is a file,
// its declaration and its line here.
#include <array>

#include "analysis/kernel_name/grammar.h"

namespace warpsight {

extern const KernelNameGrammar kNvjetGrammar;
extern const KernelNameGrammar kTritonGrammar;
extern const KernelNameGrammar kNcclGrammar;
extern const KernelNameGrammar kTensileGrammar;
extern const KernelNameGrammar kMiopenGrammar;
extern const KernelNameGrammar kXmmaGrammar;
extern const KernelNameGrammar kCudnnGeneratedGrammar;
extern const KernelNameGrammar kBlasGrammar;
extern const KernelNameGrammar kFlashAttentionGrammar;
extern const KernelNameGrammar kFmhaGrammar;
extern const KernelNameGrammar kFlashinferGrammar;
extern const KernelNameGrammar kTrtllmGenGrammar;
extern const KernelNameGrammar kDeepGemmGrammar;
extern const KernelNameGrammar kComposableKernelGrammar;
extern const KernelNameGrammar kCutlassNameGrammar;
extern const KernelNameGrammar kAtenGrammar;
extern const KernelNameGrammar kCublasFunctionGrammar;
extern const KernelNameGrammar kCutlassTemplateGrammar;
extern const KernelNameGrammar kLibraryFunctionGrammar;

namespace {

constexpr std::array kGrammars = {
    &kNvjetGrammar,
    &kTritonGrammar,
    &kNcclGrammar,
    &kTensileGrammar,
    &kMiopenGrammar,
    &kXmmaGrammar,
    &kCudnnGeneratedGrammar,
    &kBlasGrammar,
    &kFlashAttentionGrammar,
    &kFmhaGrammar,
    &kFlashinferGrammar,
    &kTrtllmGenGrammar,
    &kDeepGemmGrammar,
    &kComposableKernelGrammar,
    &kCutlassNameGrammar,
    &kAtenGrammar,  // at::native kernels name CUTLASS types in their arguments
    &kCublasFunctionGrammar,
    &kCutlassTemplateGrammar,
    &kLibraryFunctionGrammar,
};

}  // namespace

std::span<const KernelNameGrammar* const> KernelNameGrammars() { return kGrammars; }

}  // namespace warpsight
