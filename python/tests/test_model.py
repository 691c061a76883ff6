"""Models: built, loaded, written, refused."""

import copy
import pickle

import numpy as np
import pytest

import riccatree as rt


def pendulum() -> rt.Model:
    model = rt.Model("pendulum")
    model.add_body("bob", mass=1.0, com=(0, 0, -1), inertia=(0.01, 0, 0.01), orientation=(1, 0, 1, 0))
    return model


def test_a_pendulum_moves_as_the_readme_says():
    sim = pendulum().solver()
    sim.step(1e-3, 1000)
    w, _, y, _ = sim.q
    assert -2 * w * y == pytest.approx(0.986291751, abs=1e-9)
    assert 2 * y * y - 1 == pytest.approx(-0.165010853, abs=1e-9)


def test_fields_are_as_given_and_defaults_elsewhere():
    model = rt.Model()
    model.add_body("base", hinge="revolute", mass=2.0, inertia=(1, 1, 1), hinge_axis=[0, 2, 0], damping=0.5)
    tip = model.add_body(parent="base", hinge="prismatic", hinge_axis=(0, 0, 1), mass=np.float64(1.0), inertia=(0, 0, 0), hinge_at=np.array([1, 0, 0]))
    body = model.body("base")
    assert (body["hinge"], body["parent"], body["mass"], body["name"]) == ("revolute", -1, 2.0, "base")
    assert body["hinge_axis"].tolist() == [0, 1, 0] and body["damping"].tolist() == [0.5, 0, 0]
    assert model.body(tip)["parent"] == 0 and model.names == ["base", "body1"] and model.index("body1") == tip
    assert len(model) == 2 and "2 bodies" in repr(model)
    assert [first.tolist() for first in model.layout()] == [[0, 1, 2], [0, 1, 2]]


@pytest.mark.parametrize("ending", ["json", "h5"])
def test_forces_at_hinges_and_driven_relations_are_as_given_and_saved(tmp_path, ending):
    model = rt.Model()
    model.add_body("arm", hinge="revolute", hinge_axis=(0, 1, 0), mass=1, com=(0, 0, -0.5), inertia=(1, 1, 1))
    model.add_force("friction", body="arm", coulomb=1.0, slip=0.1)
    model.add_force("curve", body="arm", over="rate", table=[(-1, 2), (0, 0), (1, -2)])
    model.add_force("drag", body="arm", end=(0, 0, -1), diameter=0.1, density=1000.0, normal=1.0, current=(1, 0, 0))
    model.add_loop("relation", terms=[("arm", 0, 1.0)], active=False, table=[(0, 0), (1, 0.5)])
    model.add_loop("relation", terms=[("arm", 0, 1.0)], active=False, amplitude=0.5, angular_frequency=2.0)
    model.save(tmp_path / f"m.{ending}")
    for own in (model, rt.load(tmp_path / f"m.{ending}")):
        assert own.force(0)["coulomb"] == 1.0 and own.force(0)["table"] is None
        assert own.force(1)["over"] == "rate" and own.force(1)["table"] == [(-1, 2), (0, 0), (1, -2)]
        assert own.force(2)["type"] == "drag" and own.force(2)["current"].tolist() == [1, 0, 0]
        assert own.loop(0)["table"] == [(0, 0), (1, 0.5)] and own.loop(1)["amplitude"] == 0.5
    with pytest.raises(rt.ModelError, match="first number"):
        model.add_force("curve", body="arm", table=[(0, 1), (0, 2)])


def test_forces_loops_ground_and_gravity_are_as_given():
    model = rt.Model()
    for k in range(3):
        model.add_body(f"b{k}", parent=k - 1 if k else "ground", hinge="revolute", hinge_axis=(0, 0, 1), mass=1, inertia=(1, 1, 1), hinge_at=(1, 0, 0))
    assert model.add_force("spring", body="b0", other="b2", stiffness=2.0) == 0
    assert model.add_loop("ball", name="closing", body="b2", other=None, other_at=(3, 0, 0)) == 0
    assert model.add_loop("relation", terms=[("b0", 0, 1.0), ("b1", 0, -2.0)], active=False) == 1
    model.gravity = (1, 2, 3)
    model.set_base(table=[[0, 0, 0, 0, 0], [1, 0, 0, 0, 2]])
    assert model.force(0)["stiffness"] == 2.0 and model.force(0)["other"] == 2
    assert model.loop(0)["name"] == "closing" and model.loop_number("closing") == 0
    assert model.loop(1)["terms"] == [(0, 0, 1.0), (1, 0, -2.0)] and not model.loop(1)["active"]
    assert model.gravity.tolist() == [1, 2, 3]
    assert model.base_motion(1.0)["orientation"] == pytest.approx([np.cos(1), 0, 0, np.sin(1)])


