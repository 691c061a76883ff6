"""Trajectories: the frames of a run in memory, which can be saved as a recording; and recordings read as trajectories.
"""

from __future__ import annotations

import os
import tempfile
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from .errors import FileError
from .model import Model, load
from .paths import Path, text_of, text_to_write
from .view import MOST_BYTES, View, of_recording

if TYPE_CHECKING:
    from collections.abc import Iterator

    from .solver import Solver

BODY_ARRAYS = {"orientation": 4, "angular_velocity": 3, "position": 3, "velocity": 3}
SUMS = {"time": (), "kinetic": (), "potential": (), "momentum": (3,), "angular_momentum": (3,)}


class Trajectory:
    """The F frames of a run of n bodies. Arrays are views of the trajectory's memory, not copies; axes are inertial.

    time [F] (s); orientation [F, n, 4] (quaternions w x y z, body axes to inertial); angular_velocity [F, n, 3]
    (rad/s); position [F, n, 3] (m) and velocity [F, n, 3] (m/s) of hinge points; q [F, coordinates] and v [F, dof] of
    hinges; kinetic, potential, energy [F] (J); momentum [F, 3] (kg m/s); angular_momentum [F, 3] (kg m^2/s).
    """

    __slots__ = ("model", "dt", "t_end", "report", "_options", "_loops", "_arrays", "_frames", "__weakref__")

    def __init__(self, model: Model, options: dict[str, Any], loops: list[bool], dt: float, t_end: float) -> None:
        self.model = model
        self.dt, self.t_end = dt, t_end  #: s
        self.report: dict[str, Any] = {}  #: report of the run so far
        self._options, self._loops = options, loops
        self._arrays: dict[str, np.ndarray] = {}
        self._frames = 0

    @classmethod
    def room_for(cls, solver: Solver, frames: int, dt: float, t_end: float) -> Trajectory:
        """An empty trajectory with room for `frames` frames of the solver."""
        info = solver.info
        made = cls(solver.model, dict(solver.options), list(solver.active_loops), dt, t_end)
        shapes = {name: (info["bodies"], width) for name, width in BODY_ARRAYS.items()}
        shapes |= {"q": (info["coordinates"],), "v": (info["dof"],)} | SUMS
        made._arrays = {name: np.empty((frames, *shape)) for name, shape in shapes.items()}
        return made

    def take(self, solver: Solver) -> None:
        """Take the present state as the next frame."""
        k, measures = self._frames, solver.measure()
        solver._read_state(*(self._arrays[name][k] for name in ("q", "v", *BODY_ARRAYS)))
        self._arrays["time"][k] = solver.time
        for name, value in zip(measures._fields, measures):
            self._arrays[name][k] = value
        self._frames = k + 1

    def __getattr__(self, name: str) -> np.ndarray:
        if name.startswith("_") or name not in self._arrays:
            raise AttributeError(f"a trajectory has no {name!r}")
        return self._arrays[name][: self._frames]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._arrays]

    @property
    def energy(self) -> np.ndarray:
        """kinetic + potential, J, [F]."""
        return self.kinetic + self.potential

    def index(self, body: int | str) -> int:
        """The row of a body, by its name. KeyError if there is none."""
        return self.model.row(body)

    def __len__(self) -> int:
        return self._frames

    def __repr__(self) -> str:
        until = f", t = {self.time[0]:.6g} to {self.time[-1]:.6g} s" if self._frames > 0 else ""
        return f"<riccatree.Trajectory of {self.model.name!r}: {self._frames} frames of {self.model.bodies} bodies{until}>"

    def save(self, path: Path, overwrite: bool = False) -> None:
        """Write the trajectory as a recording (docs/trajectory-file.md), as run(out=path) does; an existing file is
        replaced only with overwrite. It is made of time, q, v, energies and momenta; the frames pass through a solver of
        the model, so that angular velocities of ball and free hinges differ by rounding.
        """
        path = text_to_write(path, "a trajectory is written in HDF5")
        if self._frames == 0:
            raise ValueError("the trajectory has no frames")
        if self.model.events > 0:
            raise ValueError("the model has events, and frames in memory do not hold which events happened; record the run with run(out=path), then use rt.open(path)")
        for k in range(self._frames):
            if not (np.isfinite(self.q[k]).all() and np.isfinite(self.v[k]).all()):
                raise ValueError(f"frame {k}: q or v has numbers that are not finite")
        solver = self._solver()
        recorder = _core.Recorder(path, self.model, solver, self._frames, self.dt, self.t_end, overwrite)
        written = False
        try:
            for k in range(self._frames):
                solver.time = self.time[k]
                solver.set(self.q[k], self.v[k])
                recorder.write(solver, [self._arrays[name][k] for name in list(SUMS)[1:]])
            written = True
        finally:
            recorder.close(written)

    def view(self, path: Path | None = None, most_bytes: int = MOST_BYTES) -> View:
        """Write the trajectory as a page that a browser plays (docs/view.md), to `path`, replacing an existing file.
        Without `path` the page is written to the folder of temporary files, where it stays, and is opened in the cell
        of a notebook, else in a browser.

        The page has at most `most_bytes` bytes: frames, then bodies are left out, as its `report` says. The trajectory
        is first saved among the temporary files.
        """
        with tempfile.TemporaryDirectory(prefix="riccatree-") as folder:
            recording = os.path.join(folder, "trajectory.h5")
            self.save(recording)
            return of_recording(recording, path, most_bytes)

    def _solver(self) -> Solver:
        """A solver with the options of the run, at the first frame, with the loops that were active then."""
        from .solver import Solver

        solver = Solver(self.model, **self._options | {"as_given": True})
        solver.time = self.time[0]
        solver.set(self.q[0], self.v[0])
        for loop, active in enumerate(self._loops):
            if active != solver.active_loops[loop]:
                solver.set_loop(loop, "attached" if active else "released")
        return solver


