// FlashAttention 2, 3 and 4, also as vendored by PyTorch (pytorch_flash), vLLM and SGLang.
//
//   2: flash_{fwd|fwd_splitkv|bwd_...}_kernel<Flash_{fwd|bwd}_kernel_traits<head dim, Q rows, K rows, warps, ..., type>,
//      flags...>; the flags of fwd and bwd are dropout, causal, ..., those of fwd_splitkv causal, ...
//   3: FlashAttnFwdSm90<CollectiveMainloopFwdSm90<stages, cluster, tile Q x K x head dim, head dim of V, type,
//      accumulator, Arch, causal, ...>>
//      FlashAttnBwdSm90<CollectiveMainloopBwdSm90<stages, stages dO, stages dS, cluster, tile, type, accumulator, Arch,
//      causal, ...>>
//   4: flash_fwd_sm100_bf16_head_dim128_tile128x128_..._causal_..., or only ...flash_attncuteflash_fwd_sm100...
//
// Source: Dao-AILab/flash-attention csrc/flash_attn/src/kernel_traits.h, flash_fwd_launch_template.h; hopper/;
// flash_attn/cute.
#include <array>

#include "analysis/kernel_name/grammar.h"
#include "analysis/kernel_name/value_types.h"

namespace warpsight {
namespace {

constexpr size_t kNoArgument = static_cast<size_t>(-1);

// All versions multiply on tensor cores only: there is no other path in their sources.
void SetType(const std::string& type, DecodedKernelName& decoded) {
  decoded.a_type = decoded.b_type = decoded.math_type = type;
  decoded.tensor_cores = TensorCoreUse::kUsed;
}

// The flag after the traits: causal is the second of forward and backward, the first of split-KV.
void ReadFlags(const KernelNameText& name, DecodedKernelName& decoded) {
  const bool split = Contains(name.base(), "splitkv");
  if (split) decoded.split_k = "split-kv";
  if (Contains(name.base(), "combine") || Contains(name.base(), "convert") || Contains(name.base(), "dot_do_o")) {
    // Helpers that add or convert; they only share the traits.
    decoded.tensor_cores = TensorCoreUse::kNotTold;
    decoded.math_type.clear();
    decoded.ops.emplace_back(WithoutSuffix(name.base(), "_kernel"));
    return;
  }
  const size_t flag = split ? 1 : 2;
  if (name.arguments().size() > flag) decoded.causal = BoolArgument(name.arguments()[flag]);
}

bool DecodeFlash2(const KernelNameText& name, DecodedKernelName& decoded) {
  for (const std::string_view traits : {"Flash_fwd_kernel_traits", "Flash_bwd_kernel_traits"}) {
    const std::vector<std::string_view> arguments = TemplateArguments(name.text(), traits);
    if (arguments.size() < 4) continue;
    decoded.head_dim = IntegerArgument(arguments[0]).value_or(0);
    decoded.tile = {IntegerArgument(arguments[1]).value_or(0), IntegerArgument(arguments[2]).value_or(0), 0};
    for (const std::string_view argument : arguments) {
      const std::string type = ValueTypes::Embedded().OfCpp(argument);
      if (type.empty()) continue;
      SetType(type, decoded);
      break;
    }
    decoded.library = "FlashAttention 2";
    ReadFlags(name, decoded);
    return true;
  }
  return false;
}

bool DecodeFlash3(const KernelNameText& name, DecodedKernelName& decoded) {
  struct Mainloop {
    std::string_view name;
    size_t cluster;
    size_t tile;
    size_t type;
    size_t architecture;
  };
  constexpr std::array<Mainloop, 4> kMainloops = {{{"CollectiveMainloopFwdSm90", 1, 2, 4, 6},
                                                   {"CollectiveMainloopBwdSm90", 3, 4, 5, 7},
                                                   {"CollectiveMainloopFwdSm80", kNoArgument, 2, 4, 6},
                                                   {"CollectiveMainloopBwdSm80", kNoArgument, 2, 3, 5}}};
  for (const Mainloop& mainloop : kMainloops) {
    const std::vector<std::string_view> arguments = TemplateArguments(name.text(), mainloop.name);
    if (arguments.size() <= mainloop.architecture + 1) continue;
    decoded.library = "FlashAttention 3";
    decoded.architecture = mainloop.name.ends_with("Sm90") ? "sm90" : "sm80";
    decoded.direction = Contains(mainloop.name, "Fwd") ? PassDirection::kForward : PassDirection::kBackward;
    if (mainloop.cluster != kNoArgument) {
      decoded.stages = IntegerArgument(arguments[0]).value_or(0);
      decoded.cluster = TupleArgument(arguments[mainloop.cluster]).value_or(KernelExtent{});
    }
    decoded.tile = TupleArgument(arguments[mainloop.tile]).value_or(KernelExtent{});
    decoded.head_dim = decoded.tile.k;
    SetType(ValueTypes::Embedded().OfCpp(arguments[mainloop.type]), decoded);
    if (mainloop.name.ends_with("Sm90")) decoded.instruction = "wgmma";
    decoded.accumulate_type = ValueTypes::Embedded().OfCpp(arguments[mainloop.type + 1]);
    decoded.causal = BoolArgument(arguments[mainloop.architecture + 1]);
    return true;
  }
  return false;
}

// Words such as head_dim128, tile128x128, causal.
bool DecodeFlash4(const KernelNameText& name, DecodedKernelName& decoded) {
  const bool plain = name.Has("flash_attncuteflash_") || name.Has("flash_attn_cute");
  const bool forward = name.text().starts_with("flash_fwd_sm");
  const bool backward = name.text().starts_with("flash_bwd_sm");
  if (!plain && !forward && !backward) return false;
  decoded.library = "FlashAttention 4";
  if (name.Has("sm100")) decoded.architecture = "sm100";
  if (name.Has("sm90")) decoded.architecture = "sm90";
  if (plain && !forward && !backward) return true;
  const std::vector<std::string_view> words = SplitWords(name.text());
  decoded.architecture = words[2];
  decoded.causal = false;
  for (const std::string_view word : words) {
    if (word == "kernel") break;  // the generator's own mangling follows
    if (const auto dim = AfterPrefix(word, "dim"); dim && ParseNumber(*dim)) decoded.head_dim = *ParseNumber(*dim);
    if (const auto tile = AfterPrefix(word, "tile"); tile && ParseExtent(*tile)) decoded.tile = *ParseExtent(*tile);
    if (word == "causal") decoded.causal = true;
    if (const std::string type = ValueTypes::Embedded().OfWord(word); !type.empty()) SetType(type, decoded);
  }
  return true;
}

bool DecodeFlashAttention(const KernelNameText& name, DecodedKernelName& decoded) {
  if (!name.Has("flash") && !name.Has("Flash")) return false;
  decoded.kind = "attention";
  decoded.title = "flash-attn";
  if (name.Has("flash_fwd") || name.Has("FwdSm")) decoded.direction = PassDirection::kForward;
  if (name.Has("flash_bwd") || name.Has("BwdSm")) decoded.direction = PassDirection::kBackward;
  return DecodeFlash2(name, decoded) || DecodeFlash3(name, decoded) || DecodeFlash4(name, decoded);
}

}  // namespace

extern const KernelNameGrammar kFlashAttentionGrammar = {
    "flash attention",
    "flash_fwd_kernel<Flash_fwd_kernel_traits<128, 128, 64, 4, false, false, cutlass::bfloat16_t, ...>, ...>",
    "Dao-AILab/flash-attention sources", DecodeFlashAttention};

}  // namespace warpsight
