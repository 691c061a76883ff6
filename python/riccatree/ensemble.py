"""Ensembles: many members of one model, each with its own parameters and start, simulated side by side."""

from __future__ import annotations

import math
import warnings
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from . import _core
from .errors import ArgumentError, by_status
from .model import Model, check_whole
from .paths import Path, text_of, text_to_write
from .run import _Bar


class Distribution(NamedTuple):
    """The values of a parameter over the members; made by grid, normal or uniform."""

    type: int
    a: float
    b: float
    count: int


def grid(first: float, last: float, count: int) -> Distribution:
    """`count` evenly spaced values from first to last; several grids make all combinations."""
    return Distribution(0, first, last, count)


def normal(mean: float, sd: float) -> Distribution:
    """A value drawn for each member, with this mean and standard deviation."""
    return Distribution(1, mean, sd, 0)


def uniform(low: float, high: float) -> Distribution:
    """A value drawn for each member, low included, high not."""
    return Distribution(2, low, high, 0)


#: what has become of a member: pending (not run), ok, or the kind of its error; the file counts one more, from 0
Status = IntEnum("Status", {"pending": -1} | {_core.status_name(k): k for k in range(len(by_status) + 1)})
PENDING = Status.pending


class Results:
    """The results of members, one row per member; NaN if there is no result.

    members [m]: their numbers; status [m]: numbers of riccatree.Status, 0 if the member reached its end; text: the
    reason for a failure; parameters [m, variations]: values of the variations `paths`; time [m] (s), q [m,
    coordinates], v [m, dof] and energy [m] (J): those of the last state; energy_drift [m] (J): largest change of the
    energy over the frames; start_position, start_velocity [m] (m or rad, and these per second): how far the loops were
    open at the start, before they were closed. If frames were requested: series_time [frames] (s), series_energy [m,
    frames] (J) and series_position [m, frames, tracked, 3] (m). Results read from a file have no q, v, series and starts.
    """

    __slots__ = ("paths", "text", "members", "_columns", "__weakref__")

    def __init__(self, columns: dict[str, Any], first: int, paths: list[str]) -> None:
        self.paths = paths
        self._columns = columns
        self.text: list[str] = columns.pop("texts")
        self.members = first + np.arange(len(columns["status"]))

    def __getattr__(self, name: str) -> np.ndarray:
        if name.startswith("_") or name not in self._columns:
            raise AttributeError(f"results have no {name!r}")
        return self._columns[name]

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._columns]

    def __len__(self) -> int:
        return len(self.members)

    def __repr__(self) -> str:
        done, pending = int(np.sum(self.status == 0)), int(np.sum(self.status == PENDING))
        return f"<riccatree.Results: {len(self)} members, {done} at their end, {pending} not run>"

    def to_pandas(self) -> Any:
        """A pandas table with one row per member: status, text, time, energy, energy_drift, the parameters by their
        paths, and q and v by their numbers.
        """
        try:
            import pandas
        except ImportError as missing:
            raise ImportError("to_pandas needs pandas; install it: pip install pandas") from missing
        table = {"status": [Status(s).name for s in self.status], "text": self.text}
        table |= {name: self._columns[name] for name in ("time", "energy", "energy_drift")}
        table |= {path: self.parameters[:, k] for k, path in enumerate(self.paths)}
        for name in ("q", "v"):
            column = self._columns.get(name, np.empty((len(self), 0)))
            table |= {f"{name}[{k}]": column[:, k] for k in range(column.shape[1])}
        return pandas.DataFrame(table, index=pandas.Index(self.members, name="member"))


