"""Two ranks that compute and reduce: what `warpsight record -- torchrun --nproc_per_node 2 tests/gpu/all_reduce.py` records.

Each step is an NVTX range "step": some products, more of them on rank 0, then an all-reduce of 64 MB over NCCL.
"""

import os

import torch
import torch.distributed as dist

rank = int(os.environ["LOCAL_RANK"])
torch.cuda.set_device(rank)
dist.init_process_group("nccl")
a = torch.randn(4096, 4096, device="cuda", dtype=torch.float16)
gradient = torch.randn(32 << 20, device="cuda", dtype=torch.float16)
for _ in range(20):
    torch.cuda.nvtx.range_push("step")
    for _ in range(8 if rank == 0 else 4):
        b = a @ a
    dist.all_reduce(gradient)
    torch.cuda.synchronize()
    torch.cuda.nvtx.range_pop()
dist.destroy_process_group()
