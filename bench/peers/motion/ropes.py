"""A stiff rope in Riccatree or another program: rods of 1 kg and 0.1 m on revolute hinges about y, with springs and dampers,
let go horizontally.

    ropes.py PROGRAM METHOD SETTING LINKS STIFFNESS DAMPING

prints seconds and the turn of each link (rad). SETTING is a tolerance, or a step (s) where METHOD has steps of one length."""
import numpy
from timed import END, GRAVITY, run, steps_of

MASS, LENGTH, INERTIA = 1.0, 0.1, (1e-4, 0.01 / 12, 0.01 / 12)  # kg, m, kg m^2 about the mass centre


def starts(links):
    """Where links hang on the one before, x (m)."""
    return [LENGTH if k else 0.0 for k in range(int(links))]


def turns(angles):
    return {'turns': numpy.cumsum(angles).tolist()}


def riccatree(method, setting, links, stiffness, damping):
    import riccatree
    model = riccatree.Model('rope')
    model.gravity = (0, 0, -GRAVITY)
    for k, x in enumerate(starts(links)):
        model.add_body(f'link{k}', parent=k - 1 if k else None, hinge='revolute', hinge_axis=(0, 1, 0), hinge_at=(x, 0, 0),
                       mass=MASS, com=(LENGTH / 2, 0, 0), inertia=INERTIA, stiffness=stiffness, damping=damping)
    fixed = method == 'rk4'
    solver = model.solver(integrator=method, threads=1, backend='cpu', **({} if fixed else {'tolerance': setting}))
    dt, steps = steps_of(setting) if fixed else (END, 1)
    return lambda: solver.step(dt, steps), lambda: turns(solver.q)


def drake(method, setting, links, stiffness, damping):
    from pydrake.math import RigidTransform
    from pydrake.multibody.plant import MultibodyPlant
    from pydrake.multibody.tree import FixedOffsetFrame, RevoluteJoint, RevoluteSpring, RotationalInertia, SpatialInertia
    from pydrake.systems.analysis import ResetIntegratorFromFlags, Simulator
    plant = MultibodyPlant(0.0)
    plant.mutable_gravity_field().set_gravity_vector((0, 0, -GRAVITY))
    inertia = SpatialInertia.MakeFromCentralInertia(MASS, numpy.array((LENGTH / 2, 0, 0)), RotationalInertia(*INERTIA))
    parent = plant.world_body()
    for k, x in enumerate(starts(links)):
        link = plant.AddRigidBody(f'link{k}', inertia)
        frame = plant.AddFrame(FixedOffsetFrame(f'frame{k}', parent.body_frame(), RigidTransform((x, 0, 0))))
        joint = plant.AddJoint(RevoluteJoint(f'joint{k}', frame, link.body_frame(), (0, 1, 0), damping=damping))
        plant.AddForceElement(RevoluteSpring(joint, 0.0, stiffness))
        parent = link
    plant.Finalize()
    simulator = Simulator(plant)
    ResetIntegratorFromFlags(simulator, method, END)
    simulator.get_mutable_integrator().set_target_accuracy(setting)
    simulator.Initialize()
    return lambda: simulator.AdvanceTo(END), lambda: turns(plant.GetPositions(simulator.get_context()))


def mujoco(method, setting, links, stiffness, damping):
    import mujoco
    spec = mujoco.MjSpec()
    spec.option.gravity = (0, 0, -GRAVITY)
    spec.option.timestep, steps = steps_of(setting)
    spec.option.disableflags = mujoco.mjtDisableBit.mjDSBL_AUTORESET  # else a motion that diverges begins anew
    spec.option.integrator = getattr(mujoco.mjtIntegrator, f'mjINT_{method.upper()}')
    body = spec.worldbody
    for x in starts(links):
        body = body.add_body(pos=(x, 0, 0), mass=MASS, ipos=(LENGTH / 2, 0, 0), inertia=INERTIA, explicitinertial=True)
        body.add_joint(type=mujoco.mjtJoint.mjJNT_HINGE, axis=(0, 1, 0), stiffness=stiffness, damping=damping)
    model = spec.compile()
    data = mujoco.MjData(model)
    return lambda: mujoco.mj_step(model, data, steps), lambda: turns(data.qpos)


run({'riccatree': riccatree, 'drake': drake, 'mujoco': mujoco})
