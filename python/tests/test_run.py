"""Runs: frames, recordings, checkpoints, Ctrl-C, progress."""

import os
import signal
import threading
import time

import numpy as np
import pytest
from conftest import random_tree

import riccatree as rt

h5py = pytest.importorskip("h5py")
NAMES = ("time", "q", "v", "orientation", "angular_velocity", "position", "velocity", "kinetic", "momentum")


def test_frames_are_those_of_the_steps():
    sim, slow = (rt.chain(6, perturb=0.3).solver() for _ in range(2))
    trajectory = sim.run(t_end=0.01, dt=1e-3, frames=4)
    assert len(trajectory) == 4 and trajectory.time == pytest.approx([0, 0.003, 0.006, 0.01])
    for frame, steps in enumerate((0, 3, 3, 4)):
        slow.step(1e-3, steps)
        for name in ("q", "v", "position", "velocity", "orientation"):
            assert (getattr(trajectory, name)[frame] == slow.read(name)).all()
        assert trajectory.energy[frame] == slow.measure().energy
    tip = trajectory.position[:, trajectory.index("body5")]
    assert tip.shape == (4, 3) and np.shares_memory(tip, trajectory.position)
    assert (np.from_dlpack(trajectory.q) == trajectory.q).all()
    assert "4 frames" in repr(trajectory) and "position" in dir(trajectory)
    with pytest.raises(AttributeError, match="places"):
        trajectory.places


def test_a_run_goes_on_from_where_it_is():
    sim, whole = (rt.chain(6, perturb=0.3).solver() for _ in range(2))
    sim.run(0.02, 1e-3)
    second = sim.run(0.05, 1e-3)
    assert second.time[0] == pytest.approx(0.02) and sim.steps == 50
    assert (whole.run(0.05, 1e-3).q[-1] == second.q[-1]).all()


@pytest.mark.parametrize("options", [(0.0105, 1e-3), (0.0005, 1e-3), (0.01, -1e-3), (0.01, 1e-3, 12), (0.01, 1e-3, 1), (-1, 1e-3)])
def test_times_and_frames_that_do_not_fit_are_refused(options):
    with pytest.raises(ValueError, match="s|frames"):
        rt.chain(3).solver().run(*options)


def test_options_are_known():
    with pytest.raises(TypeError, match="framse"):
        rt.chain(3).solver().run(0.01, 1e-3, framse=3)


