"""Models: built body by body, loaded from files, or generated."""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _core
from .errors import ArgumentError
from .paths import HDF5, Path, is_h5, text_of, text_to_write
from .view import MOST_BYTES, View, of_model

if TYPE_CHECKING:
    from .solver import Solver


class Model(_core.Model):
    """A model of a system: bodies on hinges, forces, loops, events, gravity, a moving ground, an initial state.

    Units are SI, quaternions are w x y z. Bodies are numbered in the order in which they are added; every argument for
    a body takes its number or its name. A model is used by one thread at a time. copy.copy and pickle make copies, by way
    of the text of a model file.
    """

    __slots__ = ("__weakref__",)

    def __init__(self, name: str | _core.Model = "") -> None:
        if isinstance(name, Model):
            raise TypeError("a name is needed, not a model; copy.copy(model) makes a copy")
        super().__init__(name)  # a model made by the extension is taken over

    def __reduce__(self) -> tuple:
        with tempfile.TemporaryDirectory(prefix="riccatree-") as folder:
            path = os.path.join(folder, "model.json")
            self.write_json(path)
            with open(path, encoding="utf-8") as file:
                return parse, (file.read(),)

    def add_body(self, name: str = "", *, parent: int | str | None = None, shapes: Iterable[dict] = (), **fields: Any) -> int:
        """Append a body with the hinge that joins it to `parent` (number or name; None: the ground), and return its
        number.

        Fields are those of rct_body in riccatree/model.h, with the defaults given there. Those that a model file
        requires (docs/model-file.md), except hinge and parent, must be given: mass, inertia, and what the hinge needs,
        such as hinge_axis. hinge ("ball", "revolute", ...), hinge_at [3] (m, in the parent's axes), hinge_orientation
        [4], hinge_axis [3], hinge_axis2 [3],
        hinge_pitch (m/rad), mass (kg), com [3] (m, from the hinge point, body axes), inertia [6] (kg m^2, xx yy zz xy
        xz yz about the centre of mass), orientation [4], angular_velocity [3] (rad/s), and by freedom position, rate,
        stiffness, rest, damping, applied, armature [3]. Inertia and the fields by freedom may have fewer numbers; the
        others are 0. `shapes` says what the body looks like; each shape is a dict with the fields of add_shape:
        [{"type": "sphere", "radius": 0.1}].
        """
        shapes = list(shapes)
        if shapes:  # what is refused leaves no body behind
            trial = Model()
            trial.add_body(name, mass=0, inertia=(0, 0, 0))
            for shape in shapes:
                trial.add_shape(**shape, body=0)
        number = super().add_body(name=name, parent=parent, **fields)
        for shape in shapes:
            self.add_shape(**shape, body=number)
        return number

    def add_shape(self, type: str = "capsule", **fields: Any) -> int:
        """Add a shape, "capsule", "box", "sphere" or "cylinder", to an existing body for drawing, and return its
        number.

        Fields are those of rct_shape in riccatree/shape.h: body, at [3] (m, its centre, body axes), orientation [4],
        radius (m), length (m), for a box size [3] (m, its edges). `shapes(body)` returns the shapes of a body as dicts.
        """
        return super().add_shape(type=type, **fields)

    def add_force(self, type: str = "wrench", **fields: Any) -> int:
        """Append a force, "wrench", "spring", "cable", "drag", or at a hinge "friction", "limit", "servo", "curve", and
        return its number.

        Fields are those of rct_force in riccatree/force.h; those that a model file requires (docs/model-file.md) must
        be given, where `other` may be None, the ground: body, at [3] (m, body axes); for a wrench in_body_axes,
        force [3] (N), moment [3] (N m); for a spring or cable other, other_at [3] (m), stiffness (N/m), damping (N
        s/m), length (m); at hinges coordinate and the fields of the type; `table` [rows][2] for a servo or curve; for
        drag end [3] (m), diameter (m), density (kg/m^3), ...
        """
        table = fields.pop("table", None)
        return super().add_force(table, type=type, **fields)

    def add_rod(self, *, parent: int | str | None = None, pinned: bool = False, **fields: Any) -> range:
        """Append an elastic rod, made of bodies on ball hinges that bend and twist, along z of its frame, and return
        the numbers of its bodies.

        Fields are those of rct_rod in riccatree/rod.h: bodies, at [3] (m, its start, in the parent's axes), orientation
        [4], length (m), density (kg/m), radius (m), bending [2] (N m^2, EI about x and y), twist (N m^2, GJ), delay (s,
        damping over stiffness). The rod is clamped at its start, or with `pinned` hangs on a ball hinge without
        stiffness. ArgumentError for numbers out of range, ModelError for a parent that does not exist.
        """
        first = super().add_rod(pinned, parent=parent, **fields)
        return range(first, self.bodies)

    def add_loop(self, type: str = "ball", **fields: Any) -> int:
        """Append a loop, a closure or a relation, and return its number.

        Fields are those of rct_loop in riccatree/loop.h; those that a model file requires (docs/model-file.md) must be
        given, where `other` may be None, the ground: name, active, body, at [3] (m), orientation [4], other,
        other_at [3], other_orientation [4], axis [3], axis2 [3], length (m); for a cam radius (m) and its waves
        cosine, sine (m); for a relation terms [(body, freedom, factor)], offset, rate, acceleration, amplitude,
        angular_frequency, phase, or a `table` [rows][2].
        """
        table = fields.pop("table", None)
        return super().add_loop(table, type=type, **fields)

    def add_event(self, type: str = "time", *, loop: int | str, state: str, of: int | str | None = None, **fields: Any) -> int:
        """Append an event of type "time", "coordinate", "distance" or "force", and return its number. The event changes
        `loop` (number or name) to `state`: "released", "attached" or "pulled". See riccatree/event.h.

        Fields are those of rct_event: name, value (s; rad or m; m; N), way ("rises", "falls", "crosses"), body,
        coordinate, at [3] (m), other, other_at [3], again. `of` is the loop whose force is watched; None: the loop that
        changes.
        """
        number = self.loop_number(loop) if isinstance(loop, str) else loop
        if type == "force":
            fields["of"] = number if of is None else self.loop_number(of) if isinstance(of, str) else of
        elif of is not None:
            raise ValueError("of: only an event of type force watches a loop; leave it out")
        return super().add_event(type=type, loop=number, state=state, **fields)

    def set_base(self, table: Any = None, **fields: Any) -> None:
        """Set the motion of the ground: velocity [3] (m/s), acceleration [3] (m/s^2), axis [3], rate (rad/s),
        angular_acceleration (rad/s^2); or a table [rows, 5] of t, x, y, z, angle (s, m, m, m, rad).
        """
        super().set_base(table, **fields)

    @property
    def gravity(self) -> np.ndarray:
        """m/s^2, inertial axes, [3]."""
        return _core.Model.gravity.__get__(self)

    @gravity.setter
    def gravity(self, values: Any) -> None:
        if np.ndim(values) != 1:
            raise ValueError(f"gravity: three numbers are needed, not {values!r}")
        _core.Model.gravity.__set__(self, values)

    def rows(self, bodies: Any) -> list[int]:
        """The rows of several bodies; a single number or name is one body."""
        return [self.row(body) for body in ([bodies] if isinstance(bodies, (str, int, np.integer)) else bodies)]

    def index(self, body: int | str) -> int:
        """The number of a body with this name. KeyError if there is none."""
        return self.body_number(body)

    def row(self, body: int | str) -> int:
        """The row of a body in arrays of bodies. KeyError if it has none, such as the ground."""
        number = self.body_number(body)
        if not 0 <= number < self.bodies:
            raise KeyError(f"{body!r} is not a body: arrays have one row for each of {self.bodies} bodies, and none for the ground")
        return number

    @property
    def names(self) -> list[str]:
        """The names of all bodies; "body<number>" for a body without a name."""
        return [self.body_name(k) for k in range(self.bodies)]

    def save(self, path: Path) -> None:
        """Write the model, bit for bit, in HDF5 if the path ends in .h5 or .hdf5, else in JSON."""
        path = text_to_write(path, "a model is written in JSON or HDF5", (".json", *HDF5))
        self.write_h5(path) if path.lower().endswith(HDF5) else self.write_json(path)

    def solver(self, **options: Any) -> Solver:
        """A solver of this model; options are those of Solver. RuntimeWarning if loops were open at the start: closing
        them has changed positions and rates.
        """
        from .solver import Solver, warn_of_start

        solver = Solver(self, **options)
        warn_of_start(solver)
        return solver

    def backend_times(self, **options: Any) -> dict[str, float]:
        """The time, s, that an evaluation is predicted to take on each backend that can run here, with these options of
        Solver. The backend "auto" is the fastest."""
        return _core.backend_times(self, options)

    def view(self, path: Path | None = None, most_bytes: int = MOST_BYTES) -> View:
        """Write the initial state, as given, as a page for a browser, and open the page, as Trajectory.view does."""
        return of_model(self, path, most_bytes)

    def __len__(self) -> int:
        return self.bodies

    def __repr__(self) -> str:
        more = [f"{n} {what}" for n, what in ((self.forces, "forces"), (self.loops, "loops")) if n > 0]
        return f"<riccatree.Model {self.name!r}: {', '.join([f'{self.bodies} bodies', *more])}>"


