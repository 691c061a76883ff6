"""What drake.c has Drake do: the accelerations of a continuous MultibodyPlant; with loops those that the solver SAP of a discrete
one finds for one step, for only these have constraints."""
import numpy
from pydrake.math import RigidTransform
from pydrake.multibody.plant import DiscreteContactApproximation, MultibodyPlant
from pydrake.multibody.tree import (BallRpyJoint, FixedOffsetFrame, QuaternionFloatingJoint, RevoluteJoint,
                                    RotationalInertia, SpatialInertia)

STEP = 1e-3  # s; accelerations hardly depend on it
MOST_NUMBERS = 2e7  # of the mass matrix of a tree, which is dense
MOST_BYTES = 4e9  # of a continuous plant, which takes some 44 a square of its freedoms


class Plant:
    """`bodies`: parent, ball, free, at, axis, mass, com, inertia; `loops`: body, other, at, other_at."""

    def __init__(self, gravity, bodies, loops):
        self.plant = plant = MultibodyPlant(STEP if loops else 0.0)
        plant.mutable_gravity_field().set_gravity_vector(gravity)
        (check if loops else check_size)(bodies)
        if loops:
            plant.set_discrete_contact_approximation(DiscreteContactApproximation.kSap)
            plant.SetUseSampledOutputPorts(False)
        links, self.joints = [], []
        for number, (parent, ball, free, at, axis, mass, com, inertia) in enumerate(bodies):
            link = plant.AddRigidBody(f'body {number}', SpatialInertia.MakeFromCentralInertia(
                mass, numpy.array(com), RotationalInertia(*inertia)))
            carrier = plant.world_body() if parent < 0 else links[parent]
            frame = plant.AddFrame(FixedOffsetFrame(f'hinge {number}', carrier.body_frame(), RigidTransform(at)))
            hinge = (f'joint {number}', frame, link.body_frame())
            links.append(link)
            joint = (QuaternionFloatingJoint(*hinge) if free else
                     BallRpyJoint(*hinge) if ball else RevoluteJoint(*hinge, axis))
            self.joints.append(plant.AddJoint(joint))
        for body, other, at, other_at in loops:
            plant.AddBallConstraint(links[body], at, links[other], other_at)
        plant.Finalize()
        self.context = plant.CreateDefaultContext()
        self.accelerations = plant.get_generalized_acceleration_output_port()
        self.sizes = plant.num_positions(), plant.num_velocities()

    def places(self):
        """Where coordinates and rates of each body begin."""
        return ([joint.position_start() for joint in self.joints], [joint.velocity_start() for joint in self.joints])

    def forward(self, q, u, du):
        """Buffers of doubles, the last one written to."""
        positions, velocities = self.sizes
        self.plant.SetPositions(self.context, numpy.frombuffer(q)[:positions])
        self.plant.SetVelocities(self.context, numpy.frombuffer(u)[:velocities])
        numpy.frombuffer(du)[:velocities] = self.accelerations.Eval(self.context)


def check_size(bodies):
    bytes_ = 44.0 * sum(6 if free else 3 if ball else 1 for _, ball, free, *_ in bodies) ** 2
    if bytes_ > MOST_BYTES:
        raise MemoryError(f'its plant would take {1e-9 * bytes_:.2g} GB')


def check(bodies):
    """Trees that hang on the ground each have a matrix."""
    root, freedoms = [], {}
    for number, (parent, ball, *_) in enumerate(bodies):
        root.append(number if parent < 0 else root[parent])
        freedoms[root[-1]] = freedoms.get(root[-1], 0) + (3 if ball else 1)
    numbers = sum(count * count for count in freedoms.values())
    if numbers > MOST_NUMBERS:
        raise MemoryError(f'its mass matrix would have {numbers:.1e} numbers')
