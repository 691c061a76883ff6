/* Pinocchio by the contract of peers (peer.h), its headers alone, compiled with the flags that `version` names, by the
 * convention of aba that is BENCH_CONVENTION: LOCAL, its default, or WORLD.
 *
 * A Data has, besides what aba needs, four tensors of nv^3 numbers for second derivatives, which nothing leaves out.
 *
 * Coordinates are the neutral ones, but that quaternions are x y z w. */
#include "bench/peers/peer.h"

#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/config.hpp>
#include <pinocchio/multibody.hpp>

#include <cmath>
#include <cstdio>
#include <cstring>
#include <exception>
#include <string>

#define BENCH_QUOTED(word) #word
#define BENCH_TEXT(word)   BENCH_QUOTED(word)

namespace
{

using Eigen::Vector3d;
using pinocchio::Data;
using pinocchio::Model;
using States = Eigen::Map<const Eigen::VectorXd>;

const double most_bytes = 4e9;

struct Made {
    const bench_system *system;
    Model model;
    Data data;
    Eigen::VectorXd tau;
};

Model::JointModel hinge(const bench_body &body)
{
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

void *make(const bench_system *system, char *reason)
{
    const double tensors = 4.0 * sizeof(double) * std::pow(system->freedoms, 3.0);
    if (tensors > most_bytes) {
        snprintf(reason, BENCH_REASON, "its Data would take %.2g GB for derivatives",
                 1e-9 * tensors);
        return nullptr;
    }
    try {
        const Model model = model_of(*system);
        return new Made{system, model, Data(model), Eigen::VectorXd::Zero(model.nv)};
    } catch (const std::exception &error) {
        snprintf(reason, BENCH_REASON, "%.200s", error.what());
    }
    return nullptr;
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
        to[0] = from[0];
        if (body.ball) {
            memcpy(to, from + 1, 3 * sizeof *to);
            to[3] = from[0];
        }
    }
    memcpy(own_u, u, static_cast<size_t>(system->freedoms) * sizeof *u);
}

void yield(void *made, const double *, const double *, const double *own_du, double *du)
{
    memcpy(du, own_du,
           static_cast<size_t>(static_cast<Made *>(made)->system->freedoms) * sizeof *du);
}

int forward(void *made, const double *own_q, const double *own_u, double *own_du)
{
    auto *m = static_cast<Made *>(made);
    const States q(own_q, m->model.nq);
    const States v(own_u, m->model.nv);
    Eigen::Map<Eigen::VectorXd>(own_du, m->model.nv) =
        pinocchio::aba(m->model, m->data, q, v, m->tau, pinocchio::Convention::BENCH_CONVENTION);
    return 1;
}

} // namespace

extern "C" const bench_peer *bench_peer_here(void)
{
    static const bench_peer peer = {
        "Pinocchio " BENCH_TEXT(BENCH_CONVENTION),
        PINOCCHIO_VERSION ", " BENCH_FLAGS,
        "pinocchio::aba, Convention::" BENCH_TEXT(BENCH_CONVENTION),
        make,
        free_made,
        adopt,
        yield,
        forward,
    };
    return &peer;
}