@pytest.mark.parametrize("ending", ["json", "h5"])
def test_shapes_are_as_given_and_saved(tmp_path, ending):
    model = rt.Model()
    matter = {"mass": 1.0, "inertia": (1, 1, 1)}
    model.add_body("a", **matter)
    model.add_body("b", parent="a", **matter, shapes=[{"type": "sphere", "radius": 0.5}, {"type": "box", "size": (1, 2, 3), "at": (0, 0, -1)}])
    assert model.add_shape("capsule", body="a", radius=0.1, length=2, orientation=(0, 0, 2, 0)) == 0
    model.save(tmp_path / f"m.{ending}")
    for own in (model, rt.load(tmp_path / f"m.{ending}")):
        sphere, box = own.shapes("b")
        assert (sphere["type"], sphere["radius"], sphere["body"]) == ("sphere", 0.5, 1)
        assert box["size"].tolist() == [1, 2, 3] and box["at"].tolist() == [0, 0, -1]
        assert own.shapes("a")[0]["orientation"].tolist() == [0, 0, 1, 0] and own.shapes(0)[0]["length"] == 2.0
    with pytest.raises(rt.ModelError, match='body 0 "a": shape 1: radius, length and edges must be positive'):
        model.add_shape("sphere", body=0)
    with pytest.raises(ValueError, match='"mesh" is not one of: capsule, box, sphere, cylinder'):
        model.add_shape("mesh", body=0)
    with pytest.raises(rt.ModelError, match='"c": shape 1: radius, length and edges must be positive'):
        model.add_body("c", **matter, shapes=[{"type": "sphere", "radius": 0.5}, {"type": "sphere"}])
    assert model.bodies == 2 and len(model.shapes("b")) == 2


@pytest.mark.parametrize("ending", ["json", "h5"])
def test_saving_and_loading_gives_the_same_model(tmp_path, ending):
    model = rt.random(20, hinge="planar", perturb=0.3, seed=4)
    model.save(tmp_path / f"m.{ending}")
    with pytest.raises(rt.ArgumentError, match="m.csv: a model is written in JSON or HDF5; name it .*m.json"):
        model.save(tmp_path / "m.csv")
    again = rt.load(tmp_path / f"m.{ending}")
    for k in range(20):
        one, other = model.body(k), again.body(k)
        assert all(np.array_equal(one[f], other[f]) for f in one)
    assert (model.solver().a == again.solver().a).all()


def test_models_of_other_programs(examples):
    arm = rt.load(examples / "arm7.urdf")
    assert arm.index("link7") == arm.names.index("link7")
    with pytest.raises(rt.ModelError, match='"base": it moves and has no mass'):
        rt.load(examples / "arm7.urdf", floating_root=True)
    assert len(rt.load(examples / "figure17.xml")) > 0


def test_what_is_ignored_is_a_warning(tmp_path):
    path = tmp_path / "m.xml"
    path.write_text(
        '<mujoco><worldbody><body name="a"><joint type="hinge" axis="0 1 0" springdamper="1 1" frictionloss="1"/>'
        '<inertial pos="0 0 -1" mass="1" diaginertia="1 1 1"/></body></worldbody></mujoco>'
    )
    with pytest.raises(rt.UnsupportedError, match="springdamper"):
        rt.load(path)
    with pytest.warns(UserWarning) as told:
        assert len(rt.load(path, ignore_unsupported=True)) == 1
    assert ["springdamper" in str(w.message) for w in told] == [True, False]
    assert "1 coordinate has dry friction, regularized" in str(told[1].message)


def test_families(examples):
    assert set(rt.families) >= {"chain", "branch", "ladder"}
    assert rt.branch.__doc__ and rt.branch(100).name == "branch"
    assert all(getattr(rt, name) is family for name, family in rt.families.items())
    assert len(rt.chain(5, systems=3)) == 15 and rt.hub(7).loops > 0
    rod = rt.rod(4, length=2.0, bending=(5, 6), twist=7, delay=0.1)
    assert rod.body(0)["mass"] == 0.5 and rod.body(1)["stiffness"].tolist() == [10, 12, 14] and rod.body(1)["damping"][0] == 1
    assert rt.rod(4).body(0)["stiffness"].any() and not rt.rod(4, pinned=True).body(0)["stiffness"].any()
    with pytest.raises(TypeError, match="the family chain has no option length"):
        rt.chain(4, length=2.0)
    with pytest.raises(TypeError, match='"colour" is not one of: length, density'):
        rt.rod(4, colour=1)
    assert (rt.chain(5, seed=2, perturb=1.0).solver().q != rt.chain(5, seed=3, perturb=1.0).solver().q).any()