CHANGES = (  # of one, of several
    ("inertia is repaired", "inertias are repaired"),
    ("body that moves without mass is left out", "bodies that move without mass are left out"),
    (
        "coordinate has dry friction, regularized below 0.01 rad/s or m/s",
        "coordinates have dry friction, regularized below 0.01 rad/s or m/s",
    ),
    ("ball or free hinge has dry friction, which is left out", "ball or free hinges have dry friction, which is left out"),
    ("constraint is exact here, but soft in the file", "constraints are exact here, but soft in the file"),
)


def load(
    path: Path, *, ignore_unsupported: bool = False, floating_root: bool = False, repair_inertia: bool = False
) -> Model:
    """Load a model from a file: URDF (.urdf), MJCF (.xml), HDF5 (.h5, .hdf5: a model, a recording or an ensemble), else
    JSON.

    ignore_unsupported: ignore what changes the motion and is not supported, with a warning for each item.
    floating_root: for URDF, the root link is free instead of fixed to the ground. repair_inertia: for URDF and MJCF,
    replace an inertia that no body can have by the closest possible one. Warnings name all other differences between
    the model and a URDF or MJCF file (docs/import.md).
    """
    path = text_of(path)
    foreign = path.lower().endswith((".urdf", ".xml"))
    if (ignore_unsupported or floating_root or repair_inertia) and not foreign:
        raise ValueError(f"{path}: ignore_unsupported, floating_root and repair_inertia are for .urdf and .xml files")
    if foreign:
        model, ignored, notes, changes = _core.import_model(path, ignore_unsupported, floating_root, repair_inertia)
        for line, text in notes:
            warnings.warn(f"{path}:{line}: {text}", stacklevel=2)
        if ignored > len(notes):
            warnings.warn(f"{path}: {ignored - len(notes)} more are ignored", stacklevel=2)
        for count, (one, several) in zip(changes, CHANGES, strict=True):
            if count > 0:
                warnings.warn(f"{path}: {count} {one if count == 1 else several}", stacklevel=2)
        return Model(model)
    return Model(_core.read_h5(path) if is_h5(path) else _core.read_json(path))


