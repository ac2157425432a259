"""Ranges of PyTorch's modules for `warpsight record --pytorch`: one "nn.Module: Linear_3" around every forward.

The names are those of torch.profiler: the class, and a number in the order in which modules of the class were called first.
Compiled code has no modules: hooks that torch.compile traces leave nothing behind.
"""

import ctypes
import os
import threading
import weakref

RECORDER_LIBRARY = "libwarpsight_inject.so"
_VERSION = 1


class _Functions(ctypes.Structure):
    # struct WarpsightRecorderFunctions of warpsight/recorder.h
    _fields_ = [
        ("version", ctypes.c_uint),
        ("prepare", ctypes.CFUNCTYPE(None)),
        ("start", ctypes.CFUNCTYPE(None)),
        ("stop", ctypes.CFUNCTYPE(None)),
        ("push", ctypes.CFUNCTYPE(None, ctypes.c_char_p)),
        ("pop", ctypes.CFUNCTYPE(None)),
    ]


def _recorder():
    """The functions of the recorder in this process; None while there is none: CUDA loads it with its first use."""
    try:
        function = ctypes.CDLL(RECORDER_LIBRARY, mode=os.RTLD_NOW | os.RTLD_NOLOAD).WarpsightRecorder
    except (OSError, AttributeError):
        return None
    function.restype = ctypes.POINTER(_Functions)
    function.argtypes = [ctypes.c_uint]
    table = function(_VERSION)
    return table.contents if table else None


class _Names:
    """The text of each module's range."""

    def __init__(self):
        self._of_module = weakref.WeakKeyDictionary()
        self._used = {}

    def of(self, module):
        text = self._of_module.get(module)
        if text is None:
            kind = type(module).__name__
            number = self._used.get(kind, 0)
            self._used[kind] = number + 1
            text = self._of_module[module] = f"nn.Module: {kind}_{number}".encode()
        return text


def follow_modules():
    """Has every forward of a module push a range and pop it, also when it throws."""
    from torch.compiler import is_compiling
    from torch.nn.modules.module import register_module_forward_hook, register_module_forward_pre_hook

    names = _Names()
    of_thread = threading.local()  # .open: the modules whose ranges are open, innermost last
    found = None
    tries = 0

    def before(module, _inputs):
        nonlocal found, tries
        if is_compiling():
            return
        if found is None:
            # CUDA may be used late or never: asked at the 1st, 2nd, 4th, ... call.
            tries += 1
            if tries & (tries - 1) or (recorder := _recorder()) is None:
                return
            found = recorder
        if not hasattr(of_thread, "open"):
            of_thread.open = []
        of_thread.open.append(module)
        found.push(names.of(module))

    def after(module, _inputs, _output):
        if is_compiling():
            return
        # Not those that began before the recorder was there; with it those inside that never ended.
        still_open = getattr(of_thread, "open", ())
        if any(one is module for one in still_open):
            while still_open.pop() is not module:
                found.pop()
            found.pop()

    register_module_forward_pre_hook(before)
    register_module_forward_hook(after, always_call=True)
