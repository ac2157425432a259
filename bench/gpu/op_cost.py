"""What recording adds to an op of PyTorch: small ops in a loop of one pinned thread, in us an op: the median of the rounds and
the fastest.

usage: op_cost.py [torch]      torch: the rounds run under torch.profiler (CPU and CUDA)

Run it bare, under `warpsight record`, and with `torch`, each a few times in turn: a process that has CUPTI loaded is slower in
every call of CUDA, also between recordings, so that processes are compared and not rounds of one.
"""

import contextlib
import os
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
# The threads that are there by now, a recorder's among them, stay where they were.
processors = sorted(os.sched_getaffinity(0))
os.sched_setaffinity(0, {processors[2 % len(processors)]})
loop()
rounds = []
for _ in range(20):
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) if "torch" in sys.argv else contextlib.nullcontext():
        rounds.append(loop())
print(f"us_per_op median {statistics.median(rounds):.3f} fastest {min(rounds):.3f}")
