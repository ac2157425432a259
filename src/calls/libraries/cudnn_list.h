// The functions of cuDNN that are followed, declared by ourselves (see cublas_list.h); cudnn_abi_test.cc compares them with
// cudnn.h where it is installed. Their sizes lie in descriptors that take a dozen calls each to read: names alone are
// recorded. What stands here has the same parameters in cuDNN 8 and 9.
#pragma once

#include <cstddef>

#include "calls/libraries/follow_call.h"

namespace warpsight::calls::cudnn {

using P = void*;
using C = const void*;

using BackendExecute = int(P handle, P plan, P variants);
using BackendFinalize = int(P descriptor);
using Create = int(P handle);
using ConvolutionForward = int(P handle, C alpha, C x_desc, C x, C w_desc, C w, C convolution, int algorithm, P workspace,
                               size_t workspace_bytes, C beta, C y_desc, P y);
using ConvolutionBiasActivation = int(P handle, C alpha1, C x_desc, C x, C w_desc, C w, C convolution, int algorithm,
                                      P workspace, size_t workspace_bytes, C alpha2, C z_desc, C z, C bias_desc, C bias,
                                      C activation, C y_desc, P y);
using ConvolutionBias = int(P handle, C alpha, C dy_desc, C dy, C beta, C db_desc, P db);
using FindForward = int(P handle, C x_desc, C x, C w_desc, C w, C convolution, C y_desc, P y, int wanted, P count, P results,
                        P workspace, size_t workspace_bytes);
using GetForward = int(P handle, C x_desc, C w_desc, C convolution, C y_desc, int wanted, P count, P results);
using SoftmaxForward = int(P handle, int algorithm, int mode, C alpha, C x_desc, C x, C beta, C y_desc, P y);
using SoftmaxBackward = int(P handle, int algorithm, int mode, C alpha, C y_desc, C y, C dy_desc, C dy, C beta, C dx_desc,
                            P dx);
using PoolingForward = int(P handle, C descriptor, C alpha, C x_desc, C x, C beta, C y_desc, P y);
using PoolingBackward = int(P handle, C descriptor, C alpha, C y_desc, C y, C dy_desc, C dy, C x_desc, C x, C beta,
                            C dx_desc, P dx);
using NormInference = int(P handle, int mode, C alpha, C beta, C x_desc, C x, C y_desc, P y, C bn_desc, C scale, C bias,
                          C mean, C variance, double epsilon);
using NormTraining = int(P handle, int mode, C alpha, C beta, C x_desc, C x, C y_desc, P y, C bn_desc, C scale, C bias,
                         double factor, P mean, P variance, double epsilon, P saved_mean, P saved_variance);
using NormTrainingEx = int(P handle, int mode, int ops, C alpha, C beta, C x_desc, C x, C z_desc, C z, C y_desc, P y,
                           C bn_desc, C scale, C bias, double factor, P mean, P variance, double epsilon, P saved_mean,
                           P saved_variance, P activation, P workspace, size_t workspace_bytes, P reserve,
                           size_t reserve_bytes);
using NormBackward = int(P handle, int mode, C alpha_data, C beta_data, C alpha_parameters, C beta_parameters, C x_desc, C x,
                         C dy_desc, C dy, C dx_desc, P dx, C bn_desc, C scale, P d_scale, P d_bias, double epsilon,
                         C saved_mean, C saved_variance);
using RnnForward = int(P handle, P rnn, int mode, C lengths, P x_desc, C x, P y_desc, P y, P h_desc, C hx, P hy, P c_desc,
                       C cx, P cy, size_t weight_bytes, C weights, size_t workspace_bytes, P workspace, size_t reserve_bytes,
                       P reserve);
using RnnBackwardData = int(P handle, P rnn, C lengths, P y_desc, C y, C dy, P x_desc, P dx, P h_desc, C hx, C dhy, P dhx,
                            P c_desc, C cx, C dcy, P dcx, size_t weight_bytes, C weights, size_t workspace_bytes,
                            P workspace, size_t reserve_bytes, P reserve);
using RnnBackwardWeights = int(P handle, P rnn, int mode, C lengths, P x_desc, C x, P h_desc, C hx, P y_desc, C y,
                               size_t weight_bytes, P d_weights, size_t workspace_bytes, P workspace, size_t reserve_bytes,
                               P reserve);
using DropoutForward = int(P handle, C dropout, C x_desc, C x, C y_desc, P y, P reserve, size_t reserve_bytes);
using TransformTensor = int(P handle, C alpha, C x_desc, C x, C beta, C y_desc, P y);
using OpTensor = int(P handle, C op, C alpha1, C a_desc, C a, C alpha2, C b_desc, C b, C beta, C c_desc, P c);
using ReduceTensor = int(P handle, C reduction, P indices, size_t indices_bytes, P workspace, size_t workspace_bytes,
                         C alpha, C a_desc, C a, C beta, C c_desc, P c);
using SetTensor = int(P handle, C y_desc, P y, C value);
using CtcLoss = int(P handle, C probs_desc, C probs, C labels, C label_lengths, C input_lengths, P costs, C gradients_desc,
                    P gradients, int algorithm, P descriptor, P workspace, size_t workspace_bytes);
using CtcLoss8 = int(P handle, int algorithm, P descriptor, C probs_desc, C probs, C labels, C label_lengths,
                     C input_lengths, P costs, C gradients_desc, P gradients, size_t workspace_bytes, P workspace);

#define WARPSIGHT_CUDNN_LIST(X)                                                    \
  X(cudnnBackendExecute, BackendExecute, 3, NoSizes)                               \
  X(cudnnBackendFinalize, BackendFinalize, 1, NoSizes)                             \
  X(cudnnCreate, Create, 1, NoSizes)                                               \
  X(cudnnDestroy, Create, 1, NoSizes)                                              \
  X(cudnnConvolutionForward, ConvolutionForward, 13, NoSizes)                      \
  X(cudnnConvolutionBackwardData, ConvolutionForward, 13, NoSizes)                 \
  X(cudnnConvolutionBackwardFilter, ConvolutionForward, 13, NoSizes)               \
  X(cudnnConvolutionBiasActivationForward, ConvolutionBiasActivation, 18, NoSizes) \
  X(cudnnConvolutionBackwardBias, ConvolutionBias, 7, NoSizes)                     \
  X(cudnnFindConvolutionForwardAlgorithmEx, FindForward, 13, NoSizes)              \
  X(cudnnFindConvolutionBackwardDataAlgorithmEx, FindForward, 13, NoSizes)         \
  X(cudnnFindConvolutionBackwardFilterAlgorithmEx, FindForward, 13, NoSizes)       \
  X(cudnnGetConvolutionForwardAlgorithm_v7, GetForward, 8, NoSizes)                \
  X(cudnnGetConvolutionBackwardDataAlgorithm_v7, GetForward, 8, NoSizes)           \
  X(cudnnGetConvolutionBackwardFilterAlgorithm_v7, GetForward, 8, NoSizes)         \
  X(cudnnSoftmaxForward, SoftmaxForward, 9, NoSizes)                               \
  X(cudnnSoftmaxBackward, SoftmaxBackward, 11, NoSizes)                            \
  X(cudnnPoolingForward, PoolingForward, 8, NoSizes)                               \
  X(cudnnPoolingBackward, PoolingBackward, 12, NoSizes)                            \
  X(cudnnActivationForward, PoolingForward, 8, NoSizes)                            \
  X(cudnnActivationBackward, PoolingBackward, 12, NoSizes)                         \
  X(cudnnBatchNormalizationForwardInference, NormInference, 14, NoSizes)           \
  X(cudnnBatchNormalizationForwardTraining, NormTraining, 17, NoSizes)             \
  X(cudnnBatchNormalizationForwardTrainingEx, NormTrainingEx, 25, NoSizes)         \
  X(cudnnBatchNormalizationBackward, NormBackward, 19, NoSizes)                    \
  X(cudnnRNNForward, RnnForward, 20, NoSizes)                                      \
  X(cudnnRNNBackwardData_v8, RnnBackwardData, 22, NoSizes)                         \
  X(cudnnRNNBackwardWeights_v8, RnnBackwardWeights, 16, NoSizes)                   \
  X(cudnnDropoutForward, DropoutForward, 8, NoSizes)                               \
  X(cudnnDropoutBackward, DropoutForward, 8, NoSizes)                              \
  X(cudnnTransformTensor, TransformTensor, 7, NoSizes)                             \
  X(cudnnAddTensor, TransformTensor, 7, NoSizes)                                   \
  X(cudnnOpTensor, OpTensor, 11, NoSizes)                                          \
  X(cudnnReduceTensor, ReduceTensor, 12, NoSizes)                                  \
  X(cudnnSetTensor, SetTensor, 4, NoSizes)                                         \
  X(cudnnScaleTensor, SetTensor, 4, NoSizes)                                       \
  X(cudnnCTCLoss, CtcLoss, 13, NoSizes)                                            \
  X(cudnnCTCLoss_v8, CtcLoss8, 13, NoSizes)

WARPSIGHT_CUDNN_LIST(WARPSIGHT_DECLARE_CALL)

}  // namespace warpsight::calls::cudnn
