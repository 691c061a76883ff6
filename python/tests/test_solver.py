"""Solvers: state in and out, forces of the user, loops."""

import gc
import math
import threading
import time
import warnings
import weakref

import numpy as np
import pytest
from conftest import random_tree

import riccatree as rt


def test_arrays_have_rows_of_bodies_and_go_where_they_are_told(arm):
    sim = arm.solver()
    n, dof = sim.info["bodies"], sim.info["dof"]
    for name, shape in {"q": (7,), "v": (dof,), "a": (dof,), "position": (n, 3), "orientation": (n, 4),
                        "hinge_force": (n, 3), "outboard": (n, 12)}.items():  # fmt: skip
        out = np.full(shape, np.nan)
        assert sim.read(name, out=out) is out and np.isfinite(out).all()
        assert (sim.read(name) == out).all()
    assert (sim.position == sim.read("position")).all()
    a = np.empty(dof)
    assert sim.forward(sim.q, sim.v, out=a) is a
    for wrong in (np.empty(dof + 1), np.empty(dof, dtype=np.float32), np.empty(2 * dof)[::2], [0.0] * dof):
        with pytest.raises(ValueError, match="out"):
            sim.read("a", out=wrong)
    readonly = np.empty(dof)
    readonly.flags.writeable = False
    with pytest.raises(ValueError, match="writable"):
        sim.read("a", out=readonly)
    with pytest.raises(KeyError, match="position"):
        sim.read("places")


def test_state_is_set_as_a_whole_or_in_part(arm):
    sim = arm.solver()
    sim.q = np.arange(7) / 10
    sim.v = [1, 2, 3, 4, 5, 6, 7]
    assert sim.q.tolist() == (np.arange(7) / 10).tolist() and sim.v.tolist() == [1, 2, 3, 4, 5, 6, 7]
    sim.set(v=np.zeros(7))
    assert not sim.v.any() and sim.q[1] == 0.1
    with pytest.raises(ValueError, match=r"q: an array of shape \(7,\)"):
        sim.q = np.zeros(8)
    for call in (lambda: setattr(sim, "q", 1.0), lambda: sim.set(v=0), lambda: sim.mass_times(1.0)):
        with pytest.raises(ValueError, match=r"an array of shape \(7,\) is needed, not \(\)"):
            call()
    with pytest.raises(rt.ArgumentError):
        sim.q = np.full(7, np.nan)
    assert sim.q[1] == 0.1
    sim.time = 2.0
    assert sim.time == 2.0


def test_names_are_indices():
    model = random_tree(1)
    sim = model.solver()
    assert sim.index("body3") == 3 and sim.q_index("body0") == slice(0, 7) and sim.v_index(0) == slice(0, 6)
    v = np.arange(sim.info["dof"], dtype=float)
    sim.v = v
    assert (sim.angular_velocity[0] == v[sim.v_index("body0")][:3]).all()
    with pytest.raises(KeyError, match="nobody"):
        sim.index("nobody")
    for none in ("ground", None, -1, -2, model.bodies):
        for call in (sim.index, sim.q_index, sim.jacobian):
            with pytest.raises(KeyError, match="is not a body"):
                call(none)


def test_results_are_those_of_the_present_state(arm):
    sim = arm.solver()
    before = sim.a
    sim.step(1e-2, 10)
    assert np.isfinite(sim.a).all() and (sim.a != before).any()
    fresh = arm.solver()
    assert (fresh.forward(sim.q, sim.v) == sim.a).all()


def test_many_states_are_as_each_alone(arm):
    sim = arm.solver(user_forces=True)
    draw = np.random.default_rng(3)
    q, v, tau = draw.normal(size=(3, 5, 7))
    together = sim.forward(q, v, tau)
    assert together.shape == (5, 7)
    for k in range(5):
        assert (sim.forward(q[k], v[k], tau[k]) == together[k]).all()
    assert (sim.forward(q.tolist(), v, 0) == sim.forward(q, v)).all()
    with pytest.raises(ValueError, match="tau"):
        sim.forward(q, v, np.zeros(3))
    for wrong in (q[:, :1], q[0, :1], q[:1], q[None]):
        with pytest.raises(ValueError, match="v"):
            sim.forward(q, wrong)
    with pytest.raises(rt.UnsupportedError, match="user_forces"):
        arm.solver().forward(q, v, tau)


