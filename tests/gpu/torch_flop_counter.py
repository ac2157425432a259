#!/usr/bin/env python3
"""Runs operators under torch.utils.flop_counter and torch.profiler, so that warpsight's FLOPs can be compared with PyTorch's.

usage: torch_flop_counter.py OUT_FOLDER          needs a CUDA or ROCm device and PyTorch 2.4 or later

Writes flop_counter.json and flop_counter.pt.trace.json.gz. Every case is one range "case:NAME" of the trace, which begins
and ends with the device idle, and one entry of the JSON:
  {"name", "dtype", "shapes": [[...]], "flops": what FlopCounterMode counted, "by_op": {"aten.mm": ...}, "calls": 1}
FlopCounterMode counts scaled dot product attention twice in some versions (the composite op and the one below it): by_op
shows it. Copy both files to tests/data/flop_counter/; tests/flop_counter_test.cc compares.
"""

import gzip
import json
import os
import shutil
import sys

import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.profiler import ProfilerActivity, profile, record_function
from torch.utils.flop_counter import FlopCounterMode

HALF, BF16, FP32 = torch.float16, torch.bfloat16, torch.float32


def tensors(dtype, shapes, grad):
    return [torch.randn(shape, device="cuda", dtype=dtype, requires_grad=grad) for shape in shapes]


def forward_and_backward(run):
    """Runs `run` and its backward with a dense gradient."""
    def both(*operands):
        out = run(*operands)
        out.backward(torch.ones_like(out))
    return both


def attention(backend, **options):
    def run(q, k, v):
        with sdpa_kernel(backend):
            return F.scaled_dot_product_attention(q, k, v, **options)
    return run


def cases():
    """Yields (name, dtype, shapes, function, needs gradients)."""
    def both(name, dtype, shapes, run):
        yield name, dtype, shapes, run, False
        yield name + "_train", dtype, shapes, forward_and_backward(run), True

    yield from both("mm", HALF, [(256, 512), (512, 384)], torch.mm)
    yield from both("mm_fp32", FP32, [(256, 512), (512, 384)], torch.mm)
    yield from both("addmm", BF16, [(384,), (256, 512), (512, 384)], torch.addmm)
    yield "addmm_full", BF16, [(256, 384), (256, 512), (512, 384)], torch.addmm, False
    yield from both("bmm", BF16, [(6, 128, 64), (6, 64, 96)], torch.bmm)
    yield from both("baddbmm", BF16, [(6, 128, 96), (6, 128, 64), (6, 64, 96)], torch.baddbmm)
    yield "mv", BF16, [(256, 512), (512,)], torch.mv, False
    yield from both("matmul_broadcast", BF16, [(4, 1, 64, 32), (3, 32, 48)], torch.matmul)
    yield from both("linear", BF16, [(4, 64, 512), (1024, 512)], F.linear)
    yield from both("linear_bias", BF16, [(4, 64, 512), (1024, 512), (1024,)], F.linear)

    yield from both("conv2d", BF16, [(8, 64, 28, 28), (128, 64, 3, 3)], lambda x, w: F.relu(F.conv2d(x, w, padding=1)))
    yield from both("conv2d_strided", BF16, [(8, 64, 28, 28), (128, 64, 3, 3), (128,)],
                    lambda x, w, b: F.relu(F.conv2d(x, w, b, stride=2, padding=1)))
    yield from both("conv2d_grouped", BF16, [(8, 64, 28, 28), (64, 16, 3, 3)],
                    lambda x, w: F.relu(F.conv2d(x, w, padding=1, groups=4)))
    yield from both("conv1d", BF16, [(8, 80, 300), (512, 80, 3)], lambda x, w: F.gelu(F.conv1d(x, w, padding=1)))
    yield from both("conv3d", BF16, [(2, 16, 8, 24, 24), (32, 16, 3, 3, 3)], lambda x, w: F.relu(F.conv3d(x, w, padding=1)))
    yield from both("conv_transpose2d", BF16, [(4, 64, 14, 14), (64, 32, 4, 4)],
                    lambda x, w: F.relu(F.conv_transpose2d(x, w, stride=2, padding=1)))

    same = [(2, 8, 256, 64)] * 3
    longer_keys = [(2, 8, 128, 64), (2, 8, 384, 64), (2, 8, 384, 64)]
    grouped = [(2, 8, 256, 64), (2, 2, 256, 64), (2, 2, 256, 64)]
    backends = {"flash": SDPBackend.FLASH_ATTENTION, "efficient": SDPBackend.EFFICIENT_ATTENTION,
                "cudnn": SDPBackend.CUDNN_ATTENTION, "math": SDPBackend.MATH}
    for label, backend in backends.items():
        yield from both("sdpa_" + label, BF16, same, attention(backend))
        yield from both("sdpa_" + label + "_causal", BF16, same, attention(backend, is_causal=True))
        yield from both("sdpa_" + label + "_longer_keys", BF16, longer_keys, attention(backend))
        yield from both("sdpa_" + label + "_gqa", BF16, grouped, attention(backend, enable_gqa=True))

    # No FLOPs in PyTorch's count; they are here for our bytes and for what the recorder writes of them.
    yield from both("layer_norm", BF16, [(16, 128, 512), (512,), (512,)], lambda x, w, b: F.layer_norm(x, (512,), w, b))
    yield from both("rms_norm", BF16, [(16, 128, 512), (512,)], lambda x, w: F.rms_norm(x, (512,), w))
    yield from both("softmax", FP32, [(64, 1000)], lambda x: F.softmax(x, -1))
    yield from both("cross_entropy", FP32, [(512, 1000)],
                    lambda x: F.cross_entropy(x, torch.zeros(512, device="cuda", dtype=torch.long)).reshape(1))
    yield from both("embedding", BF16, [(1000, 256)],
                    lambda w: F.embedding(torch.arange(128, device="cuda").reshape(2, 64), w))
    yield from both("gelu", BF16, [(16, 128, 512)], F.gelu)
    yield from both("add_broadcast", BF16, [(16, 128, 512), (512,)], torch.add)
    yield from both("cat", BF16, [(16, 64, 128), (16, 32, 128)], lambda a, b: torch.cat([a, b], 1))
    yield from both("mean", FP32, [(16, 128, 512)], lambda x: x.mean(-1))
    yield "copy_half", FP32, [(16, 128, 512)], lambda x: x.half(), False
    yield "foreach_few", FP32, [(1024, 256)] * 4, lambda *t: torch._foreach_mul_(list(t), 0.5), False
    yield "foreach_many", FP32, [(256, 256)] * 40, lambda *t: torch._foreach_mul_(list(t), 0.5), False

    def adamw(fused):
        def run(*t):
            for tensor in t:
                tensor.requires_grad_(True)
                tensor.grad = torch.ones_like(tensor)
            torch.optim.AdamW(t, lr=1e-3, fused=fused, foreach=not fused).step()
        return run
    yield "adamw_fused", FP32, [(1024, 256)] * 4, adamw(True), False
    yield "adamw_foreach", FP32, [(1024, 256)] * 4, adamw(False), False


