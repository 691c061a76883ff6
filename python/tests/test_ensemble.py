"""Ensembles: members as alone, files, tables, failures, Ctrl-C."""

import numpy as np
import pytest

import riccatree as rt


def arms(arm, members=12, **options) -> rt.Ensemble:
    return rt.Ensemble(arm, members, seed=7, **options).vary("bodies.link7.mass", rt.normal(0.7, 0.05))


def test_members_are_as_each_alone(arm):
    ensemble = arms(arm, perturb=0.1)
    results = ensemble.run(0.05, dt=1e-3, frames=3, track=["link7"])
    assert len(results) == ensemble.members == 12 and (results.status == 0).all() and results.text == [""] * 12
    for k in (0, 5, 11):
        model = ensemble.member(k)
        assert model.body("link7")["mass"] == results.parameters[k, 0] == ensemble.parameters(k)[0]
        sim = model.solver(segment="whole")
        trajectory = sim.run(0.05, 1e-3, frames=3)
        assert (results.q[k] == sim.q).all() and (results.v[k] == sim.v).all()
        assert (results.series_position[k, :, 0] == trajectory.position[:, sim.index("link7")]).all()
        assert results.series_energy[k] == pytest.approx(trajectory.energy - trajectory.potential[0], rel=1e-12, abs=1e-12)
    one = ensemble.run(0.05, dt=1e-3, frames=3, track="link7")
    assert np.array_equal(one.series_position, results.series_position)
    alone = ensemble.run(0.05, dt=1e-3, first=5, count=1)
    assert alone.members.tolist() == [5] and (alone.q[0] == results.q[5]).all()


def test_draws_depend_on_the_seed(arm):
    masses = arms(arm, members=4000).run(1e-3, dt=1e-3).parameters[:, 0]
    assert abs(masses.mean() - 0.7) < 0.005 and abs(masses.std() - 0.05) < 0.005
    assert (arms(arm).parameters(3) == masses[3]).all()
    assert rt.Ensemble(arm, 12, seed=8).vary("bodies.link7.mass", rt.normal(0.7, 0.05)).parameters(3) != masses[3]


def test_grids_make_combinations(arm):
    ensemble = rt.Ensemble(arm).vary("gravity[2]", "-9:-3:3").vary("bodies.link1.mass", rt.grid(1, 2, 2))
    assert ensemble.members == 6
    assert [ensemble.parameters(k).tolist() for k in (0, 1, 2, 5)] == [[-9, 1], [-9, 2], [-6, 1], [-3, 2]]
    low = rt.Ensemble(arm, 50).vary("bodies.link1.mass", rt.uniform(1, 2)).run(1e-3, dt=1e-3).parameters
    assert (low >= 1).all() and (low < 2).all()


def test_files_hold_the_results(arm, tmp_path):
    results = arms(arm).run(0.01, dt=1e-3, out=tmp_path / "sweep.h5")
    again = rt.results(tmp_path / "sweep.h5")
    for name in ("status", "time", "energy", "energy_drift", "parameters"):
        assert np.array_equal(getattr(again, name), getattr(results, name), equal_nan=True)
    assert again.paths == results.paths == ["bodies.link7.mass"] and again.text == results.text
    assert rt.check(str(tmp_path / "sweep.h5"))["complete"]
    with pytest.raises(rt.FileError, match="exists"):
        arms(arm).run(0.01, dt=1e-3, out=tmp_path / "sweep.h5")
    arms(arm).run(0.01, dt=1e-3, out=tmp_path / "sweep.h5", overwrite=True)


def test_a_table(arm, monkeypatch):
    results = arms(arm).run(0.01, dt=1e-3)
    pandas = pytest.importorskip("pandas")
    table = results.to_pandas()
    assert isinstance(table, pandas.DataFrame) and len(table) == 12 and (table["status"] == "ok").all()
    assert (table["bodies.link7.mass"] == results.parameters[:, 0]).all() and (table["q[3]"] == results.q[:, 3]).all()
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    with pytest.raises(ImportError, match=r"pip install pandas"):
        results.to_pandas()


def test_a_member_that_fails_stops_no_other(arm):
    ensemble = rt.Ensemble(arm).vary("bodies.link1.mass", rt.grid(-1, 1, 3))
    results = ensemble.run(0.01, dt=1e-3)
    assert [bool(s) for s in results.status] == [True, True, False]
    assert [rt.Status(s).name for s in results.status] == ["model", "model", "ok"] and rt.Status.pending == rt.PENDING == -1
    assert "mass" in results.text[0] and np.isnan(results.q[0]).all() and np.isfinite(results.q[2]).all()
    assert "1 at their end" in repr(results)