def test_results_may_go_where_arguments_are(arm):
    sim = arm.solver(user_forces=True)
    x = np.random.default_rng(4).normal(size=(3, 7))
    for call in (sim.mass_times, sim.mass_solve, lambda x, out=None: sim.acceleration_tangent(x, x, x, out=out),
                 lambda x, out=None: sim.forward(x, x, x, out=out)):  # fmt: skip
        wanted, room = call(x), np.zeros((5, 7))
        for first in range(3):
            room[1:4] = x
            assert (call(room[1:4], out=room[first : first + 3]) == wanted).all()
    loads = np.random.default_rng(5).normal(size=(2, 7, 3))
    wanted, rows = sim.jacobian_transposed(*loads), loads.copy()
    for part in rows.reshape(-1)[7:14], rows.reshape(-1)[28:35]:
        assert (sim.jacobian_transposed(*rows, out=part) == wanted).all()
        rows[...] = loads


def test_efforts_stay_until_they_are_set_again(arm):
    sim = arm.solver(user_forces=True)
    free, tau = sim.a, np.arange(7.0)
    sim.set_efforts(tau)
    assert (sim.a == arm.solver(user_forces=True).forward(sim.q, sim.v, tau)).all()
    sim.set_efforts(None)
    assert (sim.a == free).all()


def test_measures(arm):
    sim = arm.solver()
    sim.v = np.ones(7)
    measures = sim.measure()
    assert measures.kinetic == pytest.approx(0.5 * sim.v @ sim.mass_matrix() @ sim.v)
    assert measures.energy == measures.kinetic + measures.potential and measures.momentum.shape == (3,)
    report = sim.check_step(1e-3)
    assert report["dt"] == 1e-3 and 0 <= report["error"] < 1e-3


# ---- forces of the user ---------------------------------------------------------------------------


def test_a_function_does_what_a_force_of_the_model_does():
    plain = rt.chain(5)
    loaded = rt.chain(5)
    loaded.add_force(body=3, force=(1, 2, 3), moment=(0.3, 0.2, 0.1))
    wanted = loaded.solver().acceleration

    def push(_time, loads):
        loads.force[-1] += (1, 2, 3)
        loads.moment[-1] += (0.3, 0.2, 0.1)

    def push_all(_time, loads):
        loads.force[3], loads.moment[3] = (1, 2, 3), (0.3, 0.2, 0.1)

    sim = plain.solver(user_forces=True)
    sim.set_force(push, bodies=["body1", "body3"])
    assert sim.acceleration == pytest.approx(wanted, rel=1e-12, abs=1e-12)
    sim.set_force(push_all)
    assert sim.acceleration == pytest.approx(wanted, rel=1e-12, abs=1e-12)


    def assign(_time, loads):
        force = np.zeros(loads.force.shape)
        force[3] = 1, 2, 3
        loads.force = force
        loads.moment += np.outer((0, 0, 0, 1, 0), (0.3, 0.2, 0.1))

    sim.set_force(assign)
    assert sim.acceleration == pytest.approx(wanted, rel=1e-12, abs=1e-12)
    sim.set_force(None)
    assert (sim.acceleration == plain.solver().acceleration).all()


def test_a_function_sees_the_state():
    sim = rt.chain(4, perturb=0.5).solver(user_forces=True)
    seen = []
    sim.set_force(lambda t, loads: seen.append((t, loads.position.copy(), loads.velocity.copy(), loads.orientation.copy())))
    sim.time = 1.5
    sim.evaluate()
    assert len(seen) == 1 and seen[0][0] == 1.5
    assert all((a == b).all() for a, b in zip(seen[0][1:], (sim.position, sim.velocity, sim.orientation)))
    sim.step(1e-3, 3)
    assert len(seen) == 13


def test_what_a_function_raises_comes_out_and_the_step_is_taken_back():
    sim = rt.chain(4, perturb=0.5).solver(user_forces=True)

    class Stop(Exception):
        pass

    def late(t, _loads):
        if t > 0.0055:
            raise Stop("enough")

    sim.set_force(late)
    with pytest.raises(Stop, match="enough"):
        sim.step(1e-3, 10)
    assert sim.time == pytest.approx(0.005)
    other = rt.chain(4, perturb=0.5).solver(user_forces=True)
    other.step(1e-3, 5)
    assert (other.q == sim.q).all()
    sim.set_force(None)
    sim.step(1e-3)


def test_a_function_may_not_call_its_solver():
    sim = rt.chain(4).solver(user_forces=True)
    sim.set_force(lambda _t, _loads: sim.position)
    with pytest.raises(rt.ArgumentError, match="one call at a time"):
        sim.evaluate()


