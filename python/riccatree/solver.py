"""The solver: a prepared model, its state, accelerations, operators, steps."""

from __future__ import annotations

import warnings
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
    """The result of a search for an equilibrium."""

    steps: int  #: steps taken
    residual: float  #: largest ratio of a remaining effort to what its hinge carries
    unstable: int  #: directions in which the potential energy falls, 0 for a stable equilibrium
    indifferent: int  #: directions in which it does not change, within rounding
    energy: float  #: J, decrease of the potential energy since the start


class Modes(NamedTuple):
    """Modes K x = omega^2 M x about an equilibrium, ascending by omega^2, without those of omega = 0."""

    square: np.ndarray  #: omega^2, rad^2/s^2, [found], ascending; below 0 a motion grows
    shape: np.ndarray  #: [found, dof], with x . M x = 1, in the order of v
    unstable: int  #: motions that grow
    indifferent: int  #: motions of omega = 0, within rounding
    largest: float  #: largest of the residuals |K x - omega^2 M x| / (|K x| + |omega^2 M x|)


def _rows(name: str, text: str) -> Any:
    """An array that always stays the same object, because the solver writes to it."""

    def get(self: Loads) -> np.ndarray:
        return self._arrays[name]

    def put(self: Loads, values: Any) -> None:
        self._arrays[name][...] = values

    return property(get, put, doc=text)


class Loads:
    """The argument of a force function: rows of bodies in one state, inertial axes. The function adds to force and
    moment, which are 0 before. The arrays are the same at every call; assigning to one copies the values into it.
    """

    __slots__ = ("_arrays",)

    def __init__(self, rows: int) -> None:
        widths = {"orientation": 4, "angular_velocity": 3, "position": 3, "velocity": 3, "force": 3, "moment": 3}
        self._arrays = {name: np.zeros((rows, width)) for name, width in widths.items()}

    orientation: np.ndarray = _rows("orientation", "Quaternions w x y z, body axes to inertial.")
    angular_velocity: np.ndarray = _rows("angular_velocity", "rad/s.")
    position: np.ndarray = _rows("position", "m, hinge points.")
    velocity: np.ndarray = _rows("velocity", "m/s, of the hinge points.")
    force: np.ndarray = _rows("force", "N, at the hinge points.")
    moment: np.ndarray = _rows("moment", "N m, about the hinge points.")


def _array(name: str, text: str) -> Any:
    return property(lambda self: self.read(name), doc=text)


