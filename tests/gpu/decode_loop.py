"""A decode loop of a Llama of random weights, recorded in several ways: the same steps under any recorder.

usage: decode_loop.py [--steps N] [--profiler OUT.json] [--graph] [--hidden H] [--layers L]

Each step is an NVTX range "step". With --profiler the loop runs under torch.profiler (CPU and CUDA, shapes) and the trace is
written. Prints the mean wall time of a step, by the host's clock, as "step_ms X".
"""

import argparse
import time

import torch
from transformers import LlamaConfig, LlamaForCausalLM

parser = argparse.ArgumentParser()
parser.add_argument("--steps", type=int, default=10)
parser.add_argument("--profiler")
parser.add_argument("--graph", action="store_true")
parser.add_argument("--hidden", type=int, default=2048)
parser.add_argument("--layers", type=int, default=22)
arguments = parser.parse_args()

torch.manual_seed(0)
config = LlamaConfig(hidden_size=arguments.hidden, num_hidden_layers=arguments.layers, num_attention_heads=32,
                     num_key_value_heads=4, intermediate_size=5632, vocab_size=32000, max_position_embeddings=2048)
model = LlamaForCausalLM(config).half().cuda().eval()
prompt = torch.randint(0, 32000, (1, 200), device="cuda")


@torch.no_grad()
def forward(tokens, past=None, cache=True):
    out = model(input_ids=tokens, past_key_values=past, use_cache=cache)
    return out.logits[:, -1].argmax(-1, keepdim=True), out.past_key_values


def eager_steps(count):
    token, past = forward(prompt)
    torch.cuda.synchronize()
    for _ in range(count):
        torch.cuda.nvtx.range_push("step")
        token, past = forward(token, past)
        torch.cuda.synchronize()
        torch.cuda.nvtx.range_pop()
        yield


def graph_steps(count):
    token = torch.randint(0, 32000, (1, 1), device="cuda")
    side = torch.cuda.Stream()
    with torch.cuda.stream(side):
        for _ in range(3):
            forward(token, cache=False)
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph), torch.no_grad():
        forward(token, cache=False)
    torch.cuda.synchronize()
    for _ in range(count):
        torch.cuda.nvtx.range_push("step")
        graph.replay()
        torch.cuda.synchronize()
        torch.cuda.nvtx.range_pop()
        yield


steps = graph_steps if arguments.graph else eager_steps
for _ in steps(3):
    pass


def timed():
    began = None
    for _ in steps(arguments.steps):
        now = time.perf_counter()
        began = began or now
    return 1000 * (now - began) / max(1, arguments.steps - 1)


if arguments.profiler:
    from torch.profiler import ProfilerActivity, profile

    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA], record_shapes=True) as profiler:
        mean = timed()
    profiler.export_chrome_trace(arguments.profiler)
else:
    mean = timed()
print(f"step_ms {mean:.4f}")