def parse(text: str) -> Model:
    """Make a model from a text in JSON (docs/model-file.md)."""
    return Model(_core.parse(text))


def check_whole(what: str, number: Any, least: int) -> None:
    """TypeError if a number is not whole, ArgumentError if it is below `least`."""
    if not hasattr(number, "__index__"):
        raise TypeError(f"{what}: give a whole number, not {number!r}")
    if number < least:
        raise ArgumentError(f"{what}: give {least} or more, not {number!r}")


def _family(name: str):
    def generate(
        bodies: int, *, hinge: str = "ball", seed: int = 1, perturb: float = 0.0, systems: int = 1, **rod: Any
    ) -> Model:
        if rod and name != "rod":
            raise TypeError(f"the family {name} has no option {', '.join(rod)}")
        for what, number in (("bodies", bodies), ("seed", seed), ("systems", systems)):
            check_whole(what, number, 0)
        return Model(_core.generate(name, bodies, hinge, seed, perturb, systems, rod))

    generate.__name__ = generate.__qualname__ = name
    generate.__doc__ = f"""A model of the family `{name}` with `bodies` bodies (riccatree/model.h, rct_family).

    hinge: type of all hinges; seed: of random numbers; perturb: rad, rad/s, largest deviation of the start from the
    plain one; systems: number of systems side by side in one model."""
    if name == "rod":
        generate.__doc__ += """ Further fields are length, density, radius, bending, twist, delay and pinned of
    Model.add_rod."""
    return generate


families = {name: _family(name) for name in _core.families()}