def count(run, operands):
    with FlopCounterMode(display=False) as counter:
        run(*operands)
    by_op = counter.get_flop_counts().get("Global", {})
    return counter.get_total_flops(), {str(op): flops for op, flops in by_op.items()}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    folder = sys.argv[1]
    os.makedirs(folder, exist_ok=True)
    torch.manual_seed(0)
    entries, ready = [], []
    for name, dtype, shapes, run, grad in cases():
        operands = tensors(dtype, shapes, grad)
        try:
            flops, by_op = count(run, operands)
            run(*operands)  # libraries choose and load their kernels outside of the recording
            torch.cuda.synchronize()
        except Exception as problem:  # a backend that this device or version does not have
            entries.append({"name": name, "skipped": " ".join(str(problem).split())[:200]})
            continue
        ready.append((name, run, operands))
        entries.append({"name": name, "dtype": str(dtype).replace("torch.", ""), "shapes": [list(s) for s in shapes],
                        "flops": flops, "by_op": by_op, "calls": 1})
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA], record_shapes=True) as profiler:
        torch.cuda.synchronize()
        for name, run, operands in ready:
            with record_function("case:" + name):
                run(*operands)
                torch.cuda.synchronize()
    trace = os.path.join(folder, "flop_counter.pt.trace.json")
    profiler.export_chrome_trace(trace)
    with open(trace, "rb") as plain, gzip.GzipFile(trace + ".gz", "wb", 9, mtime=0) as packed:
        shutil.copyfileobj(plain, packed)
    os.remove(trace)
    facts = {"torch": torch.__version__, "device": torch.cuda.get_device_name(), "cases": entries}
    with open(os.path.join(folder, "flop_counter.json"), "w", encoding="utf-8") as out:
        json.dump(facts, out, indent=1)
        out.write("\n")
    skipped = [entry["name"] for entry in entries if "skipped" in entry]
    print(f"{len(ready)} cases; skipped: {', '.join(skipped) or 'none'}; "
          f"{os.path.getsize(trace + '.gz')} bytes of trace")


if __name__ == "__main__":
    main()