def test_one_body_need_not_be_in_a_list():
    for one in ("body3", 3, np.int64(3), ["body3"], np.array([3])):
        sim = rt.chain(5).solver(user_forces=True)
        sim.set_force(lambda _t, loads: seen.append(loads.force.shape), bodies=one)
        seen = []
        sim.evaluate()
        assert seen == [(1, 3)]
    with pytest.raises(KeyError, match='there is no body "rod"'):
        sim.set_force(lambda _t, loads: None, bodies="rod")


def test_functions_are_refused_in_words():
    with pytest.raises(rt.UnsupportedError, match="user_forces"):
        rt.chain(4).solver().set_force(lambda t, loads: None)
    sim = rt.chain(4).solver(user_forces=True)
    with pytest.raises(TypeError, match="function"):
        sim.set_force(3)
    with pytest.raises(ValueError, match="order"):
        sim.set_force(lambda t, loads: None, bodies=[2, 1])


def test_a_solver_in_a_circle_with_its_function_goes():
    sim = rt.chain(4).solver(user_forces=True)
    sim.set_force(lambda t, loads, sim=sim: None)
    gone = weakref.ref(sim)
    del sim
    gc.collect()
    assert gone() is None


# ---- threads --------------------------------------------------------------------------------------


def test_other_threads_run_while_it_computes_and_are_refused_by_it():
    sim = rt.chain(20000).solver(threads=1)
    done, refused, turns = threading.Event(), [], 0

    def work():
        sim.step(1e-6, 60)
        done.set()

    thread = threading.Thread(target=work)
    thread.start()
    time.sleep(0.05)
    while not done.is_set():
        turns += 1
        try:
            sim.read("q")
        except rt.ArgumentError as error:
            refused.append(str(error))
        time.sleep(0.001)
    thread.join()
    assert turns > 10 and refused and "one call at a time" in refused[0]


# ---- loops ----------------------------------------------------------------------------------------


def test_loops_are_closed_released_and_attached(examples):
    model = rt.load(examples / "four-bar.json")
    sim = model.solver()
    info = sim.loop_info
    assert info["active"] == model.loops > 0 and info["position"] < 1e-9
    force, moment, effort = sim.loop_forces()
    assert force.shape == moment.shape == (model.loops, 3) and effort.shape == (model.loops,) and np.isfinite(force).all()
    (one,) = sim.aggregates()
    assert one["body"] == -1 and len(one["bodies"]) == 3 and one["loops"] == [0]
    assert (one["rates"], one["constraints"], one["rank"], one["independent"], one["redundant"]) == (3, 2, 2, 1, 0)
    sim.set_loop(0, "released")
    assert sim.loop_info["active"] == model.loops - 1 and sim.aggregates() == []
    sim.step(1e-3, 100)
    with pytest.raises(rt.LoopError):
        sim.set_loop(0)
    sim.set_loop(0, "pulled")
    assert sim.loop_info["active"] == model.loops and sim.loop_info["position"] < 1e-9
    sim.assemble()
    with pytest.raises(KeyError):
        sim.set_loop("no loop")
    with pytest.raises(KeyError, match="there is no state 'open': give one of released, attached, pulled"):
        sim.set_loop(0, "open")


def test_loops_open_at_the_start_are_a_warning(tmp_path):
    model = rt.fourbars(3, perturb=0.1)
    words = r"closed at the start, from 0\.\d+ m or rad at loop0, 0\.\d+ m/s or rad/s at loop0: positions and rates are not those given"
    with pytest.warns(RuntimeWarning, match=words):
        sim = model.solver()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.solver(as_given=True)
        rt.fourbars(3).solver()
        sim.checkpoint(tmp_path / "a.ckpt")
        rt.restore(tmp_path / "a.ckpt")


