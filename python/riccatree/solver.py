"""The solver: a model made ready, its state, accelerations, operators, steps."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from . import _core
from .errors import ArgumentError
from .model import Model
from .paths import Path, text_of

LOOP_STATES = {"released": 0, "attached": 1, "pulled": 2}


class Measures(NamedTuple):
    """Sums over the whole system, inertial axes, moments about the inertial origin."""

    kinetic: float  #: J
    potential: float  #: J, counted from the model's initial state
    momentum: np.ndarray  #: kg m/s, [3]
    angular_momentum: np.ndarray  #: kg m^2/s, [3]

    @property
    def energy(self) -> float:
        """kinetic + potential, J."""
        return self.kinetic + self.potential


class Equilibrium(NamedTuple):
    """What came of a search for rest."""

    steps: int  #: taken
    residual: float  #: the largest part that an effort left over is of what its hinge carries
    unstable: int  #: directions in which the potential energy falls, 0 of a stable rest
    indifferent: int  #: directions in which it does not change, as far as rounding tells
    energy: float  #: J, what the potential energy has fallen by since the start


class Modes(NamedTuple):
    """Modes K x = omega^2 M x about a state of rest, those of least omega^2 first, those of 0 left out."""

    square: np.ndarray  #: omega^2, rad^2/s^2, [found], ascending; below 0 a motion grows
    shape: np.ndarray  #: [found, dof], with x . M x = 1, in the order of v
    unstable: int  #: motions that grow
    indifferent: int  #: motions of omega = 0, as far as rounding tells
    largest: float  #: of the residuals |K x - omega^2 M x| / (|K x| + |omega^2 M x|)


def _rows(name: str, text: str) -> Any:
    """An array that stays where it is, for the solver writes to it."""

    def get(self: Loads) -> np.ndarray:
        return self._arrays[name]

    def put(self: Loads, values: Any) -> None:
        self._arrays[name][...] = values

    return property(get, put, doc=text)


class Loads:
    """What a force function is handed: rows of bodies in one state, inertial axes. It adds to force and moment, which are 0
    before. The arrays are the same at every call: what is assigned to one is copied into it."""

    __slots__ = ("_arrays",)

    def __init__(self, rows: int) -> None:
        widths = {"orientation": 4, "angular_velocity": 3, "position": 3, "velocity": 3, "force": 3, "moment": 3}
        self._arrays = {name: np.zeros((rows, width)) for name, width in widths.items()}

    orientation: np.ndarray = _rows("orientation", "Quaternions w x y z, body axes to inertial.")
    angular_velocity: np.ndarray = _rows("angular_velocity", "rad/s.")
    position: np.ndarray = _rows("position", "m, hinge points.")
    velocity: np.ndarray = _rows("velocity", "m/s, of the hinge points.")
    force: np.ndarray = _rows("force", "N, at the hinge points.")
    moment: np.ndarray = _rows("moment", "N m, about them.")


def _array(name: str, text: str) -> Any:
    return property(lambda self: self.read(name), doc=text)


class Solver(_core.Solver):
    """A solver of `model`, which is copied as far as needed.

    Options: method ("abi", "riccati"), backend ("auto", "cpu", ...), threads (0: as many as pay), lanes (0: the widest),
    segment (a number of links, "auto", "whole"), junction, user_forces (True: force functions and efforts may be given);
    of models with loops closing, drift, baumgarte (1/s, 1/s) and as_given; integrator ("rk4", "dopri5", "implicit", "conserving") and tolerance.
    riccatree/solver.h says what they do.

    Arrays have a row a body, in inertial axes; n bodies, `info["dof"]` rates v, `info["coordinates"]` coordinates q,
    body after body in the order of the model. They are new at each read; `read(name, out=array)` fills one of yours.
    Results of an evaluation are computed when they are read, if the state has changed. One call at a time: a second thread
    gets ArgumentError. The GIL is released while the library computes.
    """

    def __init__(self, model: Model, **options: Any) -> None:
        super().__init__(model, options)
        self.model = model  #: what it was made from
        self.options = options  #: as they were given
        self.steps = 0  #: made by run
        self.trajectory = None  #: of the last run, also of one that was stopped
        self._first: tuple[np.ndarray, np.ndarray] | None = None
        self._loops = {k: bool(model.loop(k)["active"]) for k in range(model.loops)}

    def __repr__(self) -> str:
        i = self.info
        try:
            state = f"t = {self.time:.6g} s"
        except ArgumentError:
            state = "at work"
        return (
            f"<riccatree.Solver of {self.model.name!r}: {i['bodies']} bodies, {i['dof']} degrees of freedom, "
            f"{i['method']} on {i['backend']}, {state}>"
        )

    # ---- names ----------------------------------------------------------------------------------

    def index(self, body: int | str) -> int:
        """The row of a body in arrays of bodies, by its name. KeyError if there is none."""
        return self.model.row(body)

    def q_index(self, body: int | str) -> slice:
        """Where the coordinates of the hinge of a body are in q."""
        return self._layout(0, body)

    def v_index(self, body: int | str) -> slice:
        """Where the rates of the hinge of a body are in v, a and efforts."""
        return self._layout(1, body)

    def _layout(self, which: int, body: int | str) -> slice:
        if self._first is None:
            self._first = self.model.layout()
        k = self.index(body)
        return slice(int(self._first[which][k]), int(self._first[which][k + 1]))

    # ---- state and results ----------------------------------------------------------------------

    @property
    def q(self) -> np.ndarray:
        """Coordinates of all hinges, [coordinates]."""
        return self.read("q")

    @q.setter
    def q(self, values: Any) -> None:
        self.set(q=values)

    @property
    def v(self) -> np.ndarray:
        """Rates of all hinges, [dof]."""
        return self.read("v")

    @v.setter
    def v(self, values: Any) -> None:
        self.set(v=values)

    orientation: np.ndarray = _array("orientation", "Quaternions w x y z, body axes to inertial, [n, 4].")
    angular_velocity: np.ndarray = _array("angular_velocity", "rad/s, [n, 3].")
    position: np.ndarray = _array("position", "Hinge points, m, [n, 3].")
    velocity: np.ndarray = _array("velocity", "Of hinge points, m/s, [n, 3].")
    acceleration: np.ndarray = _array("acceleration", "Of hinge points, m/s^2, [n, 3].")
    angular_acceleration: np.ndarray = _array("angular_acceleration", "rad/s^2, [n, 3].")
    a: np.ndarray = _array("a", "Derivatives of the rates, [dof].")
    hinge_force: np.ndarray = _array("hinge_force", "What the parent exerts on the body through its hinge, N, [n, 3].")
    hinge_moment: np.ndarray = _array("hinge_moment", "The same about the hinge point, N m, [n, 3].")

    def measure(self) -> Measures:
        """Energies and momenta of the present state."""
        return Measures(*self._measure())

    # ---- dynamics -------------------------------------------------------------------------------

    def forward(self, q: Any, v: Any, tau: Any = None, out: np.ndarray | None = None) -> np.ndarray:
        """Derivatives a [dof] of the rates for coordinates q [coordinates], rates v [dof] and efforts tau [dof] (N, N m);
        or [k, dof] of k states. tau None or 0: no efforts; others need a solver made with user_forces=True.

        The solver moves to the last state, and has its efforts from then on."""
        return self._forward(q, v, tau, out)

    def inverse(self, q: Any, v: Any, a: Any) -> np.ndarray:
        """Efforts tau [dof] (N, N m) by which the rates have the derivatives a [dof], besides all that the model and a force function
        exert: forward(q, v, tau) is a. Of models with loops, of the open tree.

        The solver moves to (q, v). `inverse_dynamics` gives all that the hinges exert, `hinge_efforts` what the model has of that."""
        self.set(q, v)
        return self.inverse_dynamics(a)[2] - self.hinge_efforts()

    def forward_derivatives(self, q: Any, v: Any, tau: Any = None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Derivatives of a = forward(q, v, tau) by q, v and tau, [dof, dof] each, exact: row i is that of a[i]. Changes of q are by rates
        (of ball and free hinges rotation vectors, inertial axes). Loops act. A force function has none: UnsupportedError.

        The solver moves to (q, v) and has efforts tau from then on, None: none. `acceleration_tangent` and `acceleration_adjoint` give
        products with these, in O(n), in the present state; `moved` is q moved by such a change."""
        if np.ndim(q) != 1:
            raise ValueError(f"forward_derivatives: q is of one state, [coordinates], not {np.shape(q)}")
        self.forward(q, v, tau)
        return self.acceleration_adjoint(np.eye(self.info["dof"]))

    def mass_matrix(self, q: Any = None, out: np.ndarray | None = None) -> np.ndarray:
        """M [dof, dof], symmetric, at q [coordinates] or in the present state. The solver moves to q."""
        if q is not None:
            self.set(q)
        return self.mass_times(np.eye(self.info["dof"]), out)

    def jacobian(self, body: int | str, q: Any = None) -> np.ndarray:
        """J [6, dof] at q or in the present state: J @ v is the velocity of the hinge point of the body (m/s, 3 rows), then
        its angular velocity (rad/s, 3 rows), inertial axes, the ground at rest. The solver moves to q."""
        if q is not None:
            self.set(q)
        unit = np.zeros((2, 6, self.info["bodies"], 3))
        for k in range(3):
            unit[0, k, self.index(body), k] = unit[1, 3 + k, self.index(body), k] = 1.0
        return self.jacobian_transposed(unit[0], unit[1])

    # ---- analyses -------------------------------------------------------------------------------

    def equilibrium(self) -> Equilibrium:
        """Move to where the model rests, rates 0, by descent from the present state; the time stays.

        Forces must have a potential, else UnsupportedError; dampers count for nothing. DivergedError where no rest is found, the state
        as it was. riccatree/analysis.h has the rest."""
        return Equilibrium(**self._equilibrium())

    def modes(self, count: int) -> Modes:
        """The `count` modes of least omega^2 about the present state, or all where there are fewer; without dampers.

        The state must be one of rest (equilibrium), else ArgumentError. Frequencies are np.sqrt(square) / (2 * np.pi) Hz. 0 modes: what grows
        and what costs nothing is counted. UnsupportedError for forces without a potential, and in a build without ARPACK."""
        return Modes(**self._modes(count))

    def longest_step(self) -> tuple[float, int | None]:
        """The longest step (s) of rk4 that springs and dampers allow, in the present state, and the number of the body that
        moves most by what limits it; (inf, None) where nothing does, and of models with loops that hold. It may be a few percent too long."""
        return self._longest_step(self.model)

    # ---- forces of the user ---------------------------------------------------------------------

    def set_force(self, function: Callable[[float, Loads], object] | None, bodies: Any = None) -> None:
        """Have function(time, loads) called in every evaluation, four times a step; None: no more. `loads` (Loads) has a row
        for each body, or for each of `bodies` (numbers or names, which makes it cheaper). What it raises comes out of the
        call that asked, and that step is taken back. Needs user_forces=True."""
        rows = None if bodies is None else [self.index(body) for body in bodies]
        if rows is not None and sorted(rows) != rows:
            raise ValueError("bodies: give them in the order of the model")
        if function is not None and not callable(function):
            raise TypeError("function: a function of time and loads is needed")
        loads = Loads(self.info["bodies"] if rows is None else len(rows)) if function is not None else None
        self._set_function(function, loads, rows)

    # ---- loops ----------------------------------------------------------------------------------

    def set_loop(self, loop: int | str, state: str = "attached") -> None:
        """Have a loop (number or name) "released", "attached", or "pulled" together from wherever it is."""
        number = self.model.loop_number(loop) if isinstance(loop, str) else loop
        if state not in LOOP_STATES:
            raise KeyError(f"there is no state {state!r}: give one of {', '.join(LOOP_STATES)}")
        self._set_loop(number, LOOP_STATES[state])
        self._loops[number] = state != "released"

    @property
    def events(self) -> dict[str, tuple[int, float]]:
        """What has happened in the steps of this solver: of each event by its name how often, and when last (s, nan: not yet)."""
        return {self.model.event_name(k): happened for k, happened in enumerate(self._events)}

    # ---- time -----------------------------------------------------------------------------------

    def run(self, t_end: float, dt: float, frames: int | None = None, **options: Any):
        """Step to the time t_end (s) by steps of dt (s); the trajectory of so many frames, from the present state to the
        last, evenly. See riccatree.run.run for the options: progress, out, overwrite, checkpoint, every, max_drift."""
        from .run import run

        return run(self, t_end, dt, frames, **options)

    def checkpoint(self, path: Path) -> None:
        """Write a checkpoint of the present state, from which riccatree.restore goes on bit for bit."""
        _core.write_checkpoint(text_of(path), self.model, self, self.steps)


def restore(path: Path) -> Solver:
    """The solver of a checkpoint, as it was: with its model, options, time and state. Efforts and force functions are no part
    of it. UnsupportedError of a checkpoint that another build wrote."""
    checkpoint = _core.Checkpoint(text_of(path))
    info, model = checkpoint.info, Model(checkpoint.model())
    solver = Solver(model, **info["options"])
    checkpoint.restore(model, solver)
    solver.steps = info["steps"]
    return solver
