"""An elastic cantilever let go under gravity, horizontal and straight at first, in Riccatree or another program.

    rods.py PROGRAM METHOD SETTING ELEMENTS

prints seconds, where along the rod its nodes are (m from the clamp), and their places x, z (m). SETTING is a tolerance, or a step (s)
where METHOD has steps of one length. A round rod so slender that what it stretches and shears by hardly counts. Where a clamp holds
the first element, the rod is clamped in the middle of that: errors go with the square of the length of an element everywhere."""
import math

import numpy
from timed import END, GRAVITY, run, steps_of

LENGTH, RADIUS, DENSITY, YOUNG, POISSON = 1.0, 0.01, 1000.0, 2e8, 0.5  # m, m, kg/m^3, Pa
AREA, SECOND_MOMENT = math.pi * RADIUS**2, math.pi * RADIUS**4 / 4


def places(along, x, z):
    return {'along': list(along), 'x': list(x), 'z': list(z)}


def half_clamped(elements):
    """How long an element is of so many besides that which is clamped, and where nodes are, from the first one on."""
    size = LENGTH / (elements + 0.5)
    return size, size * (numpy.arange(elements + 2) - 0.5)


def riccatree(method, setting, elements):
    import riccatree
    elements, shear = int(elements), YOUNG / (2 * (1 + POISSON))
    model = riccatree.Model('rod')
    model.gravity = (0, 0, -GRAVITY)
    model.add_rod(bodies=elements, length=LENGTH, density=DENSITY * AREA, radius=RADIUS, bending=(YOUNG * SECOND_MOMENT,) * 2,
                  twist=2 * shear * SECOND_MOMENT, orientation=(math.sqrt(0.5), 0, math.sqrt(0.5), 0))
    solver = model.solver(integrator=method, threads=1, backend='cpu', tolerance=setting)

    def outcome():
        at, (w, x, y, z) = solver.position, solver.orientation[-1]
        axis = numpy.array((2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)))
        at = numpy.vstack((at, at[-1] + LENGTH / elements * axis))
        return places(numpy.linspace(0, LENGTH, elements + 1), at[:, 0], at[:, 2])

    return lambda: solver.step(END), outcome


def pyelastica(method, setting, elements):
    import elastica
    size, along = half_clamped(int(elements))

    class System(elastica.BaseSystemCollection, elastica.Constraints, elastica.Forcing):
        pass

    system = System()
    rod = elastica.CosseratRod.straight_rod(
        len(along) - 1, start=numpy.array((along[0], 0, 0)), direction=numpy.array((1.0, 0, 0)), normal=numpy.array((0, 0, 1.0)),
        base_length=size * (len(along) - 1), base_radius=RADIUS, density=DENSITY, youngs_modulus=YOUNG,
        shear_modulus=YOUNG / (2 * (1 + POISSON)))
    system.append(rod)
    system.constrain(rod).using(elastica.OneEndFixedBC, constrained_position_idx=(0,), constrained_director_idx=(0,))
    system.add_forcing_to(rod).using(elastica.GravityForces, acc_gravity=numpy.array((0, 0, -GRAVITY)))
    system.finalize()
    stepper, (dt, steps) = getattr(elastica, method)(), steps_of(setting)
    stepper.step(system, 0.0, 1e-12)  # compiles

    def advance():
        now = 0.0
        for _ in range(steps):
            now = stepper.step(system, now, dt)

    return advance, lambda: places(along, rod.position_collection[0], rod.position_collection[2])


def dismech(method, setting, elements):
    import dismech
    _, along = half_clamped(int(elements))
    dt, steps = steps_of(setting)
    nodes = numpy.column_stack((along, 0 * along, 0 * along))
    edges = numpy.column_stack((numpy.arange(len(along) - 1), numpy.arange(1, len(along))))
    parameters = dismech.SimParams(
        static_sim=False, two_d_sim=True, use_mid_edge=False, use_line_search=False, log_data=False, log_step=1, show_floor=False,
        dt=dt, max_iter=25, total_time=END, plot_step=1, tol=1e-6, ftol=1e-6, dtol=1e-4, solver='pardiso', sparse=True)
    gravity = dismech.Environment()
    gravity.add_force('gravity', g=numpy.array((0, 0, -GRAVITY)))
    robot = dismech.SoftRobot(dismech.GeomParams(rod_r0=RADIUS, shell_h=0),
                              dismech.Material(density=DENSITY, youngs_rod=YOUNG, youngs_shell=0, poisson_rod=POISSON, poisson_shell=0),
                              dismech.Geometry(nodes, edges, numpy.empty((0, 3), dtype=int)), parameters, gravity)
    robot = robot.fix_nodes(numpy.array((0, 1)))
    stepper = getattr(dismech, f'{method}TimeStepper')(robot)

    def advance():
        for _ in range(steps):
            stepper.step()

    def outcome():
        at = stepper.robot.state.q[:3 * len(along)].reshape(-1, 3)
        return places(along, at[:, 0], at[:, 2])

    return advance, outcome


run({'riccatree': riccatree, 'pyelastica': pyelastica, 'dismech': dismech})
