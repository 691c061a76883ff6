/* Bullet by the contract of peers (peer.h): a btMultiBody in double precision, as its package comes, for trees alone, whose
 * accelerations are asked for as its world does that integrates by Runge-Kutta. Loops are impulses of an iterative solver there, not
 * accelerations. A free body can only be the base, of which a system has one.
 *
 * Links have the axes of their principal inertia, those of the body turned by P: rates of a ball hinge are P^T u of the neutral ones,
 * and its quaternion is turned alike. The base moves by its centre of mass, in axes of the ground. */
#include "bench/peers/peer.h"

#include <BulletDynamics/Featherstone/btMultiBody.h>

#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

namespace
{

const double most_bytes =
    4e9; // of the square of freedoms, for factors of which it keeps 9 a hinge at most

struct Made {
    const bench_system *system;
    bool floats; // body 0 is the base, body i link i - 1; else body i is link i
    std::vector<btMatrix3x3> principal;
    std::unique_ptr<btMultiBody> tree;
    btAlignedObjectArray<btScalar> numbers;
    btAlignedObjectArray<btVector3> vectors;
    btAlignedObjectArray<btMatrix3x3> matrices;

    explicit Made(const bench_system *given);
    int link(int32_t body) const
    {
        return body - (floats ? 1 : 0);
    }
};

btVector3 vector_of(const double x[3])
{
    return btVector3(x[0], x[1], x[2]);
}

void give(const btVector3 &x, double to[3])
{
    for (int k = 0; k < 3; k++) {
        to[k] = x[k];
    }
}

/* Axes in which the inertia of a body is diagonal, and that diagonal. */
btMatrix3x3 principal_of(const bench_body &body, btVector3 &diagonal)
{
    const double *j = body.inertia;
    btMatrix3x3 inertia(j[0], j[3], j[4], j[3], j[1], j[5], j[4], j[5], j[2]);
    btMatrix3x3 turn;
    inertia.diagonalize(turn, 1e-16, 50);
    diagonal = btVector3(inertia[0][0], inertia[1][1], inertia[2][2]);
    return turn;
}

btQuaternion quaternion_of(const btMatrix3x3 &turn)
{
    btQuaternion q;
    turn.getRotation(q);
    return q;
}

/* Body i on its hinge. */
void hang(Made &m, int32_t i, const btVector3 &inertia)
{
    const bench_body &body = m.system->body[i];
    const btMatrix3x3 back = m.principal[i].transpose();
    const btMatrix3x3 of_parent =
        body.parent < 0 ? btMatrix3x3::getIdentity() : m.principal[body.parent];
    const btVector3 from =
        body.parent < 0 ? btVector3(0, 0, 0) : vector_of(m.system->body[body.parent].com);
    const btQuaternion turn = quaternion_of(back * of_parent);
    const btVector3 at = of_parent.transpose() * (vector_of(body.at) - from);
    const btVector3 com = back * vector_of(body.com);
    const int link = m.link(i), parent = body.parent < 0 ? -1 : m.link(body.parent);
    if (body.ball) {
        m.tree->setupSpherical(link, body.mass, inertia, parent, turn, at, com, true);
    } else {
        m.tree->setupRevolute(link, body.mass, inertia, parent, turn, back * vector_of(body.axis),
                              at, com, true);
    }
}

Made::Made(const bench_system *given) : system(given), floats(given->body[0].free != 0)
{
    std::vector<btVector3> inertia(given->bodies);
    for (int32_t i = 0; i < given->bodies; i++) {
        principal.push_back(principal_of(given->body[i], inertia[i]));
    }
    const btVector3 gravity = vector_of(given->gravity);
    tree = std::make_unique<btMultiBody>(given->bodies - (floats ? 1 : 0), given->body[0].mass,
                                         inertia[0], !floats, false);
    tree->setLinearDamping(0);
    tree->setAngularDamping(0);
    tree->addBaseForce(gravity * given->body[0].mass);
    for (int32_t i = floats ? 1 : 0; i < given->bodies; i++) {
        hang(*this, i, inertia[i]);
        tree->addLinkForce(link(i), gravity * given->body[i].mass);
    }
    tree->finalizeMultiDof();
}

void *make(const bench_system *system, char *reason)
{
    const double freedoms = system->freedoms;
    if (sizeof(btScalar) * freedoms * freedoms > most_bytes) {
        snprintf(reason, BENCH_REASON, "its buffer would take %.2g GB",
                 1e-9 * sizeof(btScalar) * freedoms * freedoms);
        return nullptr;
    }
    for (int32_t i = 0; i < system->bodies; i++) {
        if (i > 0 &&
            (system->body[i].free || (system->body[0].free && system->body[i].parent < 0))) {
            snprintf(reason, BENCH_REASON, "beside a free body it has no other on the ground");
            return nullptr;
        }
    }
    return new Made(system);
}

void free_made(void *made)
{
    delete static_cast<Made *>(made);
}

/* Velocity of the centre of mass of the base, or its acceleration but for what goes with the square of rates. */
btVector3 carried(const bench_body &body, const btMatrix3x3 &turn, const btVector3 &rate)
{
    return rate.cross(turn * vector_of(body.com));
}

void adopt(void *made, const double *q, const double *u, double *own_q, double *own_u)
{
    const Made *m = static_cast<Made *>(made);
    for (int32_t i = 0; i < m->system->bodies; i++) {
        const bench_body &body = m->system->body[i];
        const double *from = q + body.q;
        const btMatrix3x3 &turn = m->principal[i];
        const btVector3 x = vector_of(u + body.u);
        if (!body.ball) {
            own_q[body.q] = q[body.q];
            own_u[body.u] = u[body.u];
        } else if (body.free) {
            const btMatrix3x3 stands(btQuaternion(from[1], from[2], from[3], from[0]));
            const btQuaternion back = quaternion_of((stands * turn).transpose());
            const btVector3 rate = stands * x;
            for (int k = 0; k < 4; k++) {
                own_q[body.q + k] = back[k];
            }
            give(vector_of(from + 4) + stands * vector_of(body.com), own_q + body.q + 4);
            give(rate, own_u + body.u);
            give(vector_of(u + body.u + 3) + carried(body, stands, rate), own_u + body.u + 3);
        } else {
            give(turn.transpose() * vector_of(from + 1), own_q + body.q);
            own_q[body.q + 3] = from[0];
            give(turn.transpose() * x, own_u + body.u);
        }
    }
}

void yield(void *made, const double *q, const double *u, const double *own_du, double *du)
{
    const Made *m = static_cast<Made *>(made);
    for (int32_t i = 0; i < m->system->bodies; i++) {
        const bench_body &body = m->system->body[i];
        const double *from = q + body.q;
        const btVector3 x = vector_of(own_du + body.u);
        if (!body.ball) {
            du[body.u] = own_du[body.u];
        } else if (body.free) {
            const btMatrix3x3 stands(btQuaternion(from[1], from[2], from[3], from[0]));
            const btVector3 rate = stands * vector_of(u + body.u);
            const btVector3 turning = rate.cross(carried(body, stands, rate));
            give(stands.transpose() * x, du + body.u);
            give(vector_of(own_du + body.u + 3) - carried(body, stands, x) - turning,
                 du + body.u + 3);
        } else {
            give(m->principal[i] * x, du + body.u);
        }
    }
}

int forward(void *made, const double *own_q, const double *own_u, double *own_du)
{
    auto *m = static_cast<Made *>(made);
    if (m->floats) {
        m->tree->setWorldToBaseRot(btQuaternion(own_q[0], own_q[1], own_q[2], own_q[3]));
        m->tree->setBasePos(vector_of(own_q + 4));
        m->tree->setBaseOmega(vector_of(own_u));
        m->tree->setBaseVel(vector_of(own_u + 3));
    }
    for (int32_t i = m->floats ? 1 : 0; i < m->system->bodies; i++) {
        const bench_body &body = m->system->body[i];
        m->tree->setJointPosMultiDof(m->link(i), own_q + body.q);
        m->tree->setJointVelMultiDof(m->link(i), own_u + body.u);
    }
    m->tree->computeAccelerationsArticulatedBodyAlgorithmMultiDof(0, m->numbers, m->vectors,
                                                                  m->matrices, false, false, false);
    const btScalar *found = &m->numbers[m->tree->getNumDofs() + (m->floats ? 0 : 6)];
    memcpy(own_du, found, static_cast<size_t>(m->system->freedoms) * sizeof *own_du);
    return 1;
}

} // namespace

extern "C" const bench_peer *bench_peer_here(int number)
{
    static const bench_peer peer = {
        "Bullet",
        BENCH_VERSION ", double, as its package comes",
        "btMultiBody::computeAccelerationsArticulatedBodyAlgorithmMultiDof",
        nullptr,
        make,
        free_made,
        adopt,
        yield,
        forward,
    };
    return number == 0 ? &peer : nullptr;
}
