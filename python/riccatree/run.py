"""Runs of a solver from frame to frame."""

from __future__ import annotations

import math
import os
import time
from contextlib import ExitStack
from typing import Any

import numpy as np

from . import _core
from .model import Path
from .solver import Solver
from .trajectory import Trajectory

USUAL_INTERVALS = 100  # between frames, where their number is not given


def whole_steps(span: float, dt: float) -> int:
    """How many steps of dt there are in the span. Neither is bent: ValueError unless it is a whole number."""
    if not (dt > 0.0 and math.isfinite(dt) and span >= 0.0 and math.isfinite(span)):
        raise ValueError(f"{span:.12g} s in steps of {dt:.12g} s: give a positive step, and an end that is not in the past")
    steps = round(span / dt)
    if abs(steps * dt - span) > 1e-9 * span or (steps == 0 and span > 0.0):
        near = max(1, math.floor(span / dt))
        raise ValueError(
            f"{span:.12g} s is not a whole number of steps of {dt:.12g} s; the nearest are {near * dt:.12g} s "
            f"and {(near + 1) * dt:.12g} s"
        )
    return steps


def frame_steps(steps: int, frames: int | None) -> list[int]:
    """After which steps there is a frame: evenly, the first before the first step, the last after the last."""
    frames = min(steps, USUAL_INTERVALS) + 1 if frames is None else frames
    if frames < 1 or frames > steps + 1 or (frames == 1 and steps > 0):
        raise ValueError(f"{frames} frames of {steps} steps: give {min(2, steps + 1)} to {steps + 1}")
    return [steps * k // max(1, frames - 1) for k in range(frames)]


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

    def add(self, steps: int) -> None:
        if self._bar is not None:
            self._bar.update(steps)


class _Checkpoints:
    """Checkpoints of a run, every so many seconds and at its end."""

    def __init__(self, solver: Solver, path: Path | None, every: float) -> None:
        self._solver, self._every, self._due = solver, every, time.monotonic() + every
        self._writer = None if path is None else _core.CheckpointWriter(os.fspath(path), solver.model, solver)

    def save(self) -> None:
        if self._writer is not None:
            self._writer.write(self._solver, self._solver.steps, b"")
            self._due = time.monotonic() + self._every

    def save_due(self) -> None:
        if time.monotonic() >= self._due:
            self.save()


def _advance(solver: Solver, dt: float, steps: int, bar: _Bar, checkpoints: _Checkpoints) -> None:
    """So many steps, some tenths of a second at a time."""
    done, started = 0, time.monotonic()
    while done < steps:
        spent = time.monotonic() - started
        part = 1 if done == 0 else max(1, int(min(steps - done, 0.2 * done / max(spent, 1e-9))))
        solver.step(dt, part)
        done += part
        solver.steps += part
        bar.add(part)
        checkpoints.save_due()


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
    every: float = 60.0,
    **unknown: Any,
) -> Trajectory:
    """Step `solver` to the time t_end (s) by steps of dt (s), of which there must be a whole number.

    frames: how many states the trajectory has, from the present one to that at t_end, evenly; None: up to 101.
    progress: show a bar. out: record the frames in this file as well, in place of one that is there only with
    overwrite. checkpoint: write checkpoints to this file every so many seconds, and at the end.

    Ctrl-C, or a step that fails, ends the run between steps: the trajectory so far is solver.trajectory, the file holds the
    same frames, a checkpoint is written, and the exception comes out. run again goes on.
    """
    if unknown:
        raise TypeError(f"run has no option {', '.join(unknown)}")
    at = frame_steps(whole_steps(t_end - solver.time, dt), frames)
    trajectory = solver.trajectory = Trajectory.room_for(solver, len(at), dt, t_end)
    with ExitStack() as stack:
        checkpoints = _Checkpoints(solver, checkpoint, every)
        recorder = None
        if out is not None:
            recorder = _core.Recorder(os.fspath(out), solver.model, solver, len(at), dt, t_end, overwrite)
            stack.callback(lambda: recorder.close(len(trajectory) == len(at)))
        bar = stack.enter_context(_Bar(at[-1], progress))
        try:
            for k, step in enumerate(at):
                _advance(solver, dt, step - at[max(0, k - 1)], bar, checkpoints)
                trajectory.take(solver)
                if recorder is not None:
                    recorder.write(solver, trajectory.last_measures)
        finally:
            checkpoints.save()
    return trajectory
