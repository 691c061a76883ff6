"""Riccatree: dynamics of huge rigid multibody chains and trees. docs/python.md is the manual.

>>> import riccatree as rt
>>> sim = rt.branch(33_334).solver()
>>> trajectory = sim.run(t_end=0.1, dt=1e-3, frames=101, progress=True)
"""

from __future__ import annotations

from types import ModuleType as _Module

from ._core import backends, build, version
from .ensemble import PENDING, Distribution, Ensemble, Results, Status, grid, normal, results, uniform
from .errors import (
    ArgumentError,
    DeviceError,
    DivergedError,
    Error,
    FileError,
    FormatError,
    LoopError,
    ModelError,
    OutOfMemoryError,
    SingularError,
    UnsupportedError,
)
from .model import Model, families, load, parse
from .solver import Equilibrium, Loads, Measures, Modes, Solver, restore
from .trajectory import Recording, Trajectory, check, open
from .view import View, view_ensemble

branch = families["branch"]
chain = families["chain"]
fork = families["fork"]
comb = families["comb"]
binary = families["binary"]
random = families["random"]
star = families["star"]
fourbars = families["fourbars"]
ladder = families["ladder"]
necklace = families["necklace"]
hub = families["hub"]
rod = families["rod"]

__version__ = version()
#: for `import *`, which is not to replace the builtin open
__all__ = [name for name, it in globals().items()
           if not name.startswith("_") and not isinstance(it, _Module) and name not in ("annotations", "open")]  # fmt: skip