@pytest.mark.parametrize("given, error, words", [
    (dict(frames=0), rt.ArgumentError, "frames: give 2 or more, or None for up to 101"),
    (dict(frames=2.5), TypeError, "frames: 2.5 is not a whole number"),
    (dict(every=5), rt.ArgumentError, "every: it needs the file of checkpoints; give checkpoint too"),
    (dict(every=-1, checkpoint="a.ckpt"), rt.ArgumentError, "every: give 0.0 or more, not -1"),
    (dict(every="a", checkpoint="a.ckpt"), TypeError, "every: 'a' is not a number"),
    (dict(max_drift=-1), rt.ArgumentError, "max_drift: give 0.0 or more, not -1"),
    (dict(t_end="a"), TypeError, "t_end: 'a' is not a number"),
    (dict(dt=None), TypeError, "dt: None is not a number"),
    (dict(overwrite="a"), TypeError, "overwrite: 'a' is not True or False"),
    (dict(out="x.csv"), rt.ArgumentError, "x.csv: the recording is written in HDF5; name it x.h5"),
])  # fmt: skip
def test_options_that_mean_nothing_are_refused(given, error, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(error, match=words):
        rt.chain(3).solver().run(**dict(t_end=0.01, dt=1e-3) | given)
    with pytest.raises(rt.ArgumentError, match="x.JSON: a trajectory is written in HDF5; name it x.h5"):
        rt.chain(3).solver().run(0.01, 1e-3).save("x.JSON")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("options", [dict(integrator="implicit", tolerance=1e-5), dict(segment="whole")])
def test_options_are_those_of_the_checkpoint(options, tmp_path):
    rt.chain(6).solver(**options).checkpoint(tmp_path / "a.ckpt")
    again = rt.restore(tmp_path / "a.ckpt")
    assert again.options == again.options | options and "baumgarte" not in again.options


@pytest.mark.parametrize("model", [rt.branch(50), random_tree(3), rt.fourbars(3)], ids=lambda m: m.name)
def test_recording_and_saving_give_the_same_file(tmp_path, model):
    sim = model.solver()
    trajectory = sim.run(0.01, 1e-3, out=tmp_path / "out.h5")
    trajectory.save(tmp_path / "saved.h5")
    assert rt.check(tmp_path.joinpath("saved.h5").as_posix()) == {
        "kind": "recording", "room": 11, "written": 11, "complete": True, "checked": True}  # fmt: skip
    with rt.open(tmp_path / "out.h5") as out, rt.open(tmp_path / "saved.h5") as saved:
        assert out.info["integrator"] == "rk4" and out.info["bodies"] == len(out.model) and "tolerance" not in out.info
        assert out.complete and len(out) == len(saved) == 11 and "11 frames" in repr(out)
        for name in ("time", "orientation", "angular_velocity", "position", "kinetic", "energy_drift", "momentum"):
            assert getattr(saved, name)[:] == pytest.approx(getattr(out, name)[:], abs=1e-12), name
            if hasattr(trajectory, name):
                assert (getattr(out, name)[:] == getattr(trajectory, name)).all()
        if hasattr(out, "q"):
            assert (out.q[:] == trajectory.q).all() and (out.v[:] == trajectory.v).all()
        assert (out.position[-1] == trajectory.position[-1]).all()
        assert (out.position[2:8:3, 1] == trajectory.position[2:8:3, 1]).all()
        assert (np.asarray(out.position) == trajectory.position).all() and out.position.unit == "m"
        assert out.model.bodies == model.bodies and out.index(model.body_name(1)) == 1
    with pytest.raises(rt.FileError, match="exists"):
        trajectory.save(tmp_path / "saved.h5")
    trajectory.save(tmp_path / "saved.h5", overwrite=True)


def test_ctrl_c_keeps_what_was_computed(tmp_path, interrupt):
    sim = rt.chain(50, perturb=0.1).solver()
    interrupt(5000, "run")
    with pytest.raises(KeyboardInterrupt):
        sim.run(1000.0, 1e-4, frames=10001, out=tmp_path / "out.h5", checkpoint=tmp_path / "run.ckpt")
    trajectory = sim.trajectory
    assert 0 < len(trajectory) < 10001
    assert rt.check(str(tmp_path / "out.h5")) | {"complete": False} == rt.check(str(tmp_path / "out.h5"))
    with rt.open(tmp_path / "out.h5") as out:
        assert len(out) == len(trajectory) and (out.position[-1] == trajectory.position[-1]).all()
    again = rt.restore(tmp_path / "run.ckpt")
    assert (again.q == sim.q).all() and again.time == sim.time and again.steps == sim.steps > 0


def test_ctrl_c_is_heard_within_one_call_of_step():
    sim = rt.chain(2000).solver()

    begun = threading.Event()

    def press() -> None:
        begun.wait()
        time.sleep(1.0)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=press).start()
    begun.set()
    with pytest.raises(KeyboardInterrupt):
        sim.step(1e-6, 10_000_000)
    assert 0 < sim.time < 10 and np.isfinite(sim.a).all()


