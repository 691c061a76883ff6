/* RBDL by the contract of peers (peer.h), from a folder of the user; compiled with the flags that `version` names, which
 * must be those of that RBDL, since layouts of Eigen depend on them. A loop has a row for each of its constraints.
 *
 * Rates are the neutral ones; quaternions are x y z and, behind all coordinates, w. A free body has two joints, of position and
 * velocity the first. */
#include "bench/peers/peer.h"

#include <rbdl/rbdl.h>

#include <cstdio>
#include <cstring>
#include <exception>
#include <vector>

namespace
{

using namespace RigidBodyDynamics;
using Math::Vector3d;
using Math::VectorNd;

struct Made {
    const bench_system *system;
    Model model;
    ConstraintSet loops;
    VectorNd q, u, tau, du;
    std::vector<unsigned> id; // of each body
};

const double most_numbers = 2e7; // a call takes ten seconds beyond
const int32_t most_bodies =
    1e5; // a minute to make: each body that is added sorts the joints of all

Joint hinge(const bench_body &body)
{
    if (body.ball) {
        return Joint(body.free ? JointTypeFloatingBase : JointTypeSpherical);
    }
    return Joint(JointTypeRevolute, Vector3d(body.axis[0], body.axis[1], body.axis[2]));
}

void close(Made &m, const bench_loop &loop)
{
    double row[3][3];
    const int rows = bench_loop_rows(&loop, row);
    const auto placed = Math::Xtrans(Vector3d(loop.at[0], loop.at[1], loop.at[2]));
    const auto other = Math::Xtrans(Vector3d(loop.other_at[0], loop.other_at[1], loop.other_at[2]));
    for (int k = 0; k < rows; k++) {
        m.loops.AddLoopConstraint(m.id[loop.other], m.id[loop.body], other, placed,
                                  Math::SpatialVector(0, 0, 0, row[k][0], row[k][1], row[k][2]));
    }
}

/* Of the system of accelerations and forces of loops. */
double matrix_numbers(const bench_system &system)
{
    double size = system.freedoms;
    for (int32_t i = 0; i < system.loops; i++) {
        size += system.loop[i].ball ? 3.0 : 2.0;
    }
    return size * size;
}

void *make(const bench_system *system, char *reason)
{
    const double numbers = matrix_numbers(*system);
    if (system->loops > 0 && numbers > most_numbers) {
        snprintf(reason, BENCH_REASON, "its matrix would have %.1e numbers", numbers);
        return nullptr;
    }
    if (system->bodies > most_bodies) {
        snprintf(reason, BENCH_REASON, "to make it takes hours, as the square of its bodies");
        return nullptr;
    }
    try {
        auto *m = new Made{system, Model(), {}, {}, {}, {}, {}, {}};
        m->model.gravity = Vector3d(system->gravity[0], system->gravity[1], system->gravity[2]);
        for (int32_t i = 0; i < system->bodies; i++) {
            const bench_body &body = system->body[i];
            const double *j = body.inertia;
            const Math::Matrix3d inertia(j[0], j[3], j[4], j[3], j[1], j[5], j[4], j[5], j[2]);
            const Body added(body.mass, Vector3d(body.com[0], body.com[1], body.com[2]), inertia);
            const Vector3d at(body.at[0], body.at[1], body.at[2]);
            const unsigned parent = body.parent < 0 ? 0 : m->id[body.parent];
            m->id.push_back(m->model.AddBody(parent, Math::Xtrans(at), hinge(body), added));
        }
        for (int32_t i = 0; i < system->loops; i++) {
            close(*m, system->loop[i]);
        }
        if (system->loops > 0) { // else it has matrices of all freedoms that nothing asks for
            m->loops.SetSolver(Math::LinearSolverPartialPivLU);
            m->loops.Bind(m->model);
        }
        m->q = VectorNd::Zero(m->model.q_size);
        m->u = m->tau = m->du = VectorNd::Zero(m->model.qdot_size);
        return m;
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
        const unsigned place = m->model.mJoints[m->id[i]].q_index;
        own_q[place] = q[body.q];
        own_u[place] = u[body.u];
        if (body.ball) {
            memcpy(own_q + place, q + body.q + 1, 3 * sizeof *q);
            memcpy(own_u + place, u + body.u, 3 * sizeof *u);
            own_q[m->model.multdof3_w_index[m->id[i]]] = q[body.q];
        }
        if (body.free) {
            memcpy(own_q + place - 3, q + body.q + 4, 3 * sizeof *q);
            memcpy(own_u + place - 3, u + body.u + 3, 3 * sizeof *u);
        }
    }
}

void yield(void *made, const double *, const double *, const double *own_du, double *du)
{
    const Made *m = static_cast<Made *>(made);
    for (int32_t i = 0; i < m->system->bodies; i++) {
        const bench_body &body = m->system->body[i];
        const unsigned place = m->model.mJoints[m->id[i]].q_index;
        memcpy(du + body.u, own_du + place, (body.ball ? 3 : 1) * sizeof *du);
        if (body.free) {
            memcpy(du + body.u + 3, own_du + place - 3, 3 * sizeof *du);
        }
    }
}

int forward(void *made, const double *own_q, const double *own_u, double *own_du)
{
    auto *m = static_cast<Made *>(made);
    memcpy(m->q.data(), own_q, static_cast<size_t>(m->q.size()) * sizeof *own_q);
    memcpy(m->u.data(), own_u, static_cast<size_t>(m->u.size()) * sizeof *own_u);
    if (m->system->loops == 0) {
        ForwardDynamics(m->model, m->q, m->u, m->tau, m->du);
    } else {
        ForwardDynamicsConstraintsDirect(m->model, m->q, m->u, m->tau, m->loops, m->du);
    }
    memcpy(own_du, m->du.data(), static_cast<size_t>(m->du.size()) * sizeof *own_du);
    return 1;
}

} // namespace

extern "C" const bench_peer *bench_peer_here(int number)
{
    static char version[64];
    static const bench_peer peer = {
        "RBDL",
        version,
        "ForwardDynamics",
        "ForwardDynamicsConstraintsDirect, LinearSolverPartialPivLU",
        make,
        free_made,
        adopt,
        yield,
        forward,
    };
    const int v = rbdl_get_api_version();
    snprintf(version, sizeof version, "%d.%d.%d, %s", v >> 16 & 255, v >> 8 & 255, v & 255,
             BENCH_FLAGS);
    return number == 0 ? &peer : nullptr;
}
