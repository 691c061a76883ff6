/* Pinocchio by the contract of peers (peer.h), its headers alone, compiled with the flags that `version` names: trees by aba in
 * either convention, loops by constraintDynamics and lcaba. A loop is a contact of points, CONTACT_3D, also where bodies move in
 * a plane: the third row, which then follows from the hinges, is left to the proximal iteration.
 *
 * Coordinates are the neutral ones, but that quaternions are x y z w. A free body has position and velocity first, the latter, v, in
 * its own axes: R v of the neutral one, whose derivative is R (v' + w x v), with R its turn and w its angular velocity. */
#include "bench/peers/peer.h"

#include "core/rotation.h"

#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/constrained-dynamics.hpp>
#include <pinocchio/algorithm/loop-constrained-aba.hpp>
#include <pinocchio/config.hpp>
#include <pinocchio/multibody.hpp>

#include <cstdio>
#include <cstring>
#include <exception>
#include <memory>
#include <string>
#include <vector>

namespace
{

using Eigen::Vector3d;
using pinocchio::Convention;
using pinocchio::Data;
using pinocchio::Model;
using States = Eigen::Map<const Eigen::VectorXd>;

const double most_bytes = 4e9;

Model model_of(const bench_system &system);

struct Made {
    const bench_system *system;
    Model model;
    Data data;
    Eigen::VectorXd tau;
    std::vector<pinocchio::RigidConstraintModel> loops;
    std::vector<pinocchio::RigidConstraintData> of_loops;
    pinocchio::ProximalSettings settings;