class Solver(_core.Solver):
    """A solver of `model`. It copies what it needs. Model.solver makes one and warns if loops were open at the start.

    Options: method ("abi", "riccati"), backend ("auto", "cpu", ...), threads (0: as many as pay off), lanes (0: the
    widest), segment (a number of links, "auto", "whole"), junction, user_forces (True: force functions and efforts may
    be used); for models with loops closing, drift, baumgarte (1/s, 1/s) and as_given; integrator ("rk4", "dopri5",
    "implicit", "conserving") and tolerance. riccatree/options.h describes them.

    Arrays have one row per body, in inertial axes: n bodies, `info["dof"]` rates v, `info["coordinates"]` coordinates
    q, body after body in the order of the model. Each read gives a new array; `read(name, out=array)` fills an existing
    one. If the state has changed, reading a result of an evaluation computes it. A solver serves one call at a time: a
    second thread gets ArgumentError. The GIL is released while the library computes.
    """

    __slots__ = ("model", "options", "steps", "trajectory", "_first", "__weakref__")

    def __init__(self, model: Model, **options: Any) -> None:
        super().__init__(model, options)
        self.model = model  #: the model it was made from
        self.options = options  #: as given
        self.steps = 0  #: steps made by run
        self.trajectory = None  #: trajectory of the last run, even if it was stopped
        self._first: tuple[np.ndarray, np.ndarray] | None = None

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
        """The row of a body (number or name) in arrays of bodies. KeyError if there is none."""
        return self.model.row(body)

    def q_index(self, body: int | str) -> slice:
        """The slice of q with the coordinates of the hinge of a body."""
        return self._layout(0, body)

    def v_index(self, body: int | str) -> slice:
        """The slice of v, a and efforts with the rates of the hinge of a body."""
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
    velocity: np.ndarray = _array("velocity", "Velocities of hinge points, m/s, [n, 3].")
    acceleration: np.ndarray = _array("acceleration", "Accelerations of hinge points, m/s^2, [n, 3].")
    angular_acceleration: np.ndarray = _array("angular_acceleration", "rad/s^2, [n, 3].")
    a: np.ndarray = _array("a", "Derivatives of the rates, [dof].")
    hinge_force: np.ndarray = _array("hinge_force", "Force of the parent on the body through its hinge, N, [n, 3].")
    hinge_moment: np.ndarray = _array("hinge_moment", "Moment of the parent on the body about the hinge point, N m, [n, 3].")

    def measure(self) -> Measures:
        """Energies and momenta of the present state."""
        return Measures(*self._measure())

    # ---- dynamics -------------------------------------------------------------------------------

    def forward(self, q: Any, v: Any, tau: Any = None, out: np.ndarray | None = None) -> np.ndarray:
        """Derivatives a [dof] of the rates for coordinates q [coordinates], rates v [dof] and efforts tau [dof] (N, N
        m); or [k, dof] for k states. tau None or 0: no efforts; other efforts need a solver made with user_forces=True.

        The solver moves to the last state and keeps its efforts.
        """
        return self._forward(q, v, tau, out)

    def inverse(self, q: Any, v: Any, a: Any) -> np.ndarray:
        """Efforts tau [dof] (N, N m) that give the rates the derivatives a [dof], in addition to the forces of the
        model and of a force function: forward(q, v, tau) is a. For models with loops this holds for the open tree.

        The solver moves to (q, v). `inverse_dynamics` gives all efforts of the hinges, `hinge_efforts` the part that
        the model exerts.
        """
        self.set(q, v)
        return self.inverse_dynamics(a)[2] - self.hinge_efforts()

    def forward_derivatives(self, q: Any, v: Any, tau: Any = None) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Exact derivatives of a = forward(q, v, tau) by q, v and tau, [dof, dof] each; row i belongs to a[i]. Changes
        of q are in the order of the rates (for ball and free hinges rotation vectors, inertial axes). Loops act.
        UnsupportedError with a force function.

        The solver moves to (q, v) and keeps the efforts tau; None: none. `acceleration_tangent` and
        `acceleration_adjoint` give products with these matrices, in O(n), in the present state; `moved` applies such a
        change to q.
        """
        if np.ndim(q) != 1:
            raise ValueError(f"forward_derivatives: give q of one state, [coordinates], not {np.shape(q)}")
        self.forward(q, v, tau)
        return self.acceleration_adjoint(np.eye(self.info["dof"]))

    def mass_matrix(self, q: Any = None, out: np.ndarray | None = None) -> np.ndarray:
        """The symmetric mass matrix M [dof, dof] at q [coordinates], or in the present state. The solver moves to q."""
        if q is not None:
            self.set(q)
        return self.mass_times(np.eye(self.info["dof"]), out)

    def jacobian(self, body: int | str, q: Any = None) -> np.ndarray:
        """The Jacobian J [6, dof] at q or in the present state: J @ v is the velocity of the hinge point of the body
        (m/s, 3 rows), then its angular velocity (rad/s, 3 rows), in inertial axes, with the ground at rest. The solver
        moves to q.
        """
        if q is not None:
            self.set(q)
        unit = np.zeros((2, 6, self.info["bodies"], 3))
        for k in range(3):
            unit[0, k, self.index(body), k] = unit[1, 3 + k, self.index(body), k] = 1.0
        return self.jacobian_transposed(unit[0], unit[1])

    # ---- analyses -------------------------------------------------------------------------------

    def equilibrium(self) -> Equilibrium:
        """Move the solver to an equilibrium with rates 0, by descent of the potential energy from the present state;
        the time stays.

        All forces must have a potential, else UnsupportedError; dampers are ignored. DivergedError if no equilibrium is
        found; the state is then unchanged. riccatree/analysis.h has the details.
        """
        return Equilibrium(**self._equilibrium())

    def modes(self, count: int) -> Modes:
        """The `count` modes of smallest omega^2 about the present state, or all if there are fewer; without dampers.

        The state must be an equilibrium (see equilibrium), else ArgumentError. Frequencies are np.sqrt(square) / (2 *
        np.pi) Hz. A count of 0 only counts unstable and indifferent motions. UnsupportedError for forces without a
        potential, and in a build without ARPACK unless count is 0.
        """
        try:
            return Modes(**self._modes(count))
        except ArgumentError as error:
            error.args = (str(error).replace("`modes --about equilibrium`", "`equilibrium()`"),)
            raise

    def longest_step(self) -> tuple[float, int | None]:
        """The longest step (s) of rk4 that springs and dampers allow in the present state, and the number of the body
        that moves most in the motion that limits it; (inf, None) if nothing limits it, and for models with active
        loops, for which no step is computed. The step may be a few percent too long.
        """
        return self._longest_step(self.model)

    # ---- forces of the user ---------------------------------------------------------------------

    def set_force(self, function: Callable[[float, Loads], object] | None, bodies: Any = None) -> None:
        """Have function(time, loads) called in every evaluation, four times per step of rk4; None: remove the function.
        `loads` (Loads) has one row for each body, or for each of `bodies` (numbers or names, in the order of the
        model), which is cheaper. If the function raises an exception, the call that needed the forces raises it, and
        its step is taken back. Needs user_forces=True.
        """
        rows = None if bodies is None else self.model.rows(bodies)
        if rows is not None and sorted(rows) != rows:
            raise ValueError("bodies: give them in the order of the model")
        if function is not None and not callable(function):
            raise TypeError("function: a function of time and loads is needed")
        loads = Loads(self.info["bodies"] if rows is None else len(rows)) if function is not None else None
        self._set_function(function, loads, rows)

    # ---- loops ----------------------------------------------------------------------------------

    def set_loop(self, loop: int | str, state: str = "attached") -> None:
        """Change a loop (number or name) to "released" or "attached", or "pulled": attached from anywhere."""
        number = self.model.loop_number(loop) if isinstance(loop, str) else loop
        if state not in LOOP_STATES:
            raise KeyError(f"there is no state {state!r}: give one of {', '.join(LOOP_STATES)}")
        self._set_loop(number, LOOP_STATES[state])

    @property
    def events(self) -> dict[str, tuple[int, float]]:
        """The events that have happened in the steps of this solver: for each event, by name, how often and when last
        (s, nan: not yet).
        """
        return {self.model.event_name(k): happened for k, happened in enumerate(self._events)}

    # ---- time -----------------------------------------------------------------------------------

    def run(self, t_end: float, dt: float, frames: int | None = None, **options: Any):
        """Step to the time t_end (s) by steps of dt (s), and return the trajectory of `frames` frames, spaced as evenly
        as whole steps allow, from the present state to the last. riccatree.run.run describes the options: progress,
        out, overwrite, checkpoint, every, max_drift.
        """
        from .run import run

        return run(self, t_end, dt, frames, **options)

    def checkpoint(self, path: Path) -> None:
        """Write a checkpoint of the present state, from which riccatree.restore continues bit for bit."""
        _core.write_checkpoint(text_of(path), self.model, self, self.steps)


def warn_of_start(solver: Solver) -> None:
    """Warn if loops were open at the start by more than rounding."""
    if solver.model.loops == 0:
        return
    info = solver.loop_info
    if _core.Solver._loops_open(info["bound"], info["start_position"], info["start_velocity"]):
        where = []
        for what, unit in (("position", "m or rad"), ("velocity", "m/s or rad/s")):
            loop = info[f"start_{what}_loop"]
            name = "" if loop < 0 else f" at {solver.model.loop(loop)['name'] or f'loop{loop}'}"
            where.append(f"{info[f'start_{what}']:.3g} {unit}{name}")
        warnings.warn(f"closed at the start, from {', '.join(where)}: positions and rates are not those given (as_given=True leaves closing to the first step)",
                      RuntimeWarning, stacklevel=3)  # fmt: skip


def restore(path: Path) -> Solver:
    """Restore the solver of a checkpoint with its model, options, time and state. A checkpoint does not contain efforts
    and force functions: set them again. UnsupportedError for a checkpoint that another build wrote.
    """
    checkpoint = _core.Checkpoint(text_of(path))
    info, model = checkpoint.info, Model(checkpoint.model())
    solver = Solver(model, **info["options"])
    checkpoint.restore(model, solver)
    solver.steps = info["steps"]
    return solver
