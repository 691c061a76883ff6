"""Runs of a solver from frame to frame."""

from __future__ import annotations

import math
import warnings
from typing import Any

from . import _core
from .errors import ArgumentError
from .paths import Path, text_of, text_to_write
from .solver import Solver
from .trajectory import Trajectory


class _Bar:
    """The progress of a run, in steps, on standard error or in a notebook."""

    def __init__(self, steps: int, shown: bool) -> None:
        self._bar = None
        if shown:
            from tqdm.auto import tqdm

            self._bar = tqdm(total=steps, unit="step")

    def __enter__(self) -> _Bar:
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()

    def reach(self, done: int) -> None:
        """Show that `done` steps are done."""
        if self._bar is not None:
            self._bar.update(done - self._bar.n)


def _judge(report: dict[str, Any], dt: float, loops: dict[str, Any]) -> None:
    """Warn if steps were too long, or if the energy is off because the first step closed loops."""
    if report["drift_share"] > _core.RUN_SHARE and _core.Solver._loops_open(loops["bound"], report["position"], report["velocity"]):
        warnings.warn(f"loops were open at the start, by up to {report['position']:.3g} m or rad and {report['velocity']:.3g} m/s or rad/s, "
                      f"and the first step closed them: the energy is off by {report['drift']:.3g} J, and nothing tells whether steps are "
                      "short enough; start from a closed state", RuntimeWarning, stacklevel=4)  # fmt: skip
        return
    share = {"drift_share": "the energy, which nothing in the model changes, is off by {:.2g} of the energy of the motion",
             "step_error": "velocities after one step and after two of half its length differ by {:.2g} of their size"}  # fmt: skip
    for name, why in share.items():
        if report[name] > _core.RUN_SHARE:
            advised = report["step_advised"]
            advice = f"try {advised:.9g} s" if math.isfinite(advised) else "take a smaller tolerance"
            warnings.warn(f"steps of {dt:.9g} s are too long: {why.format(report[name])}; {advice}", RuntimeWarning, stacklevel=4)
            return


def run(
    solver: Solver,
    t_end: float,
    dt: float,
    frames: int | None = None,
    *,
    progress: bool = False,
    out: Path | None = None,
    overwrite: bool = False,
    checkpoint: Path | None = None,
    every: float | None = None,
    max_drift: float = 0.0,
    **unknown: Any,
) -> Trajectory:
    """Step `solver` to the time t_end (s) by steps of dt (s), and return the trajectory. The number of steps must be
    whole and at least 1.

    frames: number of states in the trajectory, from the present state to that at t_end; None: up to 101. They are spaced
    as evenly as whole steps allow: where the steps do not divide, intervals differ by one step (`time` tells).
    progress: show a progress bar. out: also record the frames in this file; an existing file is replaced only with
    overwrite. checkpoint: write checkpoints to this file, before the first step, every `every` seconds of wall-clock
    time (None: 60), and at the end. max_drift: the largest allowed drift of the energy, relative to the energy of the motion;
    beyond it DivergedError is raised at the end; 0: no limit.

    `report` of the trajectory has the contents of rct_run_report in riccatree/run.h. Steps that were too long cause a
    RuntimeWarning.

    Ctrl-C ends the run between steps and writes a checkpoint; if a step fails, the checkpoint before it stays. In both
    cases solver.trajectory has the trajectory so far, the recording holds the same frames, and the exception is raised.
    A further call of run, or `riccatree resume` on the checkpoint, continues the run.
    """
    if unknown:
        raise TypeError(f"run has no option {', '.join(unknown)}")
    if frames == 0:
        raise ArgumentError("frames: give 2 or more, or None for up to 101")
    if every is not None and checkpoint is None:
        raise ArgumentError("every: it needs the file of checkpoints; give checkpoint too")
    recording = None if out is None else text_to_write(out, "the recording is written in HDF5")
    saved = None if checkpoint is None else text_of(checkpoint)
    steps, count = _core.run_plan(solver.time, t_end, dt, 0 if frames is None else frames)
    trajectory = Trajectory.room_for(solver, count, dt, t_end)
    seconds = 60.0 if every is None else every
    with _Bar(steps, progress) as bar:

        def watch(done: int, measured: int) -> None:
            solver.trajectory = trajectory  # a run that is refused keeps the one before
            if measured > len(trajectory):
                trajectory.take(solver)
            bar.reach(done)

        try:
            solver._run(
                solver.model, t_end, dt, count, recording, overwrite, saved, seconds, max_drift, watch, trajectory.report
            )
        finally:
            solver.steps += trajectory.report.get("done", 0)
    if saved is not None:
        solver.checkpoint(saved)
    _judge(trajectory.report, dt, solver.loop_info)
    return trajectory
