"""Analyses: rods, where models rest, how they oscillate, the longest step, the census."""

import numpy as np
import pytest

import riccatree as rt


def pendulum(angle: float, stiffness: float = 0.0) -> rt.Model:
    """1 kg, 1 m below its hinge at angle 0, 0.5 kg m^2 about its centre of mass, in a gravity of 9.81 m/s^2."""
    model = rt.Model("pendulum")
    model.add_body("bob", hinge="revolute", hinge_axis=(0, 1, 0), mass=1.0, com=(0, 0, -1), inertia=(0.5, 0.5, 0.5),
                   position=[angle], stiffness=[stiffness])  # fmt: skip
    model.gravity = (0, 0, -9.81)
    return model


def cantilever(bodies: int, **fields) -> rt.Model:
    model = rt.Model("cantilever")
    numbers = model.add_rod(bodies=bodies, length=2.0, density=3.0, bending=(5.0, 5.0), twist=4.0, **fields)
    assert list(numbers) == list(range(bodies)) and len(model) == bodies
    model.gravity = (0, 0, 0)
    return model


def test_a_rod_has_the_fields_given_and_the_defaults():
    model = rt.Model()
    base = model.add_body("base", hinge="fixed", mass=1.0, inertia=(1, 1, 1))
    clamped = model.add_rod(parent="base", bodies=4, length=2.0, density=3.0, bending=(5.0, 6.0), twist=7.0, delay=0.1)
    pinned = model.add_rod(pinned=True, parent=base, at=(1, 0, 0))
    assert clamped == range(1, 5) and pinned == range(5, 105)
    first, second = model.body(1), model.body(2)
    assert first["parent"] == base and second["parent"] == 1 and first["mass"] == pytest.approx(1.5)
    assert second["stiffness"] == pytest.approx([10.0, 12.0, 14.0]) and first["stiffness"] == pytest.approx([20.0, 24.0, 28.0])
    assert second["damping"] == pytest.approx([1.0, 1.2, 1.4])
    assert model.body(5)["hinge_at"].tolist() == [1, 0, 0] and not model.body(5)["stiffness"].any()


@pytest.mark.parametrize("wrong", [{"bodies": 0}, {"length": 0.0}, {"density": -1.0}, {"bending": (np.nan, 1.0)}, {"delay": -1.0}])
def test_a_rod_of_bad_numbers_is_refused(wrong):
    model = rt.Model()
    with pytest.raises(rt.ArgumentError):
        model.add_rod(**wrong)
    with pytest.raises(rt.ModelError):
        model.add_rod(parent=3)
    with pytest.raises(TypeError, match="not one of: parent"):
        model.add_rod(colour="red")
    assert len(model) == 0


def test_a_cantilever_has_the_frequencies_of_euler_and_bernoulli():
    modes = cantilever(100).solver().modes(4)
    roots = np.array([1.875104068711961, 1.875104068711961, 4.694091132974174, 4.694091132974174])
    assert np.sqrt(modes.square) == pytest.approx((roots / 2.0) ** 2 * np.sqrt(5.0 / 3.0), rel=2e-3)
    assert modes.shape.shape == (4, 300) and (modes.unstable, modes.indifferent) == (0, 0) and modes.largest < 1e-6


def test_modes_are_those_of_the_mass_matrix():
    sim = cantilever(5).solver()
    modes = sim.modes(100)
    assert modes.square.shape == (15,) and (np.diff(modes.square) >= 0).all()
    M = sim.mass_matrix()
    assert modes.shape @ M @ modes.shape.T == pytest.approx(np.eye(15), abs=1e-8)


def test_a_pendulum_rests_below_its_hinge_and_swings_about_that():
    sim = pendulum(1.0).solver()
    sim.time = 3.0
    sim.v = [2.0]
    found = sim.equilibrium()
    assert sim.q == pytest.approx([0.0], abs=1e-9) and sim.v.tolist() == [0.0] and sim.time == 3.0
    assert found.energy == pytest.approx(9.81 * (1 - np.cos(1.0))) and found.steps > 0 and found.residual < 1e-9
    assert (found.unstable, found.indifferent) == (0, 0) and sim.a == pytest.approx([0.0], abs=1e-8)
    modes = sim.modes(1)
    assert modes.square == pytest.approx([9.81 / 1.5]) and abs(modes.shape) == pytest.approx(np.array([[1 / np.sqrt(1.5)]]))


def test_a_pendulum_on_its_head_is_told_to_be_unstable():
    sim = pendulum(np.pi).solver()
    assert sim.equilibrium().unstable == 1 and sim.modes(0).unstable == 1
    assert sim.modes(0).square.shape == (0,) and sim.modes(0).shape.shape == (0, 1)


def test_two_pendulums_tied_and_closed():
    tied = rt.Model()
    for name, at in (("left", 0.0), ("right", 1.0)):
        tied.add_body(name, hinge="revolute", hinge_axis=(0, 1, 0), hinge_at=(at, 0, 0), mass=1.0, com=(0, 0, -1), inertia=(0.5, 0.5, 0.5))
    tied.add_force("spring", body="left", other="right", stiffness=2.0, length=1.0, at=(0, 0, -1), other_at=(0, 0, -1))
    sim = tied.solver()
    sim.equilibrium()
    assert sim.modes(2).square == pytest.approx([9.81 / 1.5, (9.81 + 4.0) / 1.5])
    tied.add_loop("distance", body="left", other="right", length=1.0, at=(0, 0, -1), other_at=(0, 0, -1))
    sim = tied.solver()
    sim.equilibrium()
    modes = sim.modes(2)
    assert modes.square == pytest.approx([9.81 / 1.5]) and modes.shape[0, 0] == pytest.approx(modes.shape[0, 1])


def test_what_has_no_rest_or_is_not_at_rest_is_refused():
    model = pendulum(1.0)
    with pytest.raises(rt.ArgumentError):
        model.solver().modes(1)
    with pytest.raises(rt.ArgumentError):
        model.solver().modes(-1)
    model.add_force(body="bob", moment=(0, 1, 0))
    with pytest.raises(rt.UnsupportedError):
        model.solver().equilibrium()
    with pytest.raises(rt.UnsupportedError):
        model.solver().modes(1)
    falling = rt.Model()
    falling.add_body(hinge="prismatic", hinge_axis=(0, 0, 1), mass=1.0, inertia=(1, 1, 1))
    sim = falling.solver()
    with pytest.raises(rt.DivergedError) as caught:
        sim.equilibrium()
    assert caught.value.body == 0 and sim.q.tolist() == [0.0]


def test_the_longest_step_is_that_of_the_stiffest_spring():
    step, body = pendulum(0.0, stiffness=1.5e6).solver().longest_step()
    assert body == 0 and step == pytest.approx(np.sqrt(8) / 1e3, rel=0.05)
    assert pendulum(0.0).solver().longest_step() == (np.inf, None)


def test_the_census_counts_and_weighs():
    model = pendulum(0.0, stiffness=2.0)
    model.add_rod(bodies=3, density=2.0, delay=0.1)
    census = model.census()
    assert census["hinges"]["ball"] == 3 and census["hinges"]["revolute"] == 1 and sum(census["hinges"].values()) == 4
    assert census["hinge_springs"] == 4 and census["hinge_dampers"] == 3 and not any(census["forces"].values())
    assert census["mass"] == pytest.approx(3.0) and census["gravity"] == pytest.approx(9.81)
    assert "dampers" in census["changers"] and census["kinks"] is None and census["ground_moves"] is False
    model.add_force("friction", body="bob", coulomb=1.0, slip=0.1)
    assert model.census()["forces"]["friction"] == 1
