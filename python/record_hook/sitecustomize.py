"""Loaded by the Python interpreters that `warpsight record --pytorch` starts: has PyTorch name its ops in the recording.

Right after torch is imported its ops are followed, so that each becomes a range with its sequence number and the shapes and
types of its operands: by our own callback where it was built for this PyTorch (warpsight_op_recorder.py). Elsewhere by PyTorch's
NVTX emitter in the thread that imports torch: backward threads inherit it, and a program that uses torch.profiler itself can't be
recorded so, since PyTorch allows one profiler a thread. Nothing of CUDA is touched here.
"""

import _thread
import atexit
import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))


def _parts():
    """What the hook consists of, whatever the program has done to sys.path; not loaded before it is needed."""
    sys.path.insert(0, _HERE)
    try:
        from warpsight_module_names import follow_modules
        from warpsight_op_recorder import load
    finally:
        sys.path.remove(_HERE)
    return follow_modules, load


def _emit_ops():
    follow_modules, load = _parts()
    try:
        follow_modules()
    except (ImportError, TypeError):  # before PyTorch 2.1: ops without their modules
        pass

    if load():
        return
    from torch._C._autograd import _disable_profiler, _enable_profiler
    from torch._C._profiler import ProfilerConfig, ProfilerState, _ExperimentalConfig

    # report_input_shapes, profile_memory, with_stack, with_flops, with_modules
    config = ProfilerConfig(ProfilerState.NVTX, True, False, False, False, False, _ExperimentalConfig())
    _enable_profiler(config, set())
    atexit.register(_disable_profiler)


class _AfterTorch(importlib.abc.MetaPathFinder):
    """Finds torch as the next finders do, and runs _emit_ops once its module has been executed.

    Libraries ask whether torch can be found before anything imports it, so that being asked is no sign of an import.
    """

    def __init__(self):
        self._asking = set()  # threads that ask the next finders

    def find_spec(self, name, path, target=None):
        thread = _thread.get_ident()
        if name != "torch" or thread in self._asking:
            return None
        self._asking.add(thread)
        try:
            spec = importlib.util.find_spec(name)
        finally:
            self._asking.discard(thread)
        if spec is None or spec.loader is None:
            return spec
        execute = spec.loader.exec_module

        def exec_module(module):
            execute(module)
            if self in sys.meta_path:
                sys.meta_path.remove(self)
            try:
                _emit_ops()
            except Exception as error:  # never the program's problem
                print(f"warpsight: PyTorch's ops are not recorded: {error}", file=sys.stderr)

        spec.loader.exec_module = exec_module
        return spec


def _run_own_sitecustomize():
    """The interpreter loads one sitecustomize: the one that ours stands before is run as well."""
    path = [entry for entry in sys.path if os.path.abspath(entry or ".") != _HERE]
    spec = importlib.machinery.PathFinder.find_spec("sitecustomize", path)
    if spec is None or spec.loader is None:
        return
    module = importlib.util.module_from_spec(spec)
    sys.modules["sitecustomize"] = module
    spec.loader.exec_module(module)


sys.meta_path.insert(0, _AfterTorch())
_run_own_sitecustomize()