def test_ctrl_c_during_a_force_ends_the_run_between_steps(tmp_path):
    times = []

    def force(time, loads):
        times.append(time)
        if time > 0.3 and len(pressed) == 0:
            pressed.append(len(times))
            signal.raise_signal(signal.SIGINT)
        loads.force[:] = (1.0, 0.0, 0.0)

    pressed: list[int] = []
    sim = rt.chain(6).solver(user_forces=True)
    sim.set_force(force)
    with pytest.raises(KeyboardInterrupt):
        sim.run(1.0, 1e-3, frames=101, checkpoint=tmp_path / "run.ckpt")
    assert times[pressed[0] - 1] == times[pressed[0]]  # called once more
    again = rt.restore(tmp_path / "run.ckpt")
    assert 300 <= sim.steps < 1000 and again.steps == sim.steps
    assert (again.q == sim.q).all() and (again.v == sim.v).all()
    sim.run(2.0, 1e-3, frames=2)
    assert sim.time == 2.0


def test_recordings_of_any_name_have_their_model(tmp_path):
    model = rt.chain(3, perturb=0.2)
    model.solver().run(0.01, 1e-3, out=tmp_path / "recorded")
    assert rt.load(tmp_path / "recorded").bodies == 3
    with rt.open(tmp_path / "recorded") as out:
        assert out.model.bodies == 3
    model.save(tmp_path / "model.H5")
    assert rt.load(tmp_path / "model.H5").bodies == 3
    with pytest.raises(rt.ArgumentError, match="written in HTML"):
        model.solver().run(0.01, 1e-3).view(tmp_path / "page.svg")


def test_checkpoints_go_on_bit_for_bit(tmp_path):
    sim = random_tree(5).solver(method="riccati", user_forces=True)
    sim.run(0.01, 1e-3, checkpoint=tmp_path / "run.ckpt", every=0.0)
    sim.checkpoint(tmp_path / "one.ckpt")
    again = rt.restore(tmp_path / "one.ckpt")
    assert again.info["method"] == "riccati" and again.steps == 10 and again.options["user_forces"]
    for solver in (sim, again, rt.restore(tmp_path / "run.ckpt")):
        solver.step(1e-3, 10)
        assert (solver.q == sim.q).all() and (solver.v == sim.v).all()
    with pytest.raises(rt.FileError):
        rt.restore(tmp_path / "none.ckpt")


def test_a_run_is_reported_and_judged(tmp_path):
    report = rt.chain(6, perturb=0.3).solver().run(0.02, 1e-3, frames=5, checkpoint=tmp_path / "run.ckpt").report
    assert report["steps"] == report["done"] == 20 and report["frames"] == report["measured"] == 5
    assert 0 <= report["drift_share"] < 1e-6 and np.isnan(report["step_advised"])
    rough = rt.chain(6, perturb=0.3).solver()
    with pytest.warns(RuntimeWarning, match=r"steps of 0\.05 s are too long: .* try 0\.0"):
        assert len(rough.run(1.0, 0.05)) == 21
    rough = rt.chain(6, perturb=0.3).solver()
    with pytest.raises(rt.DivergedError, match="drift|energy"):
        rough.run(1.0, 0.05, max_drift=1e-6)
    assert rough.trajectory.report["done"] == 20 and len(rough.trajectory) == 21


def test_what_a_force_raises_ends_the_run(tmp_path):
    def force(time, loads):
        if time > 0.005:
            raise RuntimeError("enough")

    sim = rt.chain(6).solver(user_forces=True)
    sim.set_force(force)
    with pytest.raises(RuntimeError, match="enough"):
        sim.run(0.01, 1e-3, out=tmp_path / "out.h5")
    assert sim.steps == sim.trajectory.report["done"] == 5 and len(sim.trajectory) == 6
    assert not rt.check(str(tmp_path / "out.h5"))["complete"] and rt.check(str(tmp_path / "out.h5"))["written"] == 6