    explicit Made(const bench_system *given)
        : system(given), model(model_of(*given)), data(model), tau(Eigen::VectorXd::Zero(model.nv))
    {
        const Eigen::Matrix3d along = Eigen::Matrix3d::Identity();
        for (int32_t i = 0; i < given->loops; i++) {
            const bench_loop &loop = given->loop[i];
            const auto body = static_cast<pinocchio::JointIndex>(loop.body + 1);
            const auto other = static_cast<pinocchio::JointIndex>(loop.other + 1);
            const pinocchio::SE3 placed(along, Vector3d(loop.at));
            const pinocchio::SE3 other_placed(along, Vector3d(loop.other_at));
            loops.emplace_back(pinocchio::CONTACT_3D, model, other, other_placed, body, placed);
            of_loops.push_back(loops.back().createData());
        }
    }
};

Model::JointModel hinge(const bench_body &body)
{
    if (body.free) {
        return pinocchio::JointModelFreeFlyer();
    }
    if (body.ball) {
        return pinocchio::JointModelSpherical();
    }
    if (body.axis[0] == 1.0) {
        return pinocchio::JointModelRX();
    }
    if (body.axis[1] == 1.0) {
        return pinocchio::JointModelRY();
    }
    if (body.axis[2] == 1.0) {
        return pinocchio::JointModelRZ();
    }
    return pinocchio::JointModelRevoluteUnaligned(Vector3d(body.axis));
}

Model model_of(const bench_system &system)
{
    Model model;
    model.gravity.linear() = Vector3d(system.gravity);
    for (int32_t i = 0; i < system.bodies; i++) {
        const bench_body &body = system.body[i];
        const double *j = body.inertia;
        Eigen::Matrix3d inertia;
        inertia << j[0], j[3], j[4], j[3], j[1], j[5], j[4], j[5], j[2];
        const pinocchio::SE3 placed(Eigen::Matrix3d::Identity(), Vector3d(body.at));
        const auto parent = static_cast<pinocchio::JointIndex>(body.parent + 1);
        const auto joint = model.addJoint(parent, hinge(body), placed, std::to_string(i));
        model.appendBodyToJoint(joint, pinocchio::Inertia(body.mass, Vector3d(body.com), inertia),
                                pinocchio::SE3::Identity());
    }
    return model;
}

/* Data has room for more than a call needs: some 9 numbers for each two freedoms, 57 for each body and freedom. */
void *make(const bench_system *system, const pinocchio::ProximalSettings &settings,
           void (*ready)(Made &), char *reason)
{
    const double freedoms = system->freedoms;
    const double bytes = sizeof(double) * freedoms * (9.0 * freedoms + 57.0 * system->bodies);
    if (bytes > most_bytes) {
        snprintf(reason, BENCH_REASON, "its Data would take %.2g GB", 1e-9 * bytes);
        return nullptr;
    }
    try {
        auto m = std::make_unique<Made>(system);
        m->settings = settings;
        ready(*m);
        return m.release();
    } catch (const std::exception &error) {
        snprintf(reason, BENCH_REASON, "%.200s", error.what());
    }
    return nullptr;
}

void *make_tree(const bench_system *system, char *reason)
{
    return make(
        system, {}, [](Made &) {}, reason);
}

void init_constraints(Made &m)
{
    pinocchio::initConstraintDynamics(m.model, m.data, m.loops, m.of_loops);
}

void *make_constraints(const bench_system *system, char *reason)
{
    return make(system, {1e-10, 1e-10, 100}, init_constraints, reason);
}

void order_joints(Made &m)
{
    pinocchio::computeJointMinimalOrdering(m.model, m.data, m.loops);
}

void *make_lcaba_typical(const bench_system *system, char *reason)
{
    return make(system, {1e-6, 1e-6, 100}, order_joints, reason);
}

void *make_lcaba_fine(const bench_system *system, char *reason)
{
    return make(system, {1e-10, 1e-4, 100}, order_joints, reason);
}

void free_made(void *made)
{
    delete static_cast<Made *>(made);
}

/* Joint i + 1 is that of body i, with the freedoms in the same order. */
void adopt(void *made, const double *q, const double *u, double *own_q, double *own_u)
{
    const bench_system *system = static_cast<Made *>(made)->system;
    for (int32_t i = 0; i < system->bodies; i++) {
        const bench_body &body = system->body[i];
        const double *from = q + body.q;
        double *to = own_q + body.q;
        double r[3][3];
        to[0] = from[0];
        if (body.free) {
            memcpy(to, from + 4, 3 * sizeof *to);
            to += 3;
        }
        if (body.ball) {
            memcpy(to, from + 1, 3 * sizeof *to);
            to[3] = from[0];
        }
        memcpy(own_u + body.u, u + body.u, (body.ball ? 3 : 1) * sizeof *u);
        if (body.free) {
            rct_rotation(from, r);
            rct_rotate_back(r, u + body.u + 3, own_u + body.u);
            memcpy(own_u + body.u + 3, u + body.u, 3 * sizeof *u);
        }
    }
}

void yield(void *made, const double *q, const double *u, const double *own_du, double *du)
{
    const bench_system *system = static_cast<Made *>(made)->system;
    memcpy(du, own_du, static_cast<size_t>(system->freedoms) * sizeof *du);
    for (int32_t i = 0; i < system->bodies; i++) {
        const bench_body &body = system->body[i];
        double r[3][3], velocity[3], turning[3];
        if (body.free) {
            rct_rotation(q + body.q, r);
            rct_rotate_back(r, u + body.u + 3, velocity);
            rct_cross(u + body.u, velocity, turning);
            for (int k = 0; k < 3; k++) {
                turning[k] += own_du[body.u + k];
            }
            memcpy(du + body.u, own_du + body.u + 3, 3 * sizeof *du);
            rct_rotate(r, turning, du + body.u + 3);
        }
    }
}

template <Convention CONVENTION>
int forward(void *made, const double *own_q, const double *own_u, double *own_du)
{
    auto *m = static_cast<Made *>(made);
    const States q(own_q, m->model.nq);
    const States v(own_u, m->model.nv);
    Eigen::Map<Eigen::VectorXd>(own_du, m->model.nv) =
        pinocchio::aba(m->model, m->data, q, v, m->tau, CONVENTION);
    return 1;
}

int forward_constraints(void *made, const double *own_q, const double *own_u, double *own_du)
{
    auto *m = static_cast<Made *>(made);
    const States q(own_q, m->model.nq);
    const States v(own_u, m->model.nv);
    Eigen::Map<Eigen::VectorXd>(own_du, m->model.nv) = pinocchio::constraintDynamics(
        m->model, m->data, q, v, m->tau, m->loops, m->of_loops, m->settings);
    return 1;
}

int forward_lcaba(void *made, const double *own_q, const double *own_u, double *own_du)
{
    auto *m = static_cast<Made *>(made);
    const States q(own_q, m->model.nq);
    const States v(own_u, m->model.nv);
    Eigen::Map<Eigen::VectorXd>(own_du, m->model.nv) =
        pinocchio::lcaba(m->model, m->data, q, v, m->tau, m->loops, m->of_loops, m->settings);
    return 1;
}

const char version[] = PINOCCHIO_VERSION ", " BENCH_FLAGS;

const bench_peer peers[] = {
    {"Pinocchio LOCAL", version, "pinocchio::aba, Convention::LOCAL", nullptr, make_tree, free_made,
     adopt, yield, forward<Convention::LOCAL>},
    {"Pinocchio WORLD", version, "pinocchio::aba, Convention::WORLD", nullptr, make_tree, free_made,
     adopt, yield, forward<Convention::WORLD>},
    {"Pinocchio constraintDynamics", version, nullptr,
     "pinocchio::constraintDynamics, mu 1e-10, accuracy 1e-10", make_constraints, free_made, adopt,
     yield, forward_constraints},
    {"Pinocchio lcaba", version, nullptr, "pinocchio::lcaba, mu 1e-6, accuracy 1e-6",
     make_lcaba_typical, free_made, adopt, yield, forward_lcaba},
    {"Pinocchio lcaba, fine", version, nullptr, "pinocchio::lcaba, mu 1e-4, accuracy 1e-10",
     make_lcaba_fine, free_made, adopt, yield, forward_lcaba},
};

} // namespace

extern "C" const bench_peer *bench_peer_here(int number)
{
    return number < static_cast<int>(sizeof peers / sizeof peers[0]) ? &peers[number] : nullptr;
}
