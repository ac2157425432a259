"""What recording adds to an op of PyTorch: small ops in a loop, in us an op, the median of several rounds.

usage: op_cost.py [torch]      torch: the rounds run under torch.profiler (CPU and CUDA)

Run it bare, under `warpsight record`, and with `torch`, each a few times in turn: a process that has CUPTI loaded is slower in
every call of CUDA, also between recordings, so that processes are compared and not rounds of one.
"""

import contextlib
import statistics
import sys
import time

import torch
from torch.profiler import ProfilerActivity, profile

OPS = 10000
x = torch.zeros(1024, device="cuda")
a = torch.zeros(64, 64, device="cuda", dtype=torch.float16)


def loop():
    began = time.perf_counter()
    for _ in range(OPS // 2):
        x.add_(1)
        a @ a
    torch.cuda.synchronize()
    return 1e6 * (time.perf_counter() - began) / OPS


loop()
rounds = []
for _ in range(5):
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) if "torch" in sys.argv else contextlib.nullcontext():
        rounds.append(loop())
print(f"us_per_op {statistics.median(rounds):.3f}")