def test_runs_record_in_several_threads(tmp_path):
    solvers = [rt.chain(20, perturb=0.1 * k).solver(threads=1) for k in range(4)]
    paths = [tmp_path / f"{k}.h5" for k in range(4)]
    threads = [
        threading.Thread(target=solver.run, args=(0.1, 1e-3), kwargs={"out": path, "checkpoint": f"{path}.ckpt", "every": 0.0})
        for solver, path in zip(solvers, paths)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    for solver, path in zip(solvers, paths):
        assert rt.check(str(path))["complete"]
        with rt.open(path) as out:
            assert (out.position[:] == solver.trajectory.position).all()


def test_progress_is_shown(capsys):
    rt.chain(3).solver().run(0.01, 1e-3, progress=True)
    assert "10/10" in capsys.readouterr().err
    rt.chain(3).solver().run(0.01, 1e-3)
    assert capsys.readouterr().err == ""


def test_names_in_a_recording_are_all_there(tmp_path, examples):
    model = rt.load(examples / "sling.json")
    model.solver().run(0.01, 1e-3, frames=2, out=tmp_path / "run.h5")
    with rt.open(tmp_path / "run.h5") as recording:
        assert recording.event[:].tolist() == [model.event_name(k).encode() for k in range(3)] and len(recording.event) == 3
        assert recording.event_time.shape == (2, 3) and len(recording.time) == 2


def test_a_closed_recording_says_so(tmp_path):
    rt.chain(3).solver().run(0.01, 1e-3, out=tmp_path / "run.h5")
    with rt.open(tmp_path / "run.h5") as recording:
        position = recording.position
        with pytest.raises(AttributeError, match="complet"):
            recording.complet = True
    assert recording.model.bodies == 3 and "(11, 3, 3), m" in repr(position)
    for ask in (lambda: recording.position, lambda: position[0]):
        with pytest.raises(rt.FileError, match="the recording is closed; open it again") as raised:
            ask()
        assert raised.value.status == "io"


def test_files_that_are_none(tmp_path):
    with pytest.raises(rt.FileError):
        rt.open(tmp_path / "none.h5")
    rt.chain(3).save(tmp_path / "model.h5")
    with pytest.raises(ValueError, match="not a recording"):
        rt.open(tmp_path / "model.h5")
    rt.chain(3).solver().run(0.01, 1e-3, out=tmp_path / "run.h5")
    damaged = bytearray((tmp_path / "run.h5").read_bytes())
    damaged[len(damaged) // 2] ^= 1
    (tmp_path / "run.h5").write_bytes(damaged)
    with pytest.raises(rt.FileError, match="damaged"):
        rt.open(tmp_path / "run.h5")


def test_without_h5py_the_error_says_what_to_install(tmp_path, monkeypatch):
    rt.chain(3).solver().run(0.01, 1e-3, out=tmp_path / "run.h5")
    monkeypatch.setitem(__import__("sys").modules, "h5py", None)
    with pytest.raises(ImportError, match=r"pip install h5py"):
        rt.open(tmp_path / "run.h5")


# ---- the axes of a recording ----------------------------------------------------------------------


def test_dimensions_have_scales(tmp_path):
    model = random_tree(2)
    model.solver().run(0.01, 1e-3, out=tmp_path / "run.h5")
    with h5py.File(tmp_path / "run.h5") as file:
        frames = file["frames"]
        axes = {"position": ("time", "body", "axis"), "orientation": ("time", "body", "quaternion"),
                "momentum": ("time", "axis"), "energy": ("time",), "coordinates": ("time", "coordinate"),
                "rates": ("time", "rate"), "checksum": ("time",)}  # fmt: skip
        for name, wanted in axes.items():
            assert tuple(d.keys()[0] for d in frames[name].dims) == wanted, name
            assert all(d[0].shape == (size,) for d, size in zip(frames[name].dims, frames[name].shape))
        assert [name.decode() for name in frames["body"]] == model.names
        assert b"".join(frames["axis"][:]) == b"xyz" and b"".join(frames["quaternion"][:]) == b"wxyz"
        first_q, first_v = model.layout()
        assert frames["coordinate"][:].tolist() == np.repeat(range(model.bodies), np.diff(first_q)).tolist()
        assert frames["rate"][:].tolist() == np.repeat(range(model.bodies), np.diff(first_v)).tolist()
        assert frames["position"].attrs["units"] == frames["position"].attrs["unit"] == b"m"


@pytest.mark.parametrize("engine, kind", [("h5netcdf", bytes), ("netcdf4", str)])
def test_xarray_knows_the_axes(tmp_path, engine, kind):
    xarray = pytest.importorskip("xarray")
    pytest.importorskip("h5netcdf" if engine == "h5netcdf" else "netCDF4")
    trajectory = rt.branch(50).solver().run(0.01, 1e-3, out=tmp_path / "run.h5")
    label = (lambda text: text.encode()) if kind is bytes else str
    with xarray.open_dataset(tmp_path / "run.h5", engine=engine, group="frames") as data:
        assert data.position.dims == ("time", "body", "axis") and data.position.attrs["units"] == "m"
        tip = data.position.sel(body=label("body49"), axis=label("z"))
        assert (tip.values == trajectory.position[:, trajectory.index("body49"), 2]).all()
        assert (data.time.values == trajectory.time).all()


def test_a_restored_solver_saves_the_loops_that_hold(examples, tmp_path):
    sim = rt.load(examples / "four-bar.json").solver()
    sim.set_loop("pivot", "released")
    sim.run(0.1, 1e-3)
    sim.checkpoint(tmp_path / "a.ckpt")
    restored = rt.restore(tmp_path / "a.ckpt")
    assert restored.active_loops == [False]
    restored.run(0.2, 1e-3, frames=3, out=tmp_path / "a.h5").save(tmp_path / "b.h5")
    with rt.open(tmp_path / "a.h5") as a, rt.open(tmp_path / "b.h5") as b:
        assert (a.position_violation[:] == 0).all() and (b.position_violation[:] == 0).all()


def test_loops_that_the_first_step_closes_are_not_blamed_on_it(examples):
    sim = rt.load(examples / "four-bar.json").solver()
    sim.q = sim.q + [0.1, 0, 0, 0]
    with pytest.warns(RuntimeWarning, match="loops were open at the start, by up to 0.0998 m or rad"):
        assert np.isnan(sim.run(0.5, 1e-3).report["step_advised"])
    with pytest.warns(RuntimeWarning, match="steps of 0.05 s are too long"):
        sim.run(2.5, 0.05)


def test_a_refused_run_keeps_the_last_trajectory(tmp_path):
    sim = rt.chain(3).solver()
    trajectory = sim.run(0.01, 1e-3, out=tmp_path / "a.h5")
    for given in ({"out": tmp_path / "a.h5"}, {"max_drift": -1}):
        with pytest.raises(rt.Error):
            sim.run(0.02, 1e-3, **given)
        assert sim.trajectory is trajectory


def test_recordings_are_arrays_for_numpy_and_pandas(tmp_path):
    pandas = pytest.importorskip("pandas")
    trajectory = rt.chain(3, hinge="revolute").solver().run(0.01, 1e-3, out=tmp_path / "a.h5")
    with rt.open(tmp_path / "a.h5") as recording:
        table = pandas.DataFrame({"t": recording.time, "energy": recording.energy})
        assert (table.energy.to_numpy() == trajectory.energy).all() and recording.q.ndim == 2
        assert len(list(recording.time)) == 11 and {"q", "v", "position"} <= set(dir(recording))


def test_frames_that_are_not_finite_leave_no_file(tmp_path):
    trajectory = rt.chain(3).solver().run(0.01, 1e-3)
    trajectory.q[5] = np.nan
    with pytest.raises(ValueError, match="frame 5: q or v has numbers that are not finite"):
        trajectory.save(tmp_path / "a.h5")
    assert not (tmp_path / "a.h5").exists()
