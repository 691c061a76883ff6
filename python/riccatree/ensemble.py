"""Ensembles: many members of one model, each with parameters and a start of its own, side by side."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from . import _core
from .model import Model
from .paths import Path, text_of
from .run import _Bar


class Distribution(NamedTuple):
    """Values that members have: made by grid, normal, uniform."""

    type: int
    a: float
    b: float
    count: int


def grid(first: float, last: float, count: int) -> Distribution:
    """`count` values from first to last, evenly; several grids make all combinations."""
    return Distribution(0, first, last, count)


def normal(mean: float, sd: float) -> Distribution:
    """Drawn for each member, with this mean and standard deviation."""
    return Distribution(1, mean, sd, 0)


def uniform(low: float, high: float) -> Distribution:
    """Drawn for each member, low included, high not."""
    return Distribution(2, low, high, 0)


class Results:
    """What became of members, a row each. NaN where there is none.

    members [m], their numbers; status [m], riccatree.PENDING, or a number that is 0 where the member came to its end; text,
    why it did not; parameters [m, variations], of the variations `paths`; time [m] (s), of the last state, and of that q [m,
    coordinates], v [m, dof], energy [m] (J) and energy_drift [m] (J), its largest change over the frames. With frames asked
    for, series_energy [m, frames] (J) and series_position [m, frames, tracked, 3] (m). Of a file, without q, v and series.
    """

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
        """A table with a row a member: status, text, time, energy, energy_drift, the parameters by their paths, and q and v by
        their numbers."""
        try:
            import pandas
        except ImportError as missing:
            raise ImportError("to_pandas needs pandas; install it: pip install riccatree[tables]") from missing
        names = ["pending" if s == PENDING else _core.status_name(int(s)) for s in self.status]
        table = {"status": names, "text": self.text}
        table |= {name: self._columns[name] for name in ("time", "energy", "energy_drift")}
        table |= {path: self.parameters[:, k] for k, path in enumerate(self.paths)}
        for name in ("q", "v"):
            column = self._columns.get(name, np.empty((len(self), 0)))
            table |= {f"{name}[{k}]": column[:, k] for k in range(column.shape[1])}
        return pandas.DataFrame(table, index=pandas.Index(self.members, name="member"))


PENDING = -1


class Ensemble:
    """Members of `model`, numbered from 0. What differs is said by vary, and by `perturb`: starts that are turned by up to so
    many rad and faster by up to so many rad/s and m/s. Numbers depend on the seed and the member, on nothing else.

    members None: as many as the grids have points; else a multiple of it.
    """

    def __init__(self, model: Model, members: int | None = None, *, seed: int = 1, perturb: float = 0.0) -> None:
        if members is not None and members < 1:
            raise ValueError(f"{members} members: give 1 or more, or None for as many as the grids have points")
        self.model, self.seed, self.perturb = model, seed, perturb
        self.variations: list[tuple[str, Distribution]] = []  #: (path, values)
        self.results: Results | None = None  #: of the last run, also of one that was stopped
        self._members = members

    def vary(self, path: str, values: Distribution | str) -> Ensemble:
        """Give each member a value of its own at `path`, "bodies.NAME.mass", "gravity[2]", ... (docs/ensemble.md). `values` is
        made by grid, normal or uniform, or a text as on the command line: "0:1:5", "normal:1:0.1", "uniform:0:1"."""
        if isinstance(values, str):
            path, *parsed = _core.parse_variation(f"{path}={values}")
            values = Distribution(*parsed)
        elif not isinstance(values, Distribution):
            raise TypeError(f"values: {values!r} is no grid, normal or uniform, nor a text")
        self.variations.append((path, values))
        return self

    def _core(self) -> _core.Ensemble:
        variations = [(path, *values) for path, values in self.variations]
        return _core.Ensemble(self.model, self._members or 0, self.seed, self.perturb, variations)

    @property
    def members(self) -> int:
        """How many there are."""
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
        """Simulate members [first, first + count) from 0 to t_end (s) by steps of dt (s).

        frames: of each member, from start to end, for the series; track: bodies (names or numbers) whose positions they
        hold. out: a file of the results (docs/ensemble.md), in place of one that is there only with overwrite.
        threads, batch: 0: chosen. Other options are those of Solver. A member that fails stops no other.

        Ctrl-C ends the run: the results so far are ensemble.results, and the file holds them.
        """
        ensemble = self._core()
        count = ensemble.members - first if count is None else count
        if not 0 <= first < ensemble.members or not 0 < count <= ensemble.members - first:
            raise ValueError(f"members {first} to {first + count - 1} were asked for, of {ensemble.members}")
        steps = _core.run_plan(t_end, dt, frames)[0]
        columns: dict[str, Any] = {}
        asked = {
            "first": first, "count": count, "dt": dt, "steps": steps, "series": frames, "threads": threads, "batch": batch,
            "track": [self.model.body_number(body) for body in track], "solver": options,
        }  # fmt: skip
        path = None if out is None else text_of(out)
        with _Bar(steps * count, progress) as bar:
            try:
                ensemble.run(columns, asked, path, overwrite, lambda _members, done: bar.reach(done))
            finally:
                if "texts" in columns:
                    self.results = Results(columns, first, [path for path, _ in self.variations])
        return self.results

    def __repr__(self) -> str:
        varied = ", ".join(path for path, _ in self.variations) or "nothing"
        return f"<riccatree.Ensemble of {self.model.name!r}: {self._members or 'its grids as'} members, {varied} varied>"


def results(path: Path) -> Results:
    """The results in the file of an ensemble. All rows are held against their checksums."""
    columns = _core.read_results(text_of(path))
    first, paths = columns.pop("first"), columns.pop("paths")
    columns.pop("complete")
    return Results(columns, first, paths)
