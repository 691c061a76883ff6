"""What the hinges of a model exert by themselves: springs, dampers, applied efforts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from .model import Model

if TYPE_CHECKING:
    from .solver import Solver


class Passive:
    """applied - stiffness (q - rest) - damping u of relative hinges, -damping (w - w of the parent) of ball hinges."""

    def __init__(self, model: Model) -> None:
        bodies = [model.body(k) for k in range(model.bodies)]
        first_q, first_v = model.layout()
        rows = []  # a rate each: where it is in v and q, then stiffness, rest, damping, applied
        for k, b in enumerate(bodies):
            if b["hinge"] not in ("fixed", "ball", "free"):
                rows += [
                    (first_v[k] + i, first_q[k] + i, *(b[f][i] for f in ("stiffness", "rest", "damping", "applied")))
                    for i in range(first_v[k + 1] - first_v[k])
                ]
        table = np.array(rows, dtype=float).reshape(-1, 6)
        table = table[(table[:, 2] != 0) | (table[:, 4] != 0) | (table[:, 5] != 0)]
        self._v, self._q = table[:, 0].astype(np.int64), table[:, 1].astype(np.int64)
        self._stiffness, self._rest, self._damping, self._applied = table[:, 2:].T
        balls = [k for k, b in enumerate(bodies) if b["hinge"] == "ball" and b["damping"][0] > 0.0]
        self._ball = np.array(balls, dtype=np.int64)
        self._parent = np.array([bodies[k]["parent"] for k in balls], dtype=np.int64)
        self._ball_damping = np.array([[bodies[k]["damping"][0]] for k in balls]).reshape(-1, 1)
        self._ball_v = first_v[self._ball][:, None] + np.arange(3)
        self._ground = model
        self.any = len(table) + len(balls) > 0

    def efforts(self, solver: Solver) -> np.ndarray:
        """In the present state of the solver, [dof]."""
        q, v = solver.q, solver.v
        all = np.zeros_like(v)
        all[self._v] = self._applied - self._stiffness * (q[self._q] - self._rest) - self._damping * v[self._v]
        if len(self._ball) > 0:
            own = solver.angular_velocity
            # Row -1 of the parents is the ground.
            turning = np.vstack((own, self._ground.base_motion(solver.time)["angular_velocity"]))
            all[self._ball_v] = -self._ball_damping * (own[self._ball] - turning[self._parent])
        return all