@pytest.mark.parametrize(
    "ask, error, text",
    [
        (lambda e: e.vary("bodies.nobody.mass", rt.normal(1, 1)).run(0.01, 1e-3), rt.ArgumentError, "nobody"),
        (lambda e: e.vary("gravity", "1:2"), rt.ArgumentError, ""),
        (lambda e: e.run(0.0105, 1e-3), ValueError, "whole number"),
        (lambda e: e.run(0.01, 1e-3, first=12), ValueError, "0 members from 12 on"),
        (lambda e: e.run(0.01, 1e-3, count=0), ValueError, "members"),
        (lambda e: e.run(0.01, 1e-3, frames=99), rt.ArgumentError, ""),
        (lambda e: e.run(0.01, 1e-3, track=["nobody"]), KeyError, "nobody"),
        (lambda e: e.run(0.01, 1e-3, colour="red"), TypeError, "colour"),
        (lambda e: e.run(0.01, 1e-3, threads=2.5), TypeError, "threads: 2.5 is not a whole number"),
        (lambda e: e.run(0.01, 1e-3, batch="a"), TypeError, "batch: 'a' is not a whole number"),
        (lambda e: e.run(0.01, 1e-3, first=0.5), TypeError, "first: 0.5 is not a whole number"),
        (lambda e: e.run(0.01, 1e-3, count=1.0), TypeError, "count: 1.0 is not a whole number"),
        (lambda e: e.run(0.01, 1e-3, frames=2.5), TypeError, "frames"),
        (lambda e: e.run(0.01, 1e-3, frames=-1), rt.ArgumentError, "-1 frames; give from 2 to"),
        (lambda e: e.run(0.01, 1e-3, frames=10**9), rt.ArgumentError, "no more than 11 states in 10 steps"),
        (lambda e: e.vary("gravity[2]", rt.grid(0, 1, 2.5)).members, TypeError, "gravity[2]: 2.5 is not a whole number"),
        (lambda e: e.vary("gravity[2]", rt.normal("a", 1)).members, TypeError, "gravity[2]: 'a' is not a number"),
        (lambda e: e.vary(5, rt.normal(1, 1)).members, TypeError, "path: 5 is not text"),
        (lambda e: e.vary("gravity[2]", (0, 1)), TypeError, "values: (0, 1) must be a grid, normal, uniform or a text"),
        (lambda e: e.vary("bodies.rodd.mass", rt.normal(1, 1)), rt.ArgumentError, '"bodies.rodd.mass": no body has that name'),
        (lambda e: rt.Ensemble(e.model, 1.5), TypeError, "members: give a whole number, not 1.5"),
        (lambda e: rt.Ensemble(e.model, 2, seed=-1), rt.ArgumentError, "seed: give 0 or more, not -1"),
        (lambda e: rt.Ensemble(e.model, 2, perturb=float("nan")), rt.ArgumentError, "perturb is nan; give 0 or a positive number"),
        (lambda e: rt.Ensemble(e.model, 2, perturb="a"), TypeError, "perturb: 'a' is not a number"),
        (lambda e: e.run(0.01, 1e-3, threads=-1), rt.ArgumentError, "threads: give 0 to 1024, not -1"),
        (lambda e: e.run(0.01, 1e-3, batch=-1), rt.ArgumentError, "batch: give 0 to 1048576, not -1"),
        (lambda e: e.run(0.01, 1e-3, tolerance=1e-6), rt.ArgumentError, "tolerance: it needs steps with error control"),
        (lambda e: e.run(0.01, 1e-3, out="x.csv"), rt.ArgumentError, "x.csv: results are written in HDF5; name it x.h5"),
        (lambda e: e.run("a", 1e-3), TypeError, "t_end: 'a' is not a number"),
        (lambda e: e.run(0.01, 1e-3, overwrite="a"), TypeError, "overwrite: 'a' is not True or False"),
        (lambda e: e.run(0.01, 1e-3, user_forces=True), rt.ArgumentError, "members have no forces of the user"),
        (lambda e: rt.Ensemble(e.model, 0), ValueError, "members: give 1 or more, not 0"),
    ],
)
def test_errors(arm, ask, error, text):
    with pytest.raises(error) as raised:
        ask(arms(arm))
    assert text in str(raised.value)


def test_a_refused_run_keeps_the_results(arm):
    ensemble = arms(arm)
    results = ensemble.run(0.01, 1e-3)
    with pytest.raises(rt.ArgumentError):
        ensemble.run(0.01, 1e-3, track=[0])
    assert ensemble.results is results


def test_ctrl_c_keeps_members_that_are_done(arm, tmp_path, interrupt):
    ensemble = arms(arm, members=100_000)
    interrupt(64 * 50 * 8, "ensemble")
    with pytest.raises(KeyboardInterrupt):
        ensemble.run(0.05, dt=1e-3, out=tmp_path / "sweep.h5", batch=64)
    results = ensemble.results
    done = results.status == 0
    assert 0 < done.sum() < 100_000 and (results.status[~done] == rt.PENDING).all()
    assert np.isfinite(results.q[done]).all() and np.isnan(results.q[~done]).all()
    assert not rt.check(str(tmp_path / "sweep.h5"))["complete"]
    assert (rt.results(tmp_path / "sweep.h5").status == results.status).all()


def test_loops_open_at_the_start_are_a_warning():
    words = r"the loops of 3 of 3 members were open by up to 0\.\d+ m or rad, and were closed: positions and rates are not those given"
    with pytest.warns(RuntimeWarning, match=words):
        rt.Ensemble(rt.fourbars(3), 3, perturb=0.1).run(0.002, 1e-3)


def test_progress_is_shown(arm, capsys):
    arms(arm).run(0.01, dt=1e-3, progress=True)
    assert "120/120" in capsys.readouterr().err


def test_events_happen_to_members_as_in_a_run(examples):
    model = rt.load(examples / "sling.json")
    results = rt.Ensemble(model, 1).run(1.6, 1e-3)
    sim = model.solver()
    sim.step(1e-3, 1600)
    assert sim.events["cut"] == (1, 1.5) and sim.active_loops == [False, False]
    assert results.status[0] == 0 and (results.q[0] == sim.q).all() and (results.v[0] == sim.v).all()


def test_series_have_their_times(tmp_path):
    results = rt.Ensemble(rt.chain(3), members=2, perturb=0.1).run(0.007, 1e-3, frames=4, out=tmp_path / "a.h5")
    h5py = pytest.importorskip("h5py")
    with h5py.File(tmp_path / "a.h5") as file:
        assert (results.series_time == file["series/time"][:]).all()
    assert results.series_energy.shape == (2, len(results.series_time)) and results.series_time[-1] == pytest.approx(0.007)
