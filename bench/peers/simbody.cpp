/* Simbody by the contract of peers (peer.h), as its package comes.
 *
 * Rates of a ball hinge are in axes of the parent: R u of the neutral ones, with R the turn of the body against its
 * parent; their derivatives are R u', for u x u is none. Behind them a free body has its velocity, in axes of the ground. */
#include "bench/peers/peer.h"

#include "core/rotation.h"

#include <Simbody.h>

#include <cstdio>
#include <cstring>
#include <exception>
#include <vector>

namespace
{

using namespace SimTK;

const double most_numbers = 1e8;    /* of a matrix that it factors: a call takes hours beyond */
const int32_t most_bodies = 100000; /* a chain of 1,000,000 was not made in half an hour */

struct Made {
    const bench_system *system;
    MultibodySystem multibody;
    SimbodyMatterSubsystem matter{multibody};
    GeneralForceSubsystem forces{multibody};
    State state;
    std::vector<int> q, u; // of each body, where its coordinates and rates begin

    explicit Made(const bench_system *given);
};

MobilizedBodyIndex hang(MobilizedBody &parent, const bench_body &body)
{
    const double *j = body.inertia;
    const Vec3 com(body.com[0], body.com[1], body.com[2]);
    const Vec3 at(body.at[0], body.at[1], body.at[2]);
    const Inertia central(Vec3(j[0], j[1], j[2]), Vec3(j[3], j[4], j[5]));
    const Body::Rigid rigid(
        MassProperties(body.mass, com, central.shiftFromMassCenter(com, body.mass)));
    if (body.free) {
        return MobilizedBody::Free(parent, Transform(), rigid, Transform()).getMobilizedBodyIndex();
    }
    if (body.ball) {
        return MobilizedBody::Ball(parent, Transform(at), rigid, Transform())
            .getMobilizedBodyIndex();
    }
    // a pin turns about z of the frames at both sides of it
    const Rotation z_to_axis(UnitVec3(Vec3(body.axis[0], body.axis[1], body.axis[2])), ZAxis);
    return MobilizedBody::Pin(parent, Transform(z_to_axis, at), rigid,
                              Transform(z_to_axis, Vec3(0)))
        .getMobilizedBodyIndex();
}

Vec3 vector_of(const double x[3])
{
    return Vec3(x[0], x[1], x[2]);
}

/* A pin between bodies that move in one plane is two planes of one body with a point of the other: no constraint is there twice. */
void close(MobilizedBody &body, MobilizedBody &other, const bench_loop &loop)
{
    double row[3][3];
    const int rows = bench_loop_rows(&loop, row);
    const Vec3 at = vector_of(loop.at), other_at = vector_of(loop.other_at);
    if (loop.ball) {
        Constraint::Ball(other, other_at, body, at);
        return;
    }
    for (int k = 0; k < rows; k++) {
        const Vec3 normal = vector_of(row[k]);
        Constraint::PointInPlane(other, UnitVec3(normal), dot(normal, other_at), body, at);
    }
}

Made::Made(const bench_system *given) : system(given)
{
    std::vector<MobilizedBodyIndex> bodies;
    Force::UniformGravity(forces, matter,
                          Vec3(given->gravity[0], given->gravity[1], given->gravity[2]));
    for (int32_t i = 0; i < given->bodies; i++) {
        const int32_t parent = given->body[i].parent;
        MobilizedBody &carrier =
            parent < 0 ? matter.updGround() : matter.updMobilizedBody(bodies[parent]);
        bodies.push_back(hang(carrier, given->body[i]));
    }
    for (int32_t i = 0; i < given->loops; i++) {
        const bench_loop &loop = given->loop[i];
        close(matter.updMobilizedBody(bodies[loop.body]),
              matter.updMobilizedBody(bodies[loop.other]), loop);
    }
    state = multibody.realizeTopology();
    multibody.realizeModel(state);
    for (const MobilizedBodyIndex index : bodies) {
        q.push_back(matter.getMobilizedBody(index).getFirstQIndex(state));
        u.push_back(matter.getMobilizedBody(index).getFirstUIndex(state));
    }
}

void *make(const bench_system *system, char *reason)
{
    double constraints = 0.0;
    for (int32_t i = 0; i < system->loops; i++) {
        constraints += system->loop[i].ball ? 3.0 : 2.0;
    }
    if (constraints * constraints > most_numbers) {
        snprintf(reason, BENCH_REASON, "its matrix of constraints would have %.1e numbers",
                 constraints * constraints);
        return nullptr;
    }
    if (system->bodies > most_bodies) {
        snprintf(reason, BENCH_REASON, "it was not made in half an hour");
        return nullptr;
    }
    try {
        return new Made(system);
    } catch (const std::exception &error) {
        snprintf(reason, BENCH_REASON, "%.200s", error.what());
    }
    return nullptr;
}

void free_made(void *made)
{
    delete static_cast<Made *>(made);
}

void adopt(void *made, const double *q, const double *u, double *own_q, double *own_u)
{
    const Made *m = static_cast<Made *>(made);
    for (int32_t i = 0; i < m->system->bodies; i++) {
        const bench_body &body = m->system->body[i];
        memcpy(own_q + m->q[i], q + body.q, bench_coordinates(&body) * sizeof *q);
        memcpy(own_u + m->u[i], u + body.u, bench_freedoms(&body) * sizeof *u);
        if (body.ball) {
            double r[3][3];
            rct_rotation(q + body.q, r);
            rct_rotate(r, u + body.u, own_u + m->u[i]);
        }
    }
}

void yield(void *made, const double *q, const double *, const double *own_du, double *du)
{
    const Made *m = static_cast<Made *>(made);
    for (int32_t i = 0; i < m->system->bodies; i++) {
        const bench_body &body = m->system->body[i];
        memcpy(du + body.u, own_du + m->u[i], bench_freedoms(&body) * sizeof *du);
        if (body.ball) {
            double r[3][3];
            rct_rotation(q + body.q, r);
            rct_rotate_back(r, own_du + m->u[i], du + body.u);
        }
    }
}

int forward(void *made, const double *own_q, const double *own_u, double *own_du)
{
    auto *m = static_cast<Made *>(made);
    try {
        memcpy(&m->state.updQ()[0], own_q, static_cast<size_t>(m->state.getNQ()) * sizeof *own_q);
        memcpy(&m->state.updU()[0], own_u, static_cast<size_t>(m->state.getNU()) * sizeof *own_u);
        m->multibody.realize(m->state, Stage::Acceleration);
    } catch (const std::exception &) {
        return 0;
    }
    memcpy(own_du, &m->state.getUDot()[0], static_cast<size_t>(m->state.getNU()) * sizeof *own_du);
    return 1;
}

} // namespace

extern "C" const bench_peer *bench_peer_here(int number)
{
    static const bench_peer peer = {
        "Simbody",
        BENCH_VERSION ", as its package comes",
        "MultibodySystem::realize(Stage::Acceleration)",
        "MultibodySystem::realize(Stage::Acceleration), Constraint::PointInPlane and Ball",
        make,
        free_made,
        adopt,
        yield,
        forward,
    };
    return number == 0 ? &peer : nullptr;
}
