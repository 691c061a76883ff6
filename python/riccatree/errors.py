"""Errors of the library as exceptions. Their text is the library's own: what, where, what to do."""

from __future__ import annotations


class Error(Exception):
    """Whatever the library refuses or cannot do.

    status: its name ("argument", "model", ...); body: the number of the body concerned, or -1; line, column: in a
    model file, from 1, or 0; step: during which it happened, counted from the start of the call, or -1.
    """

    status: str = ""
    body: int = -1
    line: int = 0
    column: int = 0
    step: int = -1


class ArgumentError(Error, ValueError):
    """An argument outside its domain."""


class OutOfMemoryError(Error, MemoryError):
    """An allocation failed."""


class FileError(Error, OSError):
    """A file that cannot be opened, read or written, or that is damaged."""


class FormatError(Error, ValueError):
    """A model file that is no JSON, or no XML: line and column say where."""


class ModelError(Error, ValueError):
    """A model that describes no valid system."""


class SingularError(Error, ArithmeticError):
    """Accelerations that are undetermined."""


class DivergedError(Error, ArithmeticError):
    """A state that is no longer finite."""


class UnsupportedError(Error, NotImplementedError):
    """What is valid, and not available in this build or by these options."""


class DeviceError(Error, RuntimeError):
    """An accelerator that failed."""


class LoopError(Error, ValueError):
    """Loops that cannot be closed, or that contradict one another."""


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
