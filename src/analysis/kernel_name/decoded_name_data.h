// DecodedNameData: a decoded kernel name as JSON, every key always there, null where the name does not tell.
//
//   {"library","kind","architecture","a_type","b_type","accumulate_type","output_type","math_type","instruction",
//    "instruction_shape":[m,n,k],"tensor_cores":bool,"tile":[m,n,k],"cluster":[x,y,z],"stages","layout","a_transposed","b_transposed",
//    "split_k","split_k_slices","epilogue":[...],"vector_width","direction","head_dim","causal","ops":[...],"collective","reduction",
//    "algorithm","protocol","modifiers":[...],"label"}
// A side of an extent that is not told is null. Lists are empty, not null, when nothing is told. Threads: thread-safe.
#pragma once

#include <nlohmann/json.hpp>

#include "analysis/kernel_name/decoded_kernel_name.h"

namespace warpsight {

nlohmann::ordered_json DecodedNameData(const DecodedKernelName& decoded);

}  // namespace warpsight
