"""Steps and ranges for programs that cooperate with `warpsight record`.

    import warpsight

    with warpsight.profile(schedule=warpsight.schedule(wait=1, warmup=1, active=3, repeat=1)) as prof:
        for batch in loader:
            with warpsight.range("attention", shapes=[query.shape, key.shape]):
                ...
            prof.step()

Run it as `warpsight record --capture-range=program -- python train.py`; add --pytorch for PyTorch's own ops. Steps become
ranges "ProfilerStep#N", which every verb takes for steps. The schedule is that of torch.profiler.schedule. Without the recorder
everything here does nothing; CUDA and PyTorch are not needed.
"""

import atexit
import contextlib
import ctypes
import enum
import os
import sys

__all__ = ["ProfilerAction", "schedule", "profile", "range", "push", "pop", "is_recording"]

_LIBRARY = "libwarpsight_inject.so"
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


_found = None


def _recorder():
    """The functions of the recorder in this process, None while there is none: CUDA may load it late."""
    global _found
    if _found is not None:
        return _found
    try:
        library = ctypes.CDLL(_LIBRARY, mode=os.RTLD_NOW | os.RTLD_NOLOAD)
        function = library.WarpsightRecorder
    except (OSError, AttributeError):
        return None
    function.restype = ctypes.POINTER(_Functions)
    function.argtypes = [ctypes.c_uint]
    table = function(_VERSION)
    if table:
        _found = table.contents
    return _found


def is_recording():
    """Whether this process was started by `warpsight record` and its recorder is loaded."""
    return _recorder() is not None


def push(text):
    """Begins a range of this thread."""
    recorder = _recorder()
    if recorder is not None:
        recorder.push(text.encode())


def pop():
    """Ends the range of this thread that began last."""
    recorder = _recorder()
    if recorder is not None:
        recorder.pop()


@contextlib.contextmanager
def range(name, shapes=None):
    """A range of this thread; with the shapes of its operands it counts as an op of that name."""
    push(name if shapes is None else f"{name}, sizes = {[list(shape) for shape in shapes]}")
    try:
        yield
    finally:
        pop()


class ProfilerAction(enum.Enum):
    NONE = 0
    WARMUP = 1
    RECORD = 2
    RECORD_AND_SAVE = 3


def schedule(*, wait, warmup, active, repeat=0, skip_first=0, skip_first_wait=0):
    """Which action each step has: `skip_first` steps of nothing, then cycles of `wait` steps of nothing, `warmup` steps that
    are thrown away and `active` recorded ones; `repeat` cycles, 0 = for ever. With `skip_first_wait` the first cycle has no
    waiting steps."""
    if min(wait, warmup, repeat, skip_first) < 0 or active <= 0:
        raise ValueError("a schedule needs numbers of steps that are not negative, and at least one active step")
    cycle = wait + warmup + active

    def action_of(step):
        if step < skip_first:
            return ProfilerAction.NONE
        cycles, at = divmod(step - skip_first + (wait if skip_first_wait else 0), cycle)
        if (repeat and cycles >= repeat) or at < wait:
            return ProfilerAction.NONE
        if at < wait + warmup:
            return ProfilerAction.WARMUP
        return ProfilerAction.RECORD_AND_SAVE if at == cycle - 1 else ProfilerAction.RECORD

    return action_of


class profile:
    """Follows a schedule: recording goes on in its active steps. `on_trace_ready` is called with the profiler after the last
    step of every cycle, and at the end of a profiler that ends among recorded steps. Without a schedule every step counts."""

    def __init__(self, *, schedule=None, on_trace_ready=None):
        self._schedule = schedule or (lambda step: ProfilerAction.RECORD)
        self._has_schedule = schedule is not None
        self._on_trace_ready = on_trace_ready
        self.step_num = 0
        self.cycles = 0
        self.action = ProfilerAction.NONE
        self._started = False
        self._pushed = None
        self._said = False

    def start(self):
        atexit.register(self._say_forgotten)  # for those that are never stopped
        self._enter(self._schedule(self.step_num))
        self._push()

    def stop(self):
        self._pop()
        self._leave()
        if self.action in (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE):
            self._hand_over()
        self._say_forgotten()

    def step(self):
        self._pop()
        before = self.action
        self.step_num += 1
        if before is ProfilerAction.RECORD_AND_SAVE:
            self._leave()
            self._hand_over()
        self._enter(self._schedule(self.step_num))
        self._push()

    def __enter__(self):
        self.start()
        return self

    def __exit__(self, *_):
        self.stop()

    def _enter(self, action):
        self.action = action
        recorder = _recorder()
        if recorder is None:
            return
        if action is ProfilerAction.WARMUP:
            recorder.prepare()
        records = action in (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE)
        if records and not self._started:
            recorder.start()
        if not records and self._started:
            recorder.stop()
        self._started = records

    def _leave(self):
        recorder = _recorder()
        if recorder is not None and self._started:
            recorder.stop()
        self._started = False

    def _say_forgotten(self):
        recorded = self.action in (ProfilerAction.RECORD, ProfilerAction.RECORD_AND_SAVE)
        if self._has_schedule and self.step_num == 0 and not recorded and not self._said:
            self._said = True
            print("warpsight: step() was never called, so the schedule never reached a recorded step", file=sys.stderr)
        atexit.unregister(self._say_forgotten)

    def _hand_over(self):
        self.cycles += 1
        if self._on_trace_ready is not None:
            self._on_trace_ready(self)

    def _push(self):
        self._pushed = _recorder()
        if self._pushed is not None:
            self._pushed.push(f"ProfilerStep#{self.step_num}".encode())

    def _pop(self):
        if self._pushed is not None:
            self._pushed.pop()
        self._pushed = None