@pytest.mark.parametrize(
    "make, error, text",
    [
        (lambda m: m.add_body(mas=1.0), TypeError, '"mas" is not one of: name, parent'),
        (lambda m: m.add_body(mass=-1.0, inertia=(1, 1, 1)), rt.ModelError, "mass"),
        (lambda m: m.add_body(mass="heavy"), ValueError, "heavy"),
        (lambda m: m.add_body(hinge="knee"), ValueError, 'hinge "knee" is not one of: fixed, ball'),
        (lambda m: m.add_body(com=(1, 2, 3, 4)), ValueError, "com: give at most 3 numbers"),
        (lambda m: m.add_body(hinge_axis=(1, 0)), ValueError, "hinge_axis: give at least 3 numbers"),
        (lambda m: m.add_body(com=1.0), ValueError, "com: give at least 3 numbers"),
        (lambda m: m.add_body(inertia=(1, 1)), ValueError, "inertia: give at least 3 numbers"),
        (lambda m: m.add_body(mass=()), ValueError, "mass: give at least 1 number"),
        (lambda m: setattr(m, "gravity", -9.81), ValueError, "gravity"),
        (lambda m: setattr(m, "gravity", [1]), ValueError, "gravity: an array of shape (3,)"),
        (lambda m: rt.Model(m), TypeError, "a name is needed, not a model"),
        (lambda m: m.add_body(parent="nobody"), KeyError, "nobody"),
        (lambda m: m.add_force(type="push"), ValueError, "wrench, spring, friction"),
        (lambda m: m.add_loop("relation", terms=[("nobody", 0, 1)]), KeyError, "nobody"),
        (lambda m: m.add_loop("relation", terms=[(None, 0)]), ValueError, "terms: give (body, freedom, factor) for each"),
        (lambda m: m.add_loop("relation", terms=[(None, "a", 1)]), TypeError, "terms: freedom: 'a' is not a whole number"),
        (lambda m: m.add_loop("relation", terms=[(None, 0, "a")]), TypeError, "terms: factor: 'a' is not a number"),
        (lambda m: m.body(7), rt.ArgumentError, "7"),
        (lambda m: m.body_name(-5), rt.ArgumentError, "no body -5"),
        (lambda m: m.event_name(5), rt.ArgumentError, "event 5 does not exist"),
        (lambda m: m.shapes(9), rt.ArgumentError, "no body 9"),
        (lambda m: m.solver(), rt.ModelError, "bod"),
        (lambda m: m.solver(metod="abi"), TypeError, "metod"),
        (lambda m: m.solver(method="newton"), ValueError, "abi, riccati"),
        (lambda m: rt.load("no such file.json"), rt.FileError, "no such file"),
        (lambda m: rt.load("no such file.json"), OSError, "no such file"),
        (lambda m: rt.load("m.json", floating_root=True), ValueError, "floating_root"),
        (lambda m: rt.parse("{"), rt.FormatError, ""),
        (lambda m: rt.chain(-1), rt.ArgumentError, "bodies"),
    ],
)
def test_errors(make, error, text):
    with pytest.raises(error) as raised:
        make(rt.Model())
    assert text in str(raised.value)


def test_an_error_says_where():
    with pytest.raises(rt.FormatError) as raised:
        rt.parse('{"format": "riccatree model",\n oops}')
    assert raised.value.line == 2 and raised.value.column > 0 and raised.value.status == "syntax"
    with pytest.raises(rt.ModelError) as raised:
        rt.Model().add_body(mass=float("nan"), inertia=(1, 1, 1))
    assert isinstance(raised.value, ValueError) and raised.value.status == "model"


MATTER = dict(mass=1.0, inertia=(1, 1, 1))


