"""Builds and loads what `warpsight record --pytorch` follows PyTorch's ops with (op_recorder.cc).

usage: python3 warpsight_op_recorder.py     builds it for the PyTorch of this Python, once for each; needs a C++ compiler

Without it --pytorch goes by PyTorch's own NVTX emitter, which costs several times as much an op, follows the thread that
imports torch with its backward threads alone, and can't be combined with torch.profiler. What was built lies in
$XDG_CACHE_HOME/warpsight (~/.cache/warpsight) under the version of PyTorch and of the source.
"""

import ctypes
import hashlib
import os
import platform
import shlex
import struct
import subprocess
import sys

from warpsight_module_names import RECORDER_LIBRARY

_HERE = os.path.dirname(os.path.abspath(__file__))
# Not beside this file, where Python would take the folder `warpsight` for a package.
_INCLUDE = os.path.join(_HERE, "c_include")
_SOURCES = (os.path.join(_HERE, "op_recorder.cc"), os.path.join(_INCLUDE, "warpsight", "recorder.h"))


def _built():
    """Where the library for the torch that is imported lies, or would. Raises OSError when a source is missing."""
    import torch

    digest = hashlib.sha256()
    for name in _SOURCES:
        with open(name, "rb") as source:
            digest.update(source.read())
    # Builds of one version may differ in more than it says.
    for fact in (getattr(torch.version, "git_version", ""), _cxx11_abi(torch), platform.machine()):
        digest.update(f"{fact};".encode())
    cache = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(cache, "warpsight", f"op_recorder-torch{torch.__version__}-{digest.hexdigest()[:16]}.so")


def _cxx11_abi(torch):
    return int(torch.compiled_with_cxx11_abi()) if hasattr(torch, "compiled_with_cxx11_abi") else 1


def _is_whole(path):
    """Whether an ELF file ends where its header says: mapping less of it would end the program at the first missing page."""
    with open(path, "rb") as library:
        header = library.read(64)
    if len(header) < 64 or not header.startswith(b"\x7fELF\x02\x01"):
        return False
    (sections,) = struct.unpack_from("<Q", header, 40)
    size, count = struct.unpack_from("<HH", header, 58)
    return sections + size * count <= os.path.getsize(path)


def _start_recorder():
    """Begins the recording of this process as the first NVTX call would; False where none was asked for."""
    for variable in ("NVTX_INJECTION64_PATH", "CUDA_INJECTION64_PATH"):
        path = os.environ.get(variable, "")
        if os.path.basename(path) == RECORDER_LIBRARY:
            return bool(ctypes.CDLL(path).WarpsightStartSession())
    return False


def load():
    """Follows the ops of every thread from now on; False when it was not built for this torch, or does not load."""
    try:
        path = _built()
        if not os.path.isfile(path):
            return False
        if not _is_whole(path):
            raise OSError(f"{path}: it is no whole library")
        follow_ops = ctypes.CDLL(path, mode=os.RTLD_NOW).WarpsightFollowOps
        if not _start_recorder():
            return False
    except (OSError, AttributeError) as error:
        print(f"warpsight: PyTorch's ops are recorded by its NVTX emitter: {error}; build the op recorder again "
              f"(python3 {os.path.abspath(__file__)})", file=sys.stderr)
        return False
    follow_ops()
    return True


def _compile(options):
    """Runs the compiler: what it said when it failed, None when it did not. Raises RuntimeError when there is none."""
    compiler = shlex.split(os.environ.get("CXX") or "c++")
    try:
        done = subprocess.run([*compiler, *options], capture_output=True, text=True, check=False)
    except OSError as error:
        raise RuntimeError(f"{compiler[0]}: {error.strerror}; set CXX to a C++ compiler") from error
    return done.stderr if done.returncode != 0 else None


def build():
    """Builds the library and returns its path. Raises RuntimeError with what went wrong."""
    import torch
    from torch.utils import cpp_extension

    try:
        path = _built()
        os.makedirs(os.path.dirname(path), exist_ok=True)
    except OSError as error:
        raise RuntimeError(f"{error.filename}: {error.strerror}; XDG_CACHE_HOME says where the cache lies") from error
    beside = f"{path}.{os.getpid()}"
    # PyTorch's objects are larger where NDEBUG is not defined; it is built with it.
    options = ["-O2", "-DNDEBUG", "-fPIC", "-shared", "-fvisibility=hidden",
               f"-D_GLIBCXX_USE_CXX11_ABI={_cxx11_abi(torch)}", f"-I{_INCLUDE}"]
    for folder in cpp_extension.include_paths():
        options += ["-isystem", folder]
    options += [_SOURCES[0], "-o", beside]
    options += [f"-L{folder}" for folder in cpp_extension.library_paths()]
    options += ["-ltorch_cpu", "-lc10", "-ldl"]
    try:
        # Newer headers need C++20, compilers of older ones' time lack it.
        if _compile(["-std=c++20", *options]) is not None and (said := _compile(["-std=c++17", *options])) is not None:
            raise RuntimeError(f"it does not compile against PyTorch {torch.__version__}:\n{said}")
        ctypes.CDLL(beside, mode=os.RTLD_NOW)
        os.replace(beside, path)
    except OSError as error:
        raise RuntimeError(f"what was built does not load: {error}") from error
    finally:
        if os.path.exists(beside):
            os.remove(beside)
    return path


if __name__ == "__main__":
    try:
        print(build())
    except (ImportError, RuntimeError) as error:
        sys.exit(f"warpsight_op_recorder: {error}")