def test_events_happen_in_steps(tmp_path):
    model = rt.Model("slide")
    model.gravity = (0, 0, 0)
    model.add_body("slide", hinge="prismatic", hinge_axis=(0, 0, 1), mass=1.0, inertia=(1, 1, 1), stiffness=1.0, position=-1.0)
    model.add_body("arm", parent="slide", hinge="revolute", hinge_axis=(0, 0, 1), mass=1.0, inertia=(1, 1, 1))
    model.add_loop("relation", name="lock", terms=[("slide", 0, 1.0)], active=False)
    assert model.loosen("arm") == 1 and model.body("arm")["hinge"] == "free" and model.loop(1)["name"] == "arm hinge"
    locks = model.add_event("coordinate", name="locks", body="slide", value=0.0, loop="lock", state="attached")
    parts = model.add_event("time", value=2.5, loop=1, state="released")
    assert (locks, parts, model.events) == (0, 1, 2) and model.event(locks)["way"] == "rises"
    assert model.event_name(parts) == "event1" and "of" not in model.event(parts)
    sim = model.solver()
    assert sim.active_loops == [False, True] and sim.events["locks"][0] == 0 and math.isnan(sim.events["locks"][1])
    sim.step(0.01, 300)
    assert sim.active_loops == [True, False] and sim.events["event1"] == (1, 2.5)
    assert abs(sim.events["locks"][1] - math.pi / 2 * math.sqrt(2)) < 1e-8 and abs(sim.q[0]) < 1e-12
    with pytest.raises(ValueError, match="the model has events"):
        model.solver().run(0.1, 0.01).save(tmp_path / "x.h5")
    force = model.add_event("force", value=10.0, loop="lock", state="released")
    assert model.event(force)["of"] == 0 and model.event(model.add_event("force", value=1.0, loop=0, of="arm hinge",
                                                                        state="released"))["of"] == 1
    for wrong, says in (
        (dict(type="time", value=1.0, loop="lock", state="open"), "is not one of: released, attached, pulled"),
        (dict(type="time", value=1.0, loop="lock", state="released", of="lock"), "only an event of type force watches a loop"),
        (dict(type="time", value=0.0, loop="lock", state="released"), "must be after the start"),
    ):
        with pytest.raises(ValueError, match=says):
            model.add_event(**wrong)
    with pytest.raises(KeyError):
        model.add_event("time", value=1.0, loop="no loop", state="released")


# ---- cost -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("ask, error, words", [
    (lambda s: setattr(s, "time", "abc"), TypeError, "time: 'abc' is not a number"),
    (lambda s: setattr(s, "time", None), TypeError, "time: None is not a number"),
    (lambda s: s.step("a"), TypeError, "dt: 'a' is not a number"),
    (lambda s: s.step(1e-3, 1.5), TypeError, "steps: 1.5 is not a whole number"),
    (lambda s: s.check_step("a"), TypeError, "dt: 'a' is not a number"),
    (lambda s: s.modes(1.5), TypeError, "count: 1.5 is not a whole number"),
    (lambda s: s.modes(1), rt.ArgumentError, r"find the equilibrium first \(`equilibrium\(\)`\)"),
    (lambda s: s.model.body(None), rt.ArgumentError, "no body -1"),
])
def test_other_arguments_are_named(ask, error, words):
    with pytest.raises(error, match=words):
        ask(rt.chain(3, perturb=0.1).solver())


def test_a_step_from_python_costs_at_most_5_us_more(arm):
    sim = arm.solver(threads=1)
    calls, one, many = 2000, [], []
    for _ in range(7):
        start = time.thread_time()
        for _ in range(calls):
            sim.step(1e-6)
        one.append((time.thread_time() - start) / calls)
        start = time.thread_time()
        sim.step(1e-6, calls)
        many.append((time.thread_time() - start) / calls)
    assert min(one) - min(many) < 5e-6


def test_a_state_that_runs_away_is_an_error_with_its_step():
    sim = rt.chain(3, perturb=1.0).solver()
    with pytest.raises(rt.DivergedError, match="step") as raised:
        sim.step(10.0, 1000)
    assert raised.value.step >= 0 and isinstance(raised.value, ArithmeticError)
    assert np.isfinite(sim.q).all()


def test_misspelt_attributes_are_refused(arm):
    sim = arm.solver()
    trajectory = sim.run(0.002, 1e-3)
    ensemble = rt.Ensemble(arm, 2, perturb=0.1)
    for thing, name in ((arm, "gravty"), (sim, "integrator"), (sim, "tim"), (trajectory, "modl"), (ensemble, "sead"),
                        (ensemble.run(0.001, 1e-3), "txt")):  # fmt: skip
        with pytest.raises(AttributeError, match=name):
            setattr(thing, name, 3)
        assert weakref.ref(thing)() is thing


def test_repr(arm):
    assert "7 degrees of freedom" in repr(arm.solver())


def test_repr_of_a_solver_at_work():
    said = []
    sim = rt.chain(2).solver(user_forces=True)
    sim.set_force(lambda _t, _loads: said.append(repr(sim)))
    sim.step(1e-3)
    assert said[0].endswith("abi on cpu, at work>") and repr(sim).endswith("t = 0.001 s>")
