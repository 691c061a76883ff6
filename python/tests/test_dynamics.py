"""Dynamics and operators of a solver against slow ones: forward and inverse dynamics, M, J, derivatives."""

import numpy as np
import pytest
from conftest import random_tree

import riccatree as rt

SEEDS = range(8)


@pytest.mark.parametrize("seed", SEEDS)
def test_inverse_undoes_forward(seed):
    sim = random_tree(seed).solver(user_forces=True)
    sim.time = 0.3
    tau = np.random.default_rng(seed).normal(size=sim.info["dof"])
    q, v = sim.q, sim.v
    a = sim.forward(q, v, tau)
    assert sim.inverse(q, v, a) == pytest.approx(tau, abs=1e-9 * max(1, abs(a).max()))
    assert sim.forward(q, v, sim.inverse(q, v, 2 * a)) == pytest.approx(2 * a, rel=1e-8, abs=1e-8 * abs(a).max())


def test_inverse_knows_all_that_a_model_exerts_at_hinges():
    model = rt.Model()
    model.add_body("base", hinge="revolute", hinge_axis=(0, 1, 0), mass=1.0, com=(0, 0, -1), inertia=(0.1, 0.1, 0.1), rate=[2.0])
    model.add_rod(parent="base", bodies=4, bending=(0.1, 0.2), twist=0.1, delay=1e-3)
    model.add_force("friction", body="base", coulomb=1.0, slip=0.1)
    model.add_force("limit", body="base", lower=0.5, upper=1.0, stiffness=100.0)
    model.add_force("servo", body="base", stiffness=5.0, target=1.0)
    model.add_force("curve", body="base", over="rate", table=[(-3, 2), (3, -2)])
    model.add_force("friction", body=3, coulomb=0.1, breakaway=0.2, stribeck=0.5, slip=0.1)  # of a ball
    sim = model.solver(user_forces=True)
    sim.v = np.random.default_rng(1).normal(size=sim.info["dof"])
    sim.step(1e-5, 100)
    q, v, tau = sim.q, sim.v, np.random.default_rng(2).normal(size=sim.info["dof"])
    assert sim.inverse(q, v, sim.forward(q, v, tau)) == pytest.approx(tau, abs=1e-9)
    assert sim.inverse(q, v, sim.forward(q, v)) == pytest.approx(0.0 * tau, abs=1e-9)


def test_inverse_is_as_good_for_a_long_chain():
    model = rt.Model()
    for k in range(3000):  # at rest, straight down: what a hinge carries is what its servo holds
        model.add_body(parent=k - 1 if k else None, hinge="revolute", hinge_axis=(0, 1, 0), mass=1.0, com=(0, 0, -0.5),
                       inertia=(0.1, 0.1, 0.1), hinge_at=(0, 0, -1 if k else 0), stiffness=[2.0], rest=[0.25])  # fmt: skip
    sim = model.solver()
    tau = sim.inverse(sim.q, sim.v, np.zeros(3000))
    assert tau == pytest.approx(np.full(3000, -0.5), abs=1e-12)
    assert sim.hinge_efforts() == pytest.approx(np.full(3000, 0.5), abs=1e-15)


@pytest.mark.parametrize("seed", SEEDS)
def test_mass_matrix_is_that_of_the_kinetic_energy(seed):
    model = random_tree(seed)
    model.set_base()  # at rest
    sim = model.solver()
    dof = sim.info["dof"]

    def energy(v):
        sim.v = v
        return sim.measure().kinetic

    units = np.eye(dof)
    alone = [energy(u) for u in units]
    slow = np.array([[energy(units[i] + units[j]) - alone[i] - alone[j] for j in range(dof)] for i in range(dof)])
    M = sim.mass_matrix(sim.q)
    assert M == pytest.approx(slow, abs=1e-10 * abs(M).max())
    x = np.random.default_rng(seed).normal(size=(3, dof))
    assert sim.mass_times(sim.mass_solve(x)) == pytest.approx(x, abs=1e-8)
    assert sim.mass_times(x[0]) == pytest.approx(M @ x[0], abs=1e-10 * abs(M).max())