def _plain(value: Any) -> Any:
    """An attribute of a file as a text, a number or a list of them."""
    return value.decode() if isinstance(value, bytes) else value.tolist() if isinstance(value, (np.ndarray, np.generic)) else value


def _opened(part: Any) -> Any:
    """A part of a file that is open; FileError if the file is closed."""
    if not part:
        raise FileError("the recording is closed; open it again")
    return part


class Recording:
    """A recording that is read as a trajectory. It has the same names, but its arrays are read when they are
    indexed, for the frames written so far: `recording.position[:, 3]` reads one body, `recording.energy[:]` all. It
    is a context manager, and needs h5py.
    """

    __slots__ = ("path", "complete", "dt", "t_end", "info", "_file", "_frames", "_model", "__weakref__")

    def __init__(self, path: Path) -> None:
        try:
            import h5py
        except ImportError as missing:
            raise ImportError("riccatree.open reads with h5py; install it: pip install h5py") from missing
        self.path = text_of(path)
        _core.check(self.path)
        self._file = h5py.File(self.path, "r")
        if "frames" not in self._file:
            self._file.close()
            raise ValueError(f"{self.path}: it is not a recording")
        self._frames = int(self._file["frames_written"][()])
        self._model: Model | None = None
        self.complete = bool(self._file["complete"][()])  #: the run ended normally
        self.dt, self.t_end = (float(self._file.attrs[k]) for k in ("dt", "t_end"))
        #: what made the recording, if the file says so: method, backend, integrator, tolerance, closing, drift, command_line, ...
        self.info = {key: _plain(value) for key, value in self._file.attrs.items()}

    @property
    def model(self) -> Model:
        """The model of the run, at its start."""
        if self._model is None:
            self._model = load(self.path)
        return self._model

    def __getattr__(self, name: str) -> Any:
        names = {"q": "coordinates", "v": "rates"}
        frames = None if name.startswith("_") else _opened(self._file)["frames"]
        if frames is None or names.get(name, name) not in frames:
            raise AttributeError(f"the recording has no {name!r}")
        rows = frames[names.get(name, name)]
        return Rows(rows, len(rows) if rows.is_scale and name != "time" else self._frames)

    def __dir__(self) -> list[str]:
        own = {"coordinates": "q", "rates": "v"}
        return [*super().__dir__(), *(own.get(name, name) for name in _opened(self._file)["frames"])]

    def index(self, body: int | str) -> int:
        """The row of a body, by its name. KeyError if there is none."""
        return self.model.row(body)

    def view(self, path: Path | None = None, most_bytes: int = MOST_BYTES) -> View:
        """Write the recording as a page that a browser plays, and open the page, as Trajectory.view does."""
        return of_recording(self.path, path, most_bytes)

    def close(self) -> None:
        """Close the file; nothing can be read afterwards."""
        self._file.close()

    def __len__(self) -> int:
        return self._frames

    def __enter__(self) -> Recording:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        state = "complete" if self.complete else "broken off"
        return f"<riccatree.Recording {self.path!r}: {self._frames} frames, {state}>"


class Rows:
    """The rows of a dataset that are written frames, or all names of a scale. Indexing reads from the file; functions of
    numpy and pandas read all of it.
    """

    __slots__ = ("shape", "dtype", "unit", "_name", "_dataset", "_frames")

    def __init__(self, dataset: Any, frames: int) -> None:
        self._dataset, self._name, self._frames = dataset, dataset.name, frames
        self.shape, self.dtype = (frames, *dataset.shape[1:]), dataset.dtype
        self.unit = dataset.attrs["unit"].decode()

    def __getitem__(self, key: Any) -> np.ndarray:
        _opened(self._dataset)
        key = key if isinstance(key, tuple) else (key,)
        first = range(self._frames)[key[0]] if not isinstance(key[0], (type(Ellipsis), np.ndarray, list)) else None
        if first is None:
            return self._dataset[: self._frames][key]
        if isinstance(first, int):
            return self._dataset[(first, *key[1:])]
        if first.step > 0:
            return self._dataset[(slice(first.start, first.stop, first.step), *key[1:])]
        return self._dataset[: self._frames][key]

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        return np.asarray(self[:], dtype=dtype)

    def __iter__(self) -> Iterator[np.ndarray]:
        return iter(self[:])

    @property
    def ndim(self) -> int:
        return len(self.shape)

    def __len__(self) -> int:
        return self._frames

    def __repr__(self) -> str:
        return f"<{self._name} {self.shape}, {self.unit}>"


def check(path: Path) -> dict[str, Any]:
    """Read all of a recording, a file of an ensemble, a checkpoint or a model in HDF5, and compare it with its
    checksums. Returns a dict: kind, room, written, complete, checked.
    """
    return _core.check(text_of(path))


def open(path: Path) -> Recording:
    """Open a recording, checked as by riccatree.check, as a trajectory whose arrays are read from the file when they
    are indexed.
    """
    return Recording(path)