@pytest.mark.parametrize("make, words", [
    (lambda m: m.add_force("servo", stiffness=100, target=0.5), 'servo force: "body" is missing; give the number or name of a body'),
    (lambda m: m.add_force(force=(1, 0, 0)), 'wrench force: "body" is missing'),
    (lambda m: m.add_force("limit", body="a", upper=1.0), 'limit force: "lower" is missing; give the lowest coordinate'),
    (lambda m: m.add_force("limit", body="a", lower=1.0), 'limit force: "upper" is missing; give the highest coordinate'),
    (lambda m: m.add_force("spring", body="a", stiffness=1.0), 'spring force: "other" is missing; give the number or name of a body, or None'),
    (lambda m: m.add_force("cable", body="a"), 'cable force: "other" is missing'),
    (lambda m: m.add_force("friction", body="a", slip=0.1), 'friction force: "coulomb" is missing; give the friction'),
    (lambda m: m.add_force("friction", body="a", coulomb=0.1), 'friction force: "slip" is missing; give the rate'),
    (lambda m: m.add_force("drag", body="a"), 'drag force: "end" is missing; give the end'),
    (lambda m: m.add_force("drag", body="a", end=(1, 0, 0)), 'drag force: "diameter" is missing; give the diameter'),
    (lambda m: m.add_force("drag", body="a", end=(1, 0, 0), diameter=1), 'drag force: "density" is missing; give the density'),
    (lambda m: m.add_loop(other=None), 'ball loop: "body" is missing'),
    (lambda m: m.add_loop("revolute", body="a", axis=(0, 0, 1)), 'revolute loop: "other" is missing; .*, or None for the ground'),
    (lambda m: m.add_loop("revolute", body="a", other=None), 'revolute loop: "axis" is missing; give a direction'),
    (lambda m: m.add_loop("slot", body="a", other=None, axis=(0, 0, 1)), 'slot loop: "axis2" is missing; give a second direction'),
    (lambda m: m.add_loop("distance", body="a", other=None), 'distance loop: "length" is missing; give how far apart'),
    (lambda m: m.add_body(inertia=(1, 1, 1)), 'body on a hinge of type ball: "mass" is missing; give it in kg'),
    (lambda m: m.add_body(mass=1), 'body on a hinge of type ball: "inertia" is missing; give xx yy zz'),
    (lambda m: m.add_body(hinge="revolute", **MATTER), 'hinge of type revolute: "hinge_axis" is missing; give a direction'),
    (lambda m: m.add_body(hinge="universal", hinge_axis=(0, 0, 1), **MATTER), 'hinge of type universal: "hinge_axis2" is missing'),
    (lambda m: m.add_body(hinge="helical", hinge_axis=(0, 0, 1), **MATTER), 'hinge of type helical: "hinge_pitch" is missing; give the way'),
    (lambda m: m.add_event("coordinate", body="a", loop=0, state="released"), 'coordinate event: "value" is missing; give the value'),
    (lambda m: m.add_event("coordinate", value=1.0, loop=0, state="released"), 'coordinate event: "body" is missing'),
    (lambda m: m.add_event("distance", value=1.0, body="a", loop=0, state="released"), 'distance event: "other" is missing'),
    (lambda m: m.add_shape("sphere", radius=1.0), 'sphere: "body" is missing'),
])  # fmt: skip
def test_what_a_model_file_requires_is_required(make, words):
    model = rt.Model()
    model.add_body("a", hinge="revolute", hinge_axis=(0, 1, 0), **MATTER)
    model.add_loop("relation", terms=[("a", 0, 1.0)], active=False)
    with pytest.raises(TypeError, match=words):
        make(model)
    assert (model.bodies, model.forces, model.loops, model.events) == (1, 0, 1, 0)


@pytest.mark.parametrize("given, words", [
    (dict(parent=3.0), "body: 3.0 is not a whole number"),
    (dict(hinge=3), "hinge: 3 is not text"),
    (dict(name=7), "name: 7 is not text"),
    (dict(mass=None), "mass: None is not a number"),
    (dict(mass=1j), "mass: 1j is not a number"),
    (dict(com=("1", "2", "3")), "com: '1' is not a number"),
    (dict(com=b"123"), "com: b'123' is not a number"),
    (dict(com={1, 2, 3}), "com: {1, 2, 3} is not a number"),
])
def test_other_types_are_named(given, words):
    with pytest.raises(TypeError, match=words):
        rt.Model().add_body(**given)


@pytest.mark.parametrize("two", [2, np.float32(2), np.int64(2), np.array(2.0), [2], np.array([2], "float32")])
def test_a_number_is_one_of_numpy_too(two):
    model = rt.Model()
    model.add_body(mass=two, inertia=np.full(3, two, "float32"), damping=two)
    assert model.body(0)["mass"] == 2.0 and model.body(0)["inertia"][:3].tolist() == [2, 2, 2]


