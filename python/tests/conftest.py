"""What the tests of the Python package share."""

from __future__ import annotations

import os
import pathlib
import signal

import numpy as np
import pytest

import riccatree as rt

ROOT = pathlib.Path(__file__).resolve().parents[2]
HINGES = ("ball", "revolute", "prismatic", "universal", "cylindrical", "planar", "helical")


@pytest.fixture
def examples() -> pathlib.Path:
    return ROOT / "examples"


@pytest.fixture
def interrupt(monkeypatch):
    """Press Ctrl-C when a run of `module` has made so many steps."""

    def after(steps: int, module: str) -> None:
        pressed = False

        def reach(_bar, done: int) -> None:
            nonlocal pressed
            if done >= steps and not pressed:
                pressed = True
                os.kill(os.getpid(), signal.SIGINT)

        monkeypatch.setattr(f"riccatree.{module}._Bar.reach", reach)

    return after


@pytest.fixture
def arm(examples) -> rt.Model:
    return rt.load(examples / "arm7.urdf")


def random_tree(seed: int, bodies: int = 12) -> rt.Model:
    """Hinges of every type, springs, dampers, applied efforts and rotors at them, loads, a ground that moves."""
    draw = np.random.default_rng(seed)
    model = rt.Model(f"tree{seed}")
    for k in range(bodies):
        hinge = HINGES[draw.integers(len(HINGES))] if k > 0 else "free"
        relative = hinge not in ("ball", "free")
        freedoms = {"universal": 2, "cylindrical": 2, "planar": 3}.get(hinge, 1)
        fields = {}
        if relative:
            fields |= {f: draw.uniform(0.1, 2.0, freedoms) for f in ("stiffness", "rest", "damping", "applied", "armature")}
            fields |= {"hinge_axis": (0, 0, 1) if k % 2 else (0, 1, 0), "rate": draw.normal(size=freedoms)}
            fields |= {"position": draw.normal(size=freedoms)}
        elif hinge == "ball":
            fields |= {"damping": 0.7, "orientation": draw.normal(size=4), "angular_velocity": draw.normal(size=3)}
        if hinge in ("universal", "planar"):
            fields |= {"hinge_axis2": (1, 0, 0)}
        if hinge == "helical":
            fields |= {"hinge_pitch": 0.1}
        parent = None if k < 2 else int(draw.integers(-1, k))
        if hinge != "free":
            fields |= {"hinge_at": draw.normal(size=3)}
        model.add_body(
            parent=None if parent == -1 else parent, hinge=hinge, mass=draw.uniform(0.5, 2.0),
            com=0.3 * draw.normal(size=3), inertia=(*draw.uniform(0.5, 0.7, 3), 0.01, 0.02, 0.01), **fields,
        )  # fmt: skip
    model.add_force("spring", body=1, other=bodies - 1, stiffness=3.0, damping=0.2, length=0.5, at=(0.1, 0, 0))
    model.add_force(body=2, force=(1, 2, 3), moment=(0.1, 0, 0.2), in_body_axes=True)
    model.set_base(velocity=(0.1, 0, 0), acceleration=(0, 0.3, 0), axis=(1, 1, 0), rate=0.4, angular_acceleration=0.2)
    return model