class Ensemble:
    """Members of `model`, numbered from 0. They differ by the variations of vary, and by `perturb`: starts turned by up
    to `perturb` rad and changed in velocity by up to `perturb` rad/s and m/s. The numbers drawn depend only on the seed
    and the member.

    members None: one per point of the grids; else a multiple of the number of points. The ensemble keeps the model, and
    follows its later changes.
    """

    __slots__ = ("model", "seed", "perturb", "variations", "results", "_members", "__weakref__")

    def __init__(self, model: Model, members: int | None = None, *, seed: int = 1, perturb: float = 0.0) -> None:
        if members is not None:
            check_whole("members", members, 1)
        check_whole("seed", seed, 0)
        _core.Ensemble(model, 0, seed, perturb, [])  # refuses what it would refuse later
        self.model, self.seed, self.perturb = model, seed, perturb
        self.variations: list[tuple[str, Distribution]] = []  #: (path, values)
        self.results: Results | None = None  #: results of the last run, even if it was stopped
        self._members = members

    def vary(self, path: str, values: Distribution | str) -> Ensemble:
        """Give each member its own value at `path`, "bodies.NAME.mass", "gravity[2]", ... (docs/ensemble.md). `values`
        is made by grid, normal or uniform, or is a text as on the command line: "0:1:5", "normal:1:0.1", "uniform:0:1".
        ArgumentError for a path that the model does not have.
        """
        if isinstance(values, str):
            path, *parsed = _core.parse_variation(f"{path}={values}")
            values = Distribution(*parsed)
        elif not isinstance(values, Distribution):
            raise TypeError(f"values: {values!r} must be a grid, normal, uniform or a text")
        _core.Ensemble(self.model, 0, self.seed, 0.0, [(path, *values)])  # refuses what it would refuse later
        self.variations.append((path, values))
        return self

    def _core(self) -> _core.Ensemble:
        variations = [(path, *values) for path, values in self.variations]
        return _core.Ensemble(self.model, self._members or 0, self.seed, self.perturb, variations)

    @property
    def members(self) -> int:
        """The number of members."""
        return self._core().members

    def parameters(self, member: int) -> np.ndarray:
        """The values of the variations of a member, [variations]."""
        return self._core().parameters(member)

    def member(self, member: int) -> Model:
        """The model of a member."""
        return Model(self._core().model(member))

    def run(
        self,
        t_end: float,
        dt: float,
        frames: int = 0,
        *,
        track: Any = (),
        out: Path | None = None,
        overwrite: bool = False,
        first: int = 0,
        count: int | None = None,
        threads: int = 0,
        batch: int = 0,
        progress: bool = False,
        **options: Any,
    ) -> Results:
        """Simulate members [first, first + count) from 0 to t_end (s) by steps of dt (s), and return the results.

        frames: number of frames of the series of each member, from start to end, at series_time; track: bodies (names
        or numbers) whose positions the series hold. out: also write the results to this file (docs/ensemble.md); an
        existing file is replaced only with overwrite. threads, batch: 0: chosen automatically. Other options are those
        of Solver. A member that fails stops no other. RuntimeWarning if loops were open at the start: closing them has
        changed positions and rates.

        Ctrl-C ends the run: ensemble.results and the file have the results so far.
        """
        ensemble = self._core()
        count = ensemble.members - first if count is None else count
        if not 0 <= first < ensemble.members or not 0 < count <= ensemble.members - first:
            raise ValueError(f"{count} members from {first} on: the ensemble has members 0 to {ensemble.members - 1}")
        if options.get("user_forces"):
            raise ArgumentError("user_forces: members have no forces of the user; leave it out")
        steps = _core.run_plan(0.0, t_end, dt, frames)[0]
        columns: dict[str, Any] = {}
        asked = {
            "first": first, "count": count, "dt": dt, "steps": steps, "series": frames, "threads": threads, "batch": batch,
            "track": self.model.rows(track), "solver": options,
        }  # fmt: skip
        path = None if out is None else text_to_write(out, "results are written in HDF5")
        with _Bar(steps * count, progress) as bar:
            try:
                ensemble.run(columns, asked, path, overwrite, lambda _members, done: bar.reach(done))
            except ArgumentError:  # before any member ran: the results stay
                columns.clear()
                raise
            finally:
                if "texts" in columns:
                    self.results = Results(columns, first, [path for path, _ in self.variations])
        self._warn_of_starts()
        return self.results

    def _warn_of_starts(self) -> None:
        """Warn if loops of members were open at the start by more than rounding."""
        gaps = self.results.start_position
        moved = sum(_core.Solver._loops_open(math.inf, *opened) for opened in zip(gaps, self.results.start_velocity))
        if moved > 0:
            warnings.warn(f"the loops of {moved} of {len(gaps)} members were open by up to {np.nanmax(gaps):.3g} m or rad, and were closed: "
                          "positions and rates are not those given, which opened them by up to "
                          f"{np.nanmax(self.results.start_velocity):.3g} m/s or rad/s (as_given=True leaves closing to the first step)",
                          RuntimeWarning, stacklevel=3)  # fmt: skip

    def __repr__(self) -> str:
        varied = ", ".join(path for path, _ in self.variations) or "nothing"
        return f"<riccatree.Ensemble of {self.model.name!r}: {self._members or 'its grids as'} members, {varied} varied>"


def results(path: Path) -> Results:
    """The results in the file of an ensemble. All rows are compared with their checksums."""
    columns = _core.read_results(text_of(path))
    first, paths = columns.pop("first"), columns.pop("paths")
    columns.pop("complete")
    return Results(columns, first, paths)
