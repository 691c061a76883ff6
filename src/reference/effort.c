/* Forces at hinges as riccatree/force.h describes them, as efforts of joints. Splines are given
 * by their slopes m_i at the rows. Natural splines have
 *
 *     2 m_0 + m_1 = 3 s_0      m_i-1 / h_i-1 + 2 (1 / h_i-1 + 1 / h_i) m_i + m_i+1 / h_i = 3 (s_i-1 / h_i-1 + s_i / h_i)
 *
 * with the lengths h_i and slopes s_i of the chords, and the same condition at the end;
 * Hermite's polynomials between rows. */
#include "core/memory.h"
#include "model/model.h"
#include "reference/pose.h"

/* Value, first and second derivative. */
typedef struct motion {
    quad x, v, a;
} motion;

typedef struct table {
    const double *at; /* [rows][2] */
    int64_t rows;
} table;

static quad length_at(const table *f, int64_t i)
{
    return (quad)f->at[2 * i + 2] - f->at[2 * i];
}

static quad chord_at(const table *f, int64_t i)
{
    return ((quad)f->at[2 * i + 3] - f->at[2 * i + 1]) / length_at(f, i);
}

/* m [rows]; `next` [rows] is work space of the elimination. */
static void find_slopes(const table *f, quad *m, quad *next)
{
    const int64_t last = f->rows - 1;
    for (int64_t i = 0; i <= last; i++) {
        const quad before = i > 0 ? 1 / length_at(f, i - 1) : 0;
        const quad after = i < last ? 1 / length_at(f, i) : 0;
        const quad right = 3 * ((i > 0 ? before * chord_at(f, i - 1) : 0) +
                                (i < last ? after * chord_at(f, i) : 0));
        const quad pivot = 2 * (before + after) - (i > 0 ? before * next[i - 1] : 0);
        next[i] = after / pivot;
        m[i] = (right - (i > 0 ? before * m[i - 1] : 0)) / pivot;
    }
    for (int64_t i = last - 1; i >= 0; i--) {
        m[i] -= next[i] * m[i + 1];
    }
}

static motion between(const table *f, const quad *m, int64_t i, quad x)
{
    const quad h = length_at(f, i), s = (x - f->at[2 * i]) / h, r = 1 - s;
    const quad a = f->at[2 * i + 1], b = f->at[2 * i + 3];
    return (motion){
        a * (1 + 2 * s) * r * r + b * s * s * (3 - 2 * s) + h * s * r * (m[i] * r - m[i + 1] * s),
        6 * s * r * (b - a) / h + m[i] * r * (1 - 3 * s) + m[i + 1] * s * (3 * s - 2),
        6 * (r - s) * (b - a) / h / h + (m[i] * (6 * s - 4) + m[i + 1] * (6 * s - 2)) / h};
}

static rct_status table_at(const table *f, quad x, motion *out, rct_error *error)
{
    const int64_t last = f->rows - 1;
    quad *m = rct_allocate(2 * f->rows, sizeof *m, "the table of a force", error);
    if (m == NULL) {
        return RCT_ERROR_MEMORY;
    }
    find_slopes(f, m, m + f->rows);
    if (x <= f->at[0]) {
        *out = (motion){f->at[1] + m[0] * (x - f->at[0]), m[0], 0};
    } else if (x >= f->at[2 * last]) {
        *out = (motion){f->at[2 * last + 1] + m[last] * (x - f->at[2 * last]), m[last], 0};
    } else {
        int64_t i = 0;
        while (x >= f->at[2 * i + 2]) {
            i++;
        }
        *out = between(f, m, i, x);
    }
    rct_release(m);
    return RCT_OK;
}

static quad friction(const rct_force *f, double u)
{
    const double twice = exp(-2.0 * fabs(u) / f->slip), way = u / f->stribeck;
    const double size = f->breakaway == 0.0
                            ? f->coulomb
                            : f->coulomb + (f->breakaway - f->coulomb) / exp(way * way);
    const double held = size * (1.0 - twice) / (1.0 + twice);
    return u > 0.0 ? -held : held;
}

static quad limit(const rct_force *f, double q, double u)
{
    quad push = 0;
    if (q > f->upper) {
        push = (quad)f->stiffness * ((quad)q - f->upper) + (quad)f->damping * u;
        return push > 0 ? -push : 0;
    }
    if (q < f->lower) {
        push = (quad)f->stiffness * ((quad)f->lower - q) - (quad)f->damping * u;
    }
    return push > 0 ? push : 0;
}

static quad servo(const rct_force *f, motion goal, double q, double u)
{
    const quad effort = f->stiffness * (goal.x - q) + f->damping * (goal.v - u);
    const quad most = f->saturation;
    return most > 0 && effort > most ? most : most > 0 && effort < -most ? -most : effort;
}

static rct_status find_effort(const rct_force *f, double time, double q, double u, quad *effort,
                              rct_error *error)
{
    const double angle = f->phase + f->angular_frequency * time;
    motion at = {(quad)f->target + (quad)f->target_rate * time + f->amplitude * sin(angle),
                 (quad)f->target_rate + f->amplitude * (f->angular_frequency * cos(angle)), 0};
    rct_status status = RCT_OK;
    if (f->rows > 0) {
        const int by_time = f->type == RCT_FORCE_SERVO || f->over == RCT_OVER_TIME;
        const double x = by_time ? time : f->over == RCT_OVER_RATE ? u : q;
        status = table_at(&(table){f->table, f->rows}, x, &at, error);
    }
    *effort = f->type == RCT_FORCE_FRICTION ? friction(f, u)
              : f->type == RCT_FORCE_LIMIT  ? limit(f, q, u)
              : f->type == RCT_FORCE_SERVO  ? servo(f, at, q, u)
                                            : at.x;
    return status;
}

rct_status rct_joint_exert(const rct_model *model, double time, int32_t body, const double *q,
                           const double *u, rct_joint *joint, rct_error *error)
{
    const int is_ball = rct_bodies_at(model->bodies, body)->hinge == RCT_HINGE_BALL;
    rct_status status = RCT_OK;
    for (int32_t i = 0; i < model->force_count && status == RCT_OK; i++) {
        const rct_force *f = &model->forces[i];
        const int at_hinge = f->type == RCT_FORCE_FRICTION || f->type == RCT_FORCE_LIMIT ||
                             f->type == RCT_FORCE_SERVO || f->type == RCT_FORCE_CURVE;
        const int32_t k = f->coordinate;
        quad effort = 0;
        if (at_hinge && f->body == body && !is_ball) {
            status = find_effort(f, time, q[k], u[k], &effort, error);
            joint->more[k] += effort;
            joint->tau[k] += effort;
        }
    }
    return status;
}

quad3 rct_pose_ball_friction(const rct_model *model, int32_t body, quad3 slip)
{
    const quad speed = quad_root(quad3_dot(slip, slip));
    quad3 torque = {{0, 0, 0}};
    for (int32_t i = 0; i < model->force_count; i++) {
        const rct_force *f = &model->forces[i];
        if (f->type == RCT_FORCE_FRICTION && f->body == body && speed > 0) {
            torque = quad3_add(torque, quad3_scale(friction(f, (double)speed) / speed, slip));
        }
    }
    return torque;
}

quad rct_relation_second(const rct_loop *loop, double time)
{
    const double w = loop->angular_frequency;
    motion at = {0, 0, loop->acceleration - loop->amplitude * w * w * sin(loop->phase + w * time)};
    if (loop->rows > 0 && table_at(&(table){loop->table, loop->rows}, time, &at, NULL) != RCT_OK) {
        return NAN;
    }
    return at.a;
}
