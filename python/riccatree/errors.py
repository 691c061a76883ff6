"""Errors of the library as exceptions. The text of an exception is the library's own: what went wrong, where, and what
to do.
"""

from __future__ import annotations


class Error(Exception):
    """The base class of all errors of the library.

    status: its name ("argument", "model", ...); body: the number of the body concerned, or -1; line, column: position
    in a model file, from 1, or 0; step: the step in which the error happened, counted from the start of the call, or
    -1.
    """

    status: str = ""
    body: int = -1
    line: int = 0
    column: int = 0
    step: int = -1


class ArgumentError(Error, ValueError):
    """An argument is outside its domain."""


class OutOfMemoryError(Error, MemoryError):
    """An allocation failed."""


class FileError(Error, OSError):
    """A file cannot be opened, read or written, or is damaged."""


class FormatError(Error, ValueError):
    """A model file that is not JSON, or not XML; line and column give the position."""


class ModelError(Error, ValueError):
    """A model describes no valid system."""


class SingularError(Error, ArithmeticError):
    """The accelerations are undetermined."""


class DivergedError(Error, ArithmeticError):
    """The state is no longer finite."""


class UnsupportedError(Error, NotImplementedError):
    """A valid request that this build or these options do not support."""


class DeviceError(Error, RuntimeError):
    """An accelerator failed."""


class LoopError(Error, ValueError):
    """Loops cannot be closed, or contradict one another."""


by_status = {
    "argument": ArgumentError,
    "memory": OutOfMemoryError,
    "io": FileError,
    "syntax": FormatError,
    "model": ModelError,
    "singular": SingularError,
    "diverged": DivergedError,
    "unsupported": UnsupportedError,
    "device": DeviceError,
    "loop": LoopError,
}
for _name, _type in by_status.items():
    _type.status = _name