def test_mass_matrix_is_what_inverse_dynamics_says(arm):
    sim = arm.solver()
    q, v = np.random.default_rng(1).normal(size=(2, 7))
    still = sim.inverse(q, v, np.zeros(7))
    columns = [sim.inverse(q, v, unit) - still for unit in np.eye(7)]
    assert sim.mass_matrix(q) == pytest.approx(np.transpose(columns), abs=1e-11)


@pytest.mark.parametrize("seed", SEEDS)
def test_jacobian_is_how_bodies_move(seed):
    model = random_tree(seed)
    model.set_base()  # at rest
    sim = model.solver()
    J = sim.jacobian("body11", sim.q)
    assert J.shape == (6, sim.info["dof"])
    assert J[:3] @ sim.v == pytest.approx(sim.velocity[11], abs=1e-11)
    assert J[3:] @ sim.v == pytest.approx(sim.angular_velocity[11], abs=1e-11)
    linear, angular = sim.jacobian_times(sim.v)
    assert linear == pytest.approx(sim.velocity, abs=1e-11) and angular == pytest.approx(sim.angular_velocity, abs=1e-11)


def four_bars(seed: int) -> rt.Model:
    return rt.fourbars(bodies=7)


@pytest.mark.parametrize("make", [random_tree, four_bars])
def test_derivatives_are_what_differences_come_to(make):
    sim = make(4).solver(user_forces=True)
    dof = sim.info["dof"]
    draw = np.random.default_rng(4)
    q, v, tau = sim.q, sim.v, draw.normal(size=dof)
    by_q, by_v, by_tau = sim.forward_derivatives(q, v, tau)
    h, dv, dtau = 1e-5, *draw.normal(size=(2, dof))
    between = [(sim.forward(q, v + s * h * dv, tau + s * h * dtau)) for s in (1, -1)]
    slope = (between[0] - between[1]) / (2 * h)
    assert by_v @ dv + by_tau @ dtau == pytest.approx(slope, abs=1e-6 * abs(slope).max())
    slope = (sim.forward(sim.moved(q, h * dv), v, tau) - sim.forward(sim.moved(q, -h * dv), v, tau)) / (2 * h)
    assert by_q @ dv == pytest.approx(slope, abs=1e-6 * abs(slope).max())
    sim.forward(q, v, tau)
    x, dq = draw.normal(size=(2, 3, dof))
    assert sim.acceleration_tangent(dq=dq) == pytest.approx(dq @ by_q.T, abs=1e-9 * abs(by_q).max())
    along = by_q @ dq[0] + by_v @ dv + by_tau @ dtau
    assert sim.acceleration_tangent(dq[0], dv, dtau) == pytest.approx(along, abs=1e-9 * abs(by_q).max())
    gq, gv, gtau = sim.acceleration_adjoint(x)
    assert gq == pytest.approx(x @ by_q, abs=1e-9 * abs(by_q).max()) and gv.shape == gtau.shape == (3, dof)
    with pytest.raises(rt.ArgumentError, match="give dq, dv or dtau"):
        sim.acceleration_tangent()
    with pytest.raises(ValueError, match="give q of one state"):
        sim.forward_derivatives([q, q], [v, v])
    with pytest.raises(rt.ArgumentError, match="dq"):
        sim.moved(q, np.full(dof, np.nan))


def test_no_efforts_and_no_states():
    sim = rt.chain(3, hinge="revolute").solver()
    q, v = sim.q, sim.v
    for none in (None, 0, 0.0, np.int64(0), np.zeros(3)):
        assert (sim.forward(q, v, none) == sim.forward(q, v)).all()
        sim.set_efforts(none)
    for some in (1, np.ones(3), np.array([0, np.nan, 0])):
        with pytest.raises(rt.Error):
            sim.forward(q, v, some)
    assert sim.forward(np.empty((0, 3)), np.empty((0, 3))).shape == (0, 3)
    assert sim.mass_times(np.empty((0, 3))).shape == (0, 3)
    assert sim.jacobian_transposed(np.empty((0, 3, 3)), np.empty((0, 3, 3))).shape == (0, 3)


@pytest.mark.parametrize("time", [float("nan"), float("inf")])
def test_times_are_finite(time):
    sim = rt.chain(2).solver()
    with pytest.raises(rt.ArgumentError, match="time"):
        sim.time = time
    assert sim.time == 0.0
