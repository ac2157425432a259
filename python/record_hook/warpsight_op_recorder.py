"""Builds and loads what `warpsight record --pytorch` follows PyTorch's ops with (op_recorder.cc).

usage: python3 warpsight_op_recorder.py     builds it for the PyTorch of this Python, once for each; needs a C++ compiler

Without it --pytorch goes by PyTorch's own NVTX emitter, which costs several times as much an op, follows the thread that
imports torch alone, and can't be combined with torch.profiler. What was built lies in $XDG_CACHE_HOME/warpsight
(~/.cache/warpsight) under the version of PyTorch and of the source.
"""

import ctypes
import hashlib
import os
import subprocess
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))
_SOURCES = ("op_recorder.cc", os.path.join("warpsight", "recorder.h"))


def _built():
    """Where the library for the torch that is imported lies, or would."""
    import torch

    digest = hashlib.sha256()
    for name in _SOURCES:
        with open(os.path.join(_HERE, name), "rb") as source:
            digest.update(source.read())
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    # Two builds of one version may differ in the standard library's interface.
    abi = int(torch.compiled_with_cxx11_abi()) if hasattr(torch, "compiled_with_cxx11_abi") else 1
    return os.path.join(cache, "warpsight", f"op_recorder-torch{torch.__version__}-abi{abi}-{digest.hexdigest()[:12]}.so")


def load():
    """Follows the ops of every thread from now on; False when it was not built for this torch, or does not load."""
    path = _built()
    if not os.path.exists(path):
        return False
    try:
        ctypes.CDLL(path, mode=os.RTLD_NOW).WarpsightFollowOps()
    except (OSError, AttributeError):
        return False
    return True


def build():
    """Builds the library and returns its path. Raises RuntimeError with what the compiler said."""
    import torch
    from torch.utils import cpp_extension

    path = _built()
    os.makedirs(os.path.dirname(path), exist_ok=True)
    beside = f"{path}.{os.getpid()}"
    # PyTorch's objects are larger where NDEBUG is not defined; it is built with it.
    command = [os.environ.get("CXX", "c++"), "-O2", "-DNDEBUG", "-fPIC", "-shared", "-fvisibility=hidden",
               f"-D_GLIBCXX_USE_CXX11_ABI={int(torch.compiled_with_cxx11_abi())}", f"-I{_HERE}"]
    command += [f"-isystem{folder}" for folder in cpp_extension.include_paths()]
    command += [os.path.join(_HERE, "op_recorder.cc"), "-o", beside]
    for folder in cpp_extension.library_paths():
        command += [f"-L{folder}"]
    command += ["-ltorch_cpu", "-lc10", "-ldl"]
    try:
        # Newer headers need C++20, compilers of older ones' time lack it.
        for standard in ("c++20", "c++17"):
            done = subprocess.run([command[0], f"-std={standard}", *command[1:]], capture_output=True, text=True, check=False)
            if done.returncode == 0:
                os.replace(beside, path)
                return path
    except OSError as error:
        raise RuntimeError(f"{command[0]}: {error.strerror}; set CXX to a C++ compiler") from error
    raise RuntimeError(f"it does not compile against PyTorch {torch.__version__}:\n{done.stderr}")


if __name__ == "__main__":
    try:
        print(build())
    except (ImportError, RuntimeError) as error:
        sys.exit(f"warpsight_op_recorder: {error}")
