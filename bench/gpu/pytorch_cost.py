"""What recording adds to a step of PyTorch: steps with and without the recorder in turn, in one process.

usage: pytorch_cost.py ours|torch|bare [ROUNDS]

  ours    run under `warpsight record -c cudaProfilerApi --capture-range-end=join`: recorded steps lie between cudaProfilerStart
          and cudaProfilerStop
  torch   recorded steps run under torch.profiler (CPU and CUDA)
  bare    no recorder at all: the difference is the noise

Prints the medians over the rounds: of a bare step, of a recorded one, and of their differences, in ms; and how many ops and
kernels a step has.
"""

import statistics
import sys
import time

import torch
from torch.profiler import ProfilerActivity, profile
from transformers import LlamaConfig, LlamaForCausalLM

mode = sys.argv[1]
rounds = int(sys.argv[2]) if len(sys.argv) > 2 else 9
STEPS = 8

torch.manual_seed(0)
config = LlamaConfig(hidden_size=2048, num_hidden_layers=22, num_attention_heads=32, num_key_value_heads=4,
                     intermediate_size=5632, vocab_size=32000, max_position_embeddings=2048)
model = LlamaForCausalLM(config).half().cuda().eval()
token = torch.randint(0, 32000, (1, 1), device="cuda")


@torch.no_grad()
def steps():
    began = time.perf_counter()
    for _ in range(STEPS):
        model(input_ids=token, use_cache=False)
        torch.cuda.synchronize()
    return 1000 * (time.perf_counter() - began) / STEPS


def recorded_steps():
    if mode == "torch":
        with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]):
            return steps()
    if mode == "ours":
        torch.cuda.cudart().cudaProfilerStart()
    ms = steps()
    if mode == "ours":
        torch.cuda.cudart().cudaProfilerStop()
    return ms


for _ in range(3):
    steps()
recorded_steps()
pairs = [(steps(), recorded_steps()) for _ in range(rounds)]
print(f"{mode}: bare {statistics.median(a for a, _ in pairs):.3f} recorded {statistics.median(b for _, b in pairs):.3f} "
      f"added {statistics.median(b - a for a, b in pairs):.3f} ms a step "
      f"(differences {' '.join(f'{b - a:.2f}' for a, b in pairs)})")
