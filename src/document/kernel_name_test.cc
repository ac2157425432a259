#include "document/kernel_name.h"

#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <random>
#include <set>
#include <string>
#include <string_view>

namespace warpsight {
namespace {

struct NameCase {
  std::string_view demangled;
  std::string_view short_form;
};

// Names as PyTorch's profiler writes them, from runs of a Llama and a GPT-2 model on an H200.
constexpr std::array<NameCase, 40> kRecordedNames = {{
    {"nvjet_sm90_hsh_64x8_64x16_4x1_v_bz_TNT", "nvjet_sm90_hsh_64x8_64x16_4x1_v_bz_TNT"},
    {"nvjet_sm90_tst_256x128_64x4_1x2_h_bz_coopA_bias_TNT", "nvjet_sm90_tst_256x128_64x4_1x2_h_bz_coopA_bias_TNT"},
    {"nvjet_sm90_hsh_64x64_64x13_4x1_v_bz_splitK_TNT", "nvjet_sm90_hsh_64x64_64x13_4x1_v_bz_splitK_TNT"},
    {"cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma_f16_knob_7_64x128x64_4x1x1_cga1x1x1_kernel0_0",
     "cudnn_generated_fort_native_sdpa_sm90_flash_fprop_wgmma_f16_knob_7_64x128x64_4x1x1_cga1x1x1_kernel0_0"},
    {"fmha_cutlassF_f16_aligned_64x64_rf_sm80(PyTorchMemEffAttention::AttentionKernel<cutlass::half_t, cutlass:"
     ":arch::Sm80, true, 64, 64, 64, true, true>::Params)",
     "fmha_cutlassF_f16_aligned_64x64_rf_sm80"},
    {"ncclDevKernel_AllReduce_Sum_bf16_RING_LL(ncclDevKernelArgsStorage<4096ul>)",
     "ncclDevKernel_AllReduce_Sum_bf16_RING_LL"},
    {"triton_poi_fused__unsafe_view_mul_silu_9", "triton_poi_fused__unsafe_view_mul_silu_9"},
    {"triton_per_fused_add_arange_cat_cumsum_ne_slice_sub_unsqueeze_3",
     "triton_per_fused_add_arange_cat_cumsum_ne_slice_sub_unsqueeze_3"},
    {"void (anonymous namespace)::elementwise_kernel_with_index<int, at::native::arange_cuda_out(c10::Scalar co"
     "nst&, c10::Scalar const&, c10::Scalar const&, at::Tensor&)::{lambda()#1}::operator()() const::{lambda()#4"
     "}::operator()() const::{lambda(long)#1}>(int, at::native::arange_cuda_out(c10::Scalar const&, c10::Scalar"
     " const&, c10::Scalar const&, at::Tensor&)::{lambda()#1}::operator()() const::{lambda()#4}::operator()() c"
     "onst::{lambda(long)#1}, function_traits<at::native::arange_cuda_out(c10::Scalar const&, c10::Scalar const"
     "&, c10::Scalar const&, at::Tensor&)::{lambda()#1}::operator()() const::{lambda()#4}::operator()() const::"
     "{lambda(long)#1}>::result_type*)",
     "elementwise_kernel_with_index<int, arange_cuda_out::{lambda(long)#1}>"},
    {"void at::native::(anonymous namespace)::CatArrayBatchedCopy<at::native::(anonymous namespace)::OpaqueType"
     "<2u>, unsigned int, 4, 64, 64>(at::native::(anonymous namespace)::OpaqueType<2u>*, at::native::(anonymous"
     " namespace)::CatArrInputTensorMetadata<at::native::(anonymous namespace)::OpaqueType<2u>, unsigned int, 6"
     "4, 64>, at::native::(anonymous namespace)::TensorSizeStride<unsigned int, 4u>, int, unsigned int)",
     "at::native::CatArrayBatchedCopy<OpaqueType<2u>, unsigned int, 4, 64, 64>"},
    {"void at::native::(anonymous namespace)::CatArrayBatchedCopy_vectorized<at::native::(anonymous namespace):"
     ":OpaqueType<2u>, unsigned int, 3, 128, 1, 16, 8>(char*, at::native::(anonymous namespace)::CatArrInputTen"
     "sorMetadata<at::native::(anonymous namespace)::OpaqueType<2u>, unsigned int, 128, 1>, at::native::(anonym"
     "ous namespace)::TensorSizeStride<unsigned int, 4u>, int, unsigned int)",
     "at::native::CatArrayBatchedCopy_vectorized<OpaqueType<2u>, unsigned int, 3, 128, 1, 16, 8>"},
    {"void at::native::(anonymous namespace)::indexSelectSmallIndex<c10::Half, long, unsigned int, 2, 2, -2>(at"
     "::cuda::detail::TensorInfo<c10::Half, unsigned int>, at::cuda::detail::TensorInfo<c10::Half const, unsign"
     "ed int>, at::cuda::detail::TensorInfo<long const, unsigned int>, int, int, unsigned int, long)",
     "at::native::indexSelectSmallIndex<c10::Half, long, unsigned int, 2, 2, -2>"},
    {"void at::native::(anonymous namespace)::cunn_SoftMaxForward<4, float, float, float, at::native::(anonymou"
     "s namespace)::LogSoftMaxForwardEpilogue>(float*, float const*, int)",
     "at::native::cunn_SoftMaxForward<4, float, float, float, LogSoftMaxForwardEpilogue>"},
    {"void at::native::(anonymous namespace)::GammaBetaBackwardCUDAKernelTemplate<c10::BFloat16, float, 32u, 32"
     "u, 256u, false, true, false>(long, long, c10::BFloat16 const*, c10::BFloat16 const*, float const*, float "
     "const*, c10::BFloat16*, c10::BFloat16*)",
     "at::native::GammaBetaBackwardCUDAKernelTemplate<c10::BFloat16, float, 32u, 32u, 256u, false, true, false>"},
    {"void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous namespace)::Tens"
     "orListMetadata<2>, at::native::(anonymous namespace)::UnaryOpFunctor<float, 2, 1, 1>, at::native::Sqrt<fl"
     "oat> >(at::native::(anonymous namespace)::TensorListMetadata<2>, at::native::(anonymous namespace)::Unary"
     "OpFunctor<float, 2, 1, 1>, at::native::Sqrt<float>)",
     "at::native::multi_tensor_apply_kernel<TensorListMetadata<2>, UnaryOpFunctor<float, 2, 1, 1>, Sqrt<float>>"},
    {"void at::native::(anonymous namespace)::multi_tensor_apply_kernel<at::native::(anonymous namespace)::Tens"
     "orListScalarListMetadata<float, 3>, at::native::(anonymous namespace)::PointwiseOpScalarListFunctor<float"
     ", 3, 3, 0>, std::divides<float> >(at::native::(anonymous namespace)::TensorListScalarListMetadata<float, "
     "3>, at::native::(anonymous namespace)::PointwiseOpScalarListFunctor<float, 3, 3, 0>, std::divides<float>)",
     "at::native::multi_tensor_apply_kernel<TensorListScalarListMetadata<float, 3>, PointwiseOpScalarListFuncto"
     "r<float, 3, 3, 0>, std::divides<float>>"},
    {"void at::native::(anonymous namespace)::vectorized_layer_norm_kernel<c10::BFloat16, float, false>(int, fl"
     "oat, c10::BFloat16 const*, c10::BFloat16 const*, c10::BFloat16 const*, float*, float*, c10::BFloat16*)",
     "at::native::vectorized_layer_norm_kernel<c10::BFloat16, float, false>"},
    {"void at::native::(anonymous namespace)::embedding_backward_feature_kernel<float, float, long>(long const*"
     ", float const*, float*, int, long, int)",
     "at::native::embedding_backward_feature_kernel<float, float, long>"},
    {"void at::native::elementwise_kernel<128, 4, at::native::gpu_kernel_impl_nocast<at::native::BinaryFunctor<"
     "c10::Half, c10::Half, c10::Half, at::native::binary_internal::MulFunctor<float> > >(at::TensorIteratorBas"
     "e&, at::native::BinaryFunctor<c10::Half, c10::Half, c10::Half, at::native::binary_internal::MulFunctor<fl"
     "oat> > const&)::{lambda(int)#1}>(int, at::native::gpu_kernel_impl_nocast<at::native::BinaryFunctor<c10::H"
     "alf, c10::Half, c10::Half, at::native::binary_internal::MulFunctor<float> > >(at::TensorIteratorBase&, at"
     "::native::BinaryFunctor<c10::Half, c10::Half, c10::Half, at::native::binary_internal::MulFunctor<float> >"
     " const&)::{lambda(int)#1})",
     "at::native::elementwise_kernel<128, 4, gpu_kernel_impl_nocast<BinaryFunctor<c10::Half, c10::Half, c10::Ha"
     "lf, MulFunctor<float>>>::{lambda(int)#1}>"},
    {"void at::native::elementwise_kernel<128, 4, at::native::gpu_kernel_impl_nocast<at::native::CUDAFunctor_ad"
     "d<c10::Half> >(at::TensorIteratorBase&, at::native::CUDAFunctor_add<c10::Half> const&)::{lambda(int)#1}>("
     "int, at::native::gpu_kernel_impl_nocast<at::native::CUDAFunctor_add<c10::Half> >(at::TensorIteratorBase&,"
     " at::native::CUDAFunctor_add<c10::Half> const&)::{lambda(int)#1})",
     "at::native::elementwise_kernel<128, 4, gpu_kernel_impl_nocast<CUDAFunctor_add<c10::Half>>::{lambda(int)#1"
     "}>"},
    {"void at::native::elementwise_kernel<128, 4, at::native::gpu_kernel_impl<at::native::direct_copy_kernel_cu"
     "da(at::TensorIteratorBase&)::{lambda()#3}::operator()() const::{lambda()#7}::operator()() const::{lambda("
     "float)#1}>(at::TensorIteratorBase&, at::native::direct_copy_kernel_cuda(at::TensorIteratorBase&)::{lambda"
     "()#3}::operator()() const::{lambda()#7}::operator()() const::{lambda(float)#1} const&)::{lambda(int)#1}>("
     "int, at::native::gpu_kernel_impl<at::native::direct_copy_kernel_cuda(at::TensorIteratorBase&)::{lambda()#"
     "3}::operator()() const::{lambda()#7}::operator()() const::{lambda(float)#1}>(at::TensorIteratorBase&, at:"
     ":native::direct_copy_kernel_cuda(at::TensorIteratorBase&)::{lambda()#3}::operator()() const::{lambda()#7}"
     "::operator()() const::{lambda(float)#1} const&)::{lambda(int)#1})",
     "at::native::elementwise_kernel<128, 4, gpu_kernel_impl<direct_copy_kernel_cuda::{lambda(float)#1}>::{lamb"
     "da(int)#1}>"},
    {"void at::native::index_elementwise_kernel<128, 4, at::native::gpu_index_kernel<at::native::index_kernel_i"
     "mpl<at::native::OpaqueType<8> >(at::TensorIteratorBase&, c10::ArrayRef<long>, c10::ArrayRef<long>)::{lamb"
     "da(char*, char const*, long)#1}>(at::TensorIteratorBase&, c10::ArrayRef<long>, c10::ArrayRef<long>, at::n"
     "ative::index_kernel_impl<at::native::OpaqueType<8> >(at::TensorIteratorBase&, c10::ArrayRef<long>, c10::A"
     "rrayRef<long>)::{lambda(char*, char const*, long)#1} const&, bool)::{lambda(int)#1}>(long, at::native::gp"
     "u_index_kernel<at::native::index_kernel_impl<at::native::OpaqueType<8> >(at::TensorIteratorBase&, c10::Ar"
     "rayRef<long>, c10::ArrayRef<long>)::{lambda(char*, char const*, long)#1}>(at::TensorIteratorBase&, c10::A"
     "rrayRef<long>, c10::ArrayRef<long>, at::native::index_kernel_impl<at::native::OpaqueType<8> >(at::TensorI"
     "teratorBase&, c10::ArrayRef<long>, c10::ArrayRef<long>)::{lambda(char*, char const*, long)#1} const&, boo"
     "l)::{lambda(int)#1})",
     "at::native::index_elementwise_kernel<128, 4, gpu_index_kernel<index_kernel_impl<OpaqueType<8>>::{lambda(c"
     "har*, char const*, long)#1}>::{lambda(int)#1}>"},
    {"void at::native::reduce_kernel<512, 1, at::native::ReduceOp<c10::Half, at::native::ArgMaxOps<float>, unsi"
     "gned int, long, 4, 4> >(at::native::ReduceOp<c10::Half, at::native::ArgMaxOps<float>, unsigned int, long,"
     " 4, 4>)",
     "at::native::reduce_kernel<512, 1, ReduceOp<c10::Half, ArgMaxOps<float>, unsigned int, long, 4, 4>>"},
    {"void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, at::native::func_wrapper_t<float, at::"
     "native::sum_functor<float, float, float>::operator()(at::TensorIterator&)::{lambda(float, float)#1}>, uns"
     "igned int, float, 4, 4> >(at::native::ReduceOp<float, at::native::func_wrapper_t<float, at::native::sum_f"
     "unctor<float, float, float>::operator()(at::TensorIterator&)::{lambda(float, float)#1}>, unsigned int, fl"
     "oat, 4, 4>)",
     "at::native::reduce_kernel<512, 1, ReduceOp<float, func_wrapper_t<float, sum_functor<float, float, float>:"
     ":{lambda(float, float)#1}>, unsigned int, float, 4, 4>>"},
    {"void at::native::reduce_kernel<512, 1, at::native::ReduceOp<float, at::native::MeanOps<float, float, floa"
     "t, float>, unsigned int, float, 4, 4> >(at::native::ReduceOp<float, at::native::MeanOps<float, float, flo"
     "at, float>, unsigned int, float, 4, 4>)",
     "at::native::reduce_kernel<512, 1, ReduceOp<float, MeanOps<float, float, float, float>, unsigned int, floa"
     "t, 4, 4>>"},
    {"void at::native::unrolled_elementwise_kernel<at::native::CUDAFunctor_add<long>, std::array<char*, 3ul>, 4"
     ", TrivialOffsetCalculator<2, unsigned int>, TrivialOffsetCalculator<1, unsigned int>, at::native::memory:"
     ":LoadWithoutCast, at::native::memory::StoreWithoutCast>(int, at::native::CUDAFunctor_add<long>, std::arra"
     "y<char*, 3ul>, TrivialOffsetCalculator<2, unsigned int>, TrivialOffsetCalculator<1, unsigned int>, at::na"
     "tive::memory::LoadWithoutCast, at::native::memory::StoreWithoutCast)",
     "at::native::unrolled_elementwise_kernel<CUDAFunctor_add<long>, 4>"},
    {"void at::native::unrolled_elementwise_kernel<at::native::direct_copy_kernel_cuda(at::TensorIteratorBase&)"
     "::{lambda()#3}::operator()() const::{lambda()#7}::operator()() const::{lambda(float)#1}, std::array<char*"
     ", 2ul>, 4, TrivialOffsetCalculator<1, unsigned int>, TrivialOffsetCalculator<1, unsigned int>, at::native"
     "::memory::LoadWithCast<1>, at::native::memory::StoreWithCast<1> >(int, at::native::direct_copy_kernel_cud"
     "a(at::TensorIteratorBase&)::{lambda()#3}::operator()() const::{lambda()#7}::operator()() const::{lambda(f"
     "loat)#1}, std::array<char*, 2ul>, TrivialOffsetCalculator<1, unsigned int>, TrivialOffsetCalculator<1, un"
     "signed int>, at::native::memory::LoadWithCast<1>, at::native::memory::StoreWithCast<1>)",
     "at::native::unrolled_elementwise_kernel<direct_copy_kernel_cuda::{lambda(float)#1}, 4, LoadWithCast<1>, S"
     "toreWithCast<1>>"},
    {"void at::native::vectorized_elementwise_kernel<4, at::native::(anonymous namespace)::pow_tensor_scalar_ke"
     "rnel_impl<float, float>(at::TensorIteratorBase&, float)::{lambda(float)#2}, std::array<char*, 2ul> >(int,"
     " at::native::(anonymous namespace)::pow_tensor_scalar_kernel_impl<float, float>(at::TensorIteratorBase&, "
     "float)::{lambda(float)#2}, std::array<char*, 2ul>)",
     "at::native::vectorized_elementwise_kernel<4, pow_tensor_scalar_kernel_impl<float, float>::{lambda(float)#"
     "2}>"},
    {"void at::native::vectorized_elementwise_kernel<4, at::native::BinaryFunctor<long, long, bool, at::native:"
     ":(anonymous namespace)::CompareEqFunctor<long> >, std::array<char*, 3ul> >(int, at::native::BinaryFunctor"
     "<long, long, bool, at::native::(anonymous namespace)::CompareEqFunctor<long> >, std::array<char*, 3ul>)",
     "at::native::vectorized_elementwise_kernel<4, BinaryFunctor<long, long, bool, CompareEqFunctor<long>>>"},
    {"void at::native::vectorized_elementwise_kernel<4, at::native::cos_kernel_cuda(at::TensorIteratorBase&)::{"
     "lambda()#2}::operator()() const::{lambda()#2}::operator()() const::{lambda(float)#1}, std::array<char*, 2"
     "ul> >(int, at::native::cos_kernel_cuda(at::TensorIteratorBase&)::{lambda()#2}::operator()() const::{lambd"
     "a()#2}::operator()() const::{lambda(float)#1}, std::array<char*, 2ul>)",
     "at::native::vectorized_elementwise_kernel<4, cos_kernel_cuda::{lambda(float)#1}>"},
    {"void at::native::vectorized_elementwise_kernel<8, at::native::(anonymous namespace)::silu_kernel(at::Tens"
     "orIteratorBase&)::{lambda()#1}::operator()() const::{lambda()#5}::operator()() const::{lambda(c10::Half)#"
     "1}, std::array<char*, 2ul> >(int, at::native::(anonymous namespace)::silu_kernel(at::TensorIteratorBase&)"
     "::{lambda()#1}::operator()() const::{lambda()#5}::operator()() const::{lambda(c10::Half)#1}, std::array<c"
     "har*, 2ul>)",
     "at::native::vectorized_elementwise_kernel<8, silu_kernel::{lambda(c10::Half)#1}>"},
    {"void at::native::vectorized_elementwise_kernel<8, at::native::(anonymous namespace)::where_kernel_impl(at"
     "::TensorIterator&)::{lambda()#1}::operator()() const::{lambda()#2}::operator()() const::{lambda(bool, c10"
     "::Half, c10::Half)#1}, std::array<char*, 4ul> >(int, at::native::(anonymous namespace)::where_kernel_impl"
     "(at::TensorIterator&)::{lambda()#1}::operator()() const::{lambda()#2}::operator()() const::{lambda(bool, "
     "c10::Half, c10::Half)#1}, std::array<char*, 4ul>)",
     "at::native::vectorized_elementwise_kernel<8, where_kernel_impl::{lambda(bool, c10::Half, c10::Half)#1}>"},
    {"void at::native::vectorized_elementwise_kernel<8, at::native::CUDAFunctor_add<c10::Half>, std::array<char"
     "*, 3ul> >(int, at::native::CUDAFunctor_add<c10::Half>, std::array<char*, 3ul>)",
     "at::native::vectorized_elementwise_kernel<8, CUDAFunctor_add<c10::Half>>"},
    {"void at::native::vectorized_elementwise_kernel<8, at::native::GeluCUDAKernelImpl(at::TensorIteratorBase&,"
     " at::native::GeluType)::{lambda()#2}::operator()() const::{lambda()#4}::operator()() const::{lambda(c10::"
     "BFloat16)#1}, std::array<char*, 2ul> >(int, at::native::GeluCUDAKernelImpl(at::TensorIteratorBase&, at::n"
     "ative::GeluType)::{lambda()#2}::operator()() const::{lambda()#4}::operator()() const::{lambda(c10::BFloat"
     "16)#1}, std::array<char*, 2ul>)",
     "at::native::vectorized_elementwise_kernel<8, GeluCUDAKernelImpl::{lambda(c10::BFloat16)#1}>"},
    {"void at::native::vectorized_elementwise_kernel<8, at::native::bfloat16_copy_kernel_cuda(at::TensorIterato"
     "rBase&)::{lambda(float)#1}, std::array<char*, 2ul> >(int, at::native::bfloat16_copy_kernel_cuda(at::Tenso"
     "rIteratorBase&)::{lambda(float)#1}, std::array<char*, 2ul>)",
     "at::native::vectorized_elementwise_kernel<8, bfloat16_copy_kernel_cuda::{lambda(float)#1}>"},
    {"void at::native::vectorized_gather_kernel<16, long>(char*, char*, long*, int, long, long, long, long, boo"
     "l)",
     "at::native::vectorized_gather_kernel<16, long>"},
    {"void at_cuda_detail::cub::detail::scan::DeviceScanKernel<at_cuda_detail::cub::detail::scan::policy_hub<lo"
     "ng, long, long, unsigned int, std::plus<long> >::Policy1000, long const*, long*, at_cuda_detail::cub::Sca"
     "nTileState<long, true>, std::plus<long>, at_cuda_detail::cub::NullType, unsigned int, long, false, at_cud"
     "a_detail::cub::NullType>(long const*, long*, at_cuda_detail::cub::ScanTileState<long, true>, int, std::pl"
     "us<long>, at_cuda_detail::cub::NullType, unsigned int)",
     "at_cuda_detail::cub::detail::scan::DeviceScanKernel<policy_hub<long, long, long, unsigned int, std::plus<"
     "long>>::Policy1000, long const*, long*, ScanTileState<long, true>, std::plus<long>, unsigned int, long, f"
     "alse>"},
    {"void cublasLt::splitKreduce_kernel<32, 16, int, float, __half, float, __half, false, float, __half, __hal"
     "f, true, false, false, false>(cublasLt::cublasSplitKParams<float>, float const*, __half const*, float*, _"
     "_half*, float const*, float const*, __half const*, float const*, __half*, void*, long, float*, int*, floa"
     "t*, float*, float const*, float const*, float const*, float const*, float const*)",
     "cublasLt::splitKreduce_kernel<32, 16, int, float, __half, float, __half, false, float, __half, __half, tr"
     "ue, false, false, false>"},
    {"void cudnn::fusion::fmha_reduce_head<true>(void const*, void*, unsigned int, unsigned int, unsigned int, "
     "unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, unsigned int, unsigne"
     "d int, float const*, float const*, float const*, float*, void*, bool, void*, bool)",
     "cudnn::fusion::fmha_reduce_head<true>"},
    {"void cutlass::Kernel2<cutlass_80_simt_sgemm_128x32_8x5_tn_align1>(cutlass_80_simt_sgemm_128x32_8x5_tn_ali"
     "gn1::Params)",
     "cutlass::Kernel2<cutlass_80_simt_sgemm_128x32_8x5_tn_align1>"},
}};

TEST(ShortKernelName, RecordedNames) {
  for (const NameCase& name : kRecordedNames) EXPECT_EQ(ShortKernelName(name.demangled), name.short_form);
}

TEST(ShortKernelName, RecordedNamesStayApart) {
  std::set<std::string> seen;
  for (const NameCase& name : kRecordedNames) EXPECT_TRUE(seen.insert(ShortKernelName(name.demangled)).second);
}

TEST(ShortKernelName, ShortFormIsStable) {
  for (const NameCase& name : kRecordedNames) EXPECT_EQ(ShortKernelName(name.short_form), name.short_form);
}

TEST(ShortKernelName, EdgDemanglerGivesTheSameAsGnu) {
  EXPECT_EQ(ShortKernelName("void at::native::<unnamed>::Copy<at::native::<unnamed>::OpaqueType<(unsigned int)2>, (int)1, "
                            "(bool)0>(char *, const T1 *)"),
            "at::native::Copy<OpaqueType<2>, 1, 0>");
  EXPECT_EQ(
      ShortKernelName("void k<(int)4, void at::native::f<long>(at::Iterator &, T1)::[lambda() (instance 2)]::operator "
                      "()() const::[lambda(char *, long) (instance 1)], std::array<char *, (unsigned long)2>>(int, T2)"),
      "k<4, f<long>::{lambda(char*, long)#1}>");
}

TEST(ShortKernelName, OperatorsAreNotBrackets) {
  EXPECT_EQ(ShortKernelName("ns::operator< <int>(A)"), "ns::operator< <int>");
  EXPECT_EQ(ShortKernelName("ns::operator<<(A, B)"), "ns::operator<<");
  EXPECT_EQ(ShortKernelName("Foo::operator()(int) const"), "Foo::operator()");
  EXPECT_EQ(ShortKernelName("k<&A::operator>, 3>(int)"), "k<&A::operator>, 3>");
  EXPECT_EQ(ShortKernelName("k<a::b::operator() >(int)"), "k<operator()>");
  EXPECT_EQ(ShortKernelName("operators(int)"), "operators");
  EXPECT_EQ(ShortKernelName("operator"), "operator");
}

TEST(ShortKernelName, LambdasKeepTheInnermost) {
  EXPECT_EQ(ShortKernelName("k<f<int>(int)::{lambda()#1}::operator()() const::{lambda(g::h::i)#2} const&>(int)"),
            "k<f<int>::{lambda(i)#2} const&>");
  EXPECT_EQ(ShortKernelName("k<f()::'lambda'(int)::operator()(int) const::'lambda0'(float)>(x)"), "k<f::'lambda0'(float)>");
}

TEST(ShortKernelName, TypesAndConstants) {
  EXPECT_EQ(ShortKernelName("k<(bool)1, (int)-3>(x)"), "k<1, -3>");
  EXPECT_EQ(ShortKernelName("k<void (*)(int, float)>(int)"), "k<void (*)>");
  EXPECT_EQ(ShortKernelName("k<a::b::c<d::e::f>::type>(int)"), "k<c<f>::type>");
  EXPECT_EQ(ShortKernelName("k<::a::b>(int)"), "k<a::b>");
  EXPECT_EQ(ShortKernelName("k<std::array<char*, 2ul> >()"), "k");
  EXPECT_EQ(ShortKernelName("k(int) [clone .kd]"), "k");
}

TEST(ShortKernelName, OtherGpuWorkStaysAsItIs) {
  for (const char* name : {"Memcpy HtoD (Pageable -> Device)", "Memset (Device)", "aten::linear", "<unknown>", "void"}) {
    EXPECT_EQ(ShortKernelName(name), name);
  }
}

TEST(ShortKernelName, UnbalancedBracketsKeepWhatIsThere) {
  EXPECT_EQ(ShortKernelName(""), "");
  EXPECT_EQ(ShortKernelName("foo<"), "foo<");
  EXPECT_EQ(ShortKernelName("foo<8, at::native::Fill"), "foo<8, Fill");
  EXPECT_EQ(ShortKernelName("foo>>>"), "foo>>>");
  EXPECT_EQ(ShortKernelName("foo(int, bar<"), "foo");
  EXPECT_EQ(ShortKernelName("))))"), "))))");
  EXPECT_EQ(ShortKernelName("(anonymous namespace)::"), "(anonymous namespace)::");
}

TEST(ShortKernelName, LongNamesAreCappedInTheMiddle) {
  const std::string name = ShortKernelName("start_" + std::string(1000, 'x') + "_end");
  EXPECT_EQ(name.size(), 256U);
  EXPECT_TRUE(name.starts_with("start_x") && name.ends_with("x_end"));
  EXPECT_NE(name.find("x...x"), std::string::npos);
}

TEST(ShortKernelName, CapDoesNotSplitACharacter) {
  std::string name;
  for (int i = 0; i < 300; ++i) name += "\xC3\xA9";
  const std::string capped = ShortKernelName(name);
  EXPECT_LE(capped.size(), 256U);
  const std::size_t gap = capped.find("...");
  EXPECT_EQ(gap % 2, 0U);
  EXPECT_EQ((capped.size() - gap - 3) % 2, 0U);
}

TEST(WithoutNamespaces, KeepsTheLastComponent) {
  EXPECT_EQ(WithoutNamespaces("at::native::copy<a::b, 3>"), "copy<a::b, 3>");
  EXPECT_EQ(WithoutNamespaces("nvjet_sm90_hsh"), "nvjet_sm90_hsh");
  EXPECT_EQ(WithoutNamespaces("f<x>::g::h"), "f<x>::g::h");
  EXPECT_EQ(WithoutNamespaces("a::{lambda()#1}"), "a::{lambda()#1}");
  EXPECT_EQ(WithoutNamespaces("ends::"), "ends::");
  EXPECT_EQ(WithoutNamespaces("Memcpy HtoD (a::b)"), "Memcpy HtoD (a::b)");
  EXPECT_EQ(WithoutNamespaces(""), "");
}

// Generous limit: a quadratic scan of 1 MB takes minutes, this one milliseconds.
TEST(ShortKernelName, MegabyteNamesTakeLinearTime) {
  const auto begin = std::chrono::steady_clock::now();
  for (const std::string_view piece :
       {"<", "(", "a<b,", "a::b::c::", "x>", "{lambda(", "::{lambda()#1}", "operator", "*", ", "}) {
    std::string name = "k<";
    while (name.size() < 1'000'000) name += piece;
    EXPECT_LE(ShortKernelName(name).size(), 256U);
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(20));
}

// Any soup of the tokens that steer the scan must give a bounded, non-empty result (sanitizers watch the rest).
TEST(ShortKernelName, RandomTokensAreSafe) {
  constexpr std::array<std::string_view, 22> kTokens = {
      "<",        ">",          "(",        ")",   "{",     "}",      "[lambda",
      "]",        "::",         ",",        " ",   "*",     "a",      "at::native::",
      "operator", "operator()", "{lambda(", "#1}", "void ", " const", " (instance 2)",
      "\xff"};
  std::mt19937 random(11);
  for (int i = 0; i < 10'000; ++i) {
    std::string name = "k";
    for (auto count = random() % 24; count > 0; --count) name += kTokens[random() % kTokens.size()];
    const std::string short_form = ShortKernelName(name);
    EXPECT_FALSE(short_form.empty()) << name;
    EXPECT_LE(short_form.size(), 256U) << name;
  }
}

}  // namespace
}  // namespace warpsight