@pytest.mark.parametrize("given, error, words", [
    (dict(threads=1.5), TypeError, "threads: 1.5 is not a whole number"),
    (dict(user_forces="no"), TypeError, "user_forces: 'no' is not True or False"),
    (dict(tolerance="fine"), TypeError, "tolerance: 'fine' is not a number"),
    (dict(baumgarte=(1, 2, 3)), ValueError, "baumgarte: give two numbers"),
    (dict(baumgarte=(1, 2)), rt.ArgumentError, 'baumgarte: it needs drift="baumgarte"'),
    (dict(tolerance=1e-6), rt.ArgumentError, 'tolerance: it needs steps with error control; give integrator="dopri5" or "implicit" too'),
    (dict(threads=-1), rt.ArgumentError, "threads: give 0 to 1024, not -1"),
    (dict(lanes=3), rt.ArgumentError, "lanes: give 1, 2, 4 or 8, or 0 to let the solver choose, not 3"),
    (dict(segment=-1), rt.ArgumentError, "segment: give 0 or more, not -1"),
])
def test_options_of_other_types_are_named(given, error, words):
    with pytest.raises(error, match=words):
        pendulum().solver(**given)


@pytest.mark.parametrize("ask", [
    lambda: rt.load("m\0.json"),
    lambda: rt.chain(2).save("m\0.json"),
    lambda: rt.check("m\0.h5"),
    lambda: rt.open("m\0.h5"),
    lambda: rt.restore("m\0.ckpt"),
    lambda: rt.chain(2).view("m\0.html"),
    lambda: rt.chain(2).solver().run(0.01, 1e-3, out="m\0.h5"),
    lambda: rt.Model("m\0n"),
    lambda: rt.Model().add_body("a\0b"),
    lambda: rt.chain(2).index("body1\0"),
    lambda: rt.Ensemble(rt.chain(2), 2).vary("bodies.body1.mass\0", rt.normal(1, 0.1)).members,
    lambda: rt.Ensemble(rt.chain(2), 2).vary("bodies.body1.mass\0", "normal:1:0.1"),
    lambda: rt.chain(2).solver(backend="cpu\0"),
    lambda: rt.fourbars(3).loop_number("loop0\0"),
])  # fmt: skip
def test_texts_do_not_end_at_a_nul(ask, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ValueError, match="NUL character"):
        ask()
    assert list(tmp_path.iterdir()) == []


def test_paths_are_texts_bytes_or_paths(tmp_path):
    path = tmp_path / "m.h5"
    rt.chain(2).save(path)
    for same in (path, str(path), bytes(path)):
        assert rt.load(same).bodies == 2 and rt.check(same)["kind"] == "model"


def test_numbers_of_families_are_whole():
    with pytest.raises(TypeError, match="bodies: give a whole number, not 2.5"):
        rt.chain(2.5)
    with pytest.raises(rt.ArgumentError, match="seed: give 0 or more, not -1"):
        rt.chain(2, seed=-1)
    assert rt.chain(np.int64(3)).bodies == 3


def test_the_fastest_backend_is_predicted_and_chosen():
    arm, branch = rt.chain(7, hinge="revolute"), rt.branch(33_334)
    for model in (arm, branch):
        times = model.backend_times(threads=1)
        assert list(times) == [name for name, available, _ in rt.backends() if available]
        assert model.solver(threads=1).info["backend"] == min(times, key=times.get)
    assert arm.backend_times()["cpu"] < branch.backend_times()["cpu"]
    assert arm.solver(integrator="dopri5", tolerance=1e-7).info["backend"] == "cpu"
    with pytest.raises(TypeError, match="no option"):
        arm.backend_times(thread=1)
    with pytest.raises(rt.ArgumentError, match="threads"):
        arm.backend_times(threads=-1)


def test_what_is_shown_can_be_given_back():
    model, again = rt.chain(2), rt.Model("again")
    model.add_force("spring", body=0, other=None, stiffness=3)
    model.add_loop("ball", name="tie", body=1, other=None)
    model.add_event("time", name="cut", value=0.5, loop="tie", state="released")
    for k in range(2):
        again.add_body(**model.body(k))
    again.add_force(**model.force(0))
    again.add_loop(**model.loop(0))
    again.add_event(**model.event(0))
    for shown in ("force", "loop", "event"):
        np.testing.assert_equal(getattr(again, shown)(0), getattr(model, shown)(0))


def test_models_are_copied_and_pickled():
    model = rt.chain(3, perturb=0.3)
    model.add_force("spring", body=0, other=None, stiffness=0.1)
    for other in (copy.copy(model), copy.deepcopy(model), pickle.loads(pickle.dumps(model))):
        np.testing.assert_equal([other.force(0), *(other.body(k) for k in range(3))],
                                [model.force(0), *(model.body(k) for k in range(3))])  # fmt: skip
        other.gravity = (0, 0, 0)
    assert model.gravity[2] == -9.81
    with pytest.raises(TypeError, match=r"copy.copy\(model\) makes a copy"):
        rt.Model(model)
    assert model.bodies == 3
