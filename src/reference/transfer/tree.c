/* Trees of transfer matrices, seed 000: subchains from their tips' free ends to the input ends
 * of the body where they meet (eqs. 18-19), bodies of several inputs (eqs. 7-9) behind
 * multi-hinges (eqs. 11-13) with their geometric equations (eqs. 14-17), and on to the roots.
 * All states are affine in the unknowns of the tips; the rows that determine these are the
 * overall transfer equation (eq. 56).
 *
 * A gap in the paper: a hinge (eq. 10) makes m_O = 0 for its outboard body, the next towards the
 * root. So nothing imposes m_{1,O} = 0 of the tips, while m_O = 0 of all other bodies holds for
 * any state of the tips: at roots, and as m_{I_k} = 0 of eq. 15, it adds nothing, and the
 * printed system is singular. The rows m_{1,O} = 0 of the tips replace those rows.
 *
 * A fixed hinge, which is not in the paper, leaves the whole state unchanged: z_I = z_O. Eq. 10
 * uses the condition m_O = 0 of a smooth hinge on the body outboard of it, and so gives W. of
 * that body. If this body is itself fixed, or bodies are fixed to it, W. is an unknown instead;
 * bodies welded together share one W., and m_O = 0 of the last of them is a row. This adds as
 * many rows as unknowns. */
#include "reference/transfer/transfer.h"

#include "core/error.h"
#include "model/model.h"

#include <inttypes.h>
#include <string.h>

static int is_fixed(const rct_transfer_tree *t, int32_t i)
{
    return rct_bodies_at(t->model->bodies, i)->hinge == RCT_HINGE_FIXED;
}

/* Whether eq. 10 gives W. of the body: all hinges on it are smooth, and it has an outboard one. */
static int turns_by_hinge(const rct_transfer_tree *t, int32_t i)
{
    int smooth = t->first[i] >= 0 && !is_fixed(t, i);
    for (int32_t kid = t->first[i]; kid >= 0; kid = t->next[kid]) {
        smooth = smooth && !is_fixed(t, kid);
    }
    return smooth;
}

/* Order the bodies before their parents; find the children of each; number the tips. */
static void connect(rct_transfer_tree *t)
{
    const int32_t n = t->model->count;
    for (int32_t i = 0; i < n; i++) {
        t->first[i] = t->next[i] = -1;
    }
    for (int32_t i = n - 1; i >= 0; i--) { /* the first one has the smallest id */
        const int32_t parent = t->model->bodies->parent[i];
        if (parent != RCT_GROUND) {
            t->next[i] = t->first[parent];
            t->first[parent] = i;
        }
    }
    t->most = 1;
    for (int32_t k = 0; k < n; k++) {
        const int32_t i = t->order[k];
        int32_t inputs = 0;
        for (int32_t at = t->first[i]; at >= 0; at = t->next[at]) {
            inputs++;
        }
        t->most = inputs > t->most ? inputs : t->most;
        t->front[i] = inputs == 0 ? t->tips++ : t->front[t->first[i]];
    }
    t->unknowns = 6 * (int64_t)t->tips;
    for (int32_t i = 0; i < n; i++) {
        const int own = t->first[i] >= 0 && !is_fixed(t, t->first[i]) && !turns_by_hinge(t, i);
        t->anew[i] = own ? t->unknowns : -1;
        t->unknowns += own ? 3 : 0;
    }
}

rct_status rct_transfer_tree_make(rct_transfer_tree *t, rct_error *error)
{
    const int32_t n = t->model->count;
    t->pool.what = "a tree of transfer matrices";
    t->order = rct_pool_take(&t->pool, n, sizeof *t->order, error);
    t->first = rct_pool_take(&t->pool, n, sizeof *t->first, error);
    t->next = rct_pool_take(&t->pool, n, sizeof *t->next, error);
    t->front = rct_pool_take(&t->pool, n, sizeof *t->front, error);
    t->anew = rct_pool_take(&t->pool, n, sizeof *t->anew, error);
    if (t->pool.failed) {
        return RCT_ERROR_MEMORY;
    }
    rct_pose_order(t->model, t->next, t->front); /* roots first */
    for (int32_t k = 0; k < n; k++) {
        t->order[n - 1 - k] = t->next[k];
    }
    connect(t);
    if (t->unknowns > 6 * TRANSFER_MOST_TIPS) {
        return rct_fail(error, RCT_ERROR_UNSUPPORTED,
                        "the model has %" PRId32 " tips, and %" PRId64
                        " unknowns with those of welded bodies; reference transfer takes at most "
                        "%d tips and %d unknowns; use the lagrange reference",
                        t->tips, t->unknowns, (int)TRANSFER_MOST_TIPS, 6 * (int)TRANSFER_MOST_TIPS);
    }
    t->matrix = rct_pool_take(&t->pool, 2 * t->most, sizeof *t->matrix, error);
    return t->matrix != NULL ? RCT_OK : RCT_ERROR_MEMORY;
}

/* ---- states --------------------------------------------------------------------------------- */

static double *front_of(const rct_transfer_states *s, int32_t front)
{
    return s->z + (int64_t)front * STATE_SIZE * s->width;
}

/* out = U z, plus out if `add`; rows of width numbers; out is not z. */
static void apply(const rct_transfer_matrix *U, const double *z, int64_t width, int add,
                  double *out)
{
    if (!add) {
        memset(out, 0, (size_t)(STATE_SIZE * width) * sizeof *out);
    }
    for (int i = 0; i < STATE_SIZE; i++) {
        for (int k = 0; k < STATE_SIZE; k++) {
            const double u = U->u[i][k];
            for (int64_t j = 0; j < width && u != 0.0; j++) {
                out[i * width + j] += u * z[k * width + j];
            }
        }
    }
}

/* Take three rows of eq. 56, zero so far: rows of accelerations from the first row on, all
 * others from the last one. */
static double *take_rows(rct_transfer_states *s, int accelerations)
{
    s->accelerations += accelerations ? 3 : 0;
    s->others += accelerations ? 0 : 3;
    const int64_t at = accelerations ? s->accelerations - 3 : s->count - s->others;
    return memset(s->rows + at * s->width, 0, (size_t)(3 * s->width) * sizeof *s->rows);
}

/* rows += sign z[from..] */
static void add_rows(const rct_transfer_states *s, const double *z, int from, int sign,
                     double *rows)
{
    for (int64_t j = 0; j < 3 * s->width; j++) {
        rows[j] += sign * z[from * s->width + j];
    }
}

/* ---- elements ------------------------------------------------------------------------------- */

typedef struct element {
    const rct_transfer_tree *t;
    rct_transfer_states *s;
    int32_t body;
    rct_transfer_matrix U;
    double *z, *before; /* [13][width] the front of the body, and work space */
} element;

static const double *end_of(const rct_transfer_tree *t, int32_t kid)
{
    return rct_bodies_at(t->model->bodies, kid)->hinge_at;
}

/* Eq. 11: W. of the body from m_O = 0. */
static rct_status turn_by_hinge(const element *e, int inputs, rct_error *error)
{
    const rct_transfer_tree *t = e->t;
    rct_transfer_matrix *hinge = t->matrix + t->most;
    if (!rct_transfer_hinge(&e->U, inputs, t->matrix, hinge)) {
        return rct_model_fail_body(
            t->model, e->body, error, RCT_ERROR_SINGULAR,
            ": its u_{3,2} is singular: a force where its child hangs leaves its "
            "own hinge point at rest, or it has no inertia about some axis; use "
            "the lagrange reference");
    }
    memcpy(e->before, e->z, (size_t)(STATE_SIZE * e->s->width) * sizeof *e->z);
    apply(&hinge[0], e->before, e->s->width, 0, e->z);
    int k = 1;
    for (int32_t kid = t->next[t->first[e->body]]; kid >= 0; kid = t->next[kid]) {
        apply(&hinge[k++], front_of(e->s, t->front[kid]), e->s->width, 1, e->z);
    }
    return RCT_OK;
}

/* W. of the body as unknowns. */
static void turn_anew(const element *e)
{
    const int64_t width = e->s->width, own = e->t->anew[e->body];
    for (int64_t k = 0; k < 3; k++) {
        double *row = memset(e->z + (STATE_W + k) * width, 0, (size_t)width * sizeof *row);
        row[width > 1 ? own + k : 0] = width > 1 ? 1.0 : e->s->x[own + k];
    }
}

/* Eq. 15 for an input beyond the first; also W. for a fixed body. */
static void tie(const element *e, int32_t kid)
{
    const rct_transfer_tree *t = e->t;
    rct_transfer_matrix geometry;
    rct_transfer_geometry(&t->pose[e->body], end_of(t, t->first[e->body]), end_of(t, kid),
                          &geometry);
    apply(&geometry, e->z, e->s->width, 0, e->before);
    for (int from = STATE_R; from <= (is_fixed(t, kid) ? STATE_W : STATE_R); from += STATE_W) {
        double *rows = take_rows(e->s, 1);
        add_rows(e->s, front_of(e->s, t->front[kid]), from, 1, rows);
        add_rows(e->s, e->before, from, -1, rows);
    }
}

/* The state at I_1 of a body that carries others, and the rows of these. */
static rct_status meet(const element *e, rct_error *error)
{
    const rct_transfer_tree *t = e->t;
    const int32_t first = t->first[e->body];
    int inputs = 0;
    for (int32_t kid = first; kid >= 0; kid = t->next[kid]) {
        rct_transfer_input(&t->pose[e->body], end_of(t, kid), &t->matrix[inputs++]);
    }
    if (turns_by_hinge(t, e->body)) {
        const rct_status status = turn_by_hinge(e, inputs, error);
        if (status != RCT_OK) {
            return status;
        }
    } else if (t->anew[e->body] >= 0) {
        turn_anew(e);
    }
    for (int32_t kid = t->next[first]; kid >= 0; kid = t->next[kid]) {
        tie(e, kid);
    }
    return RCT_OK;
}

/* Eq. 7. */
static void cross(const element *e)
{
    const rct_transfer_tree *t = e->t;
    memcpy(e->before, e->z, (size_t)(STATE_SIZE * e->s->width) * sizeof *e->z);
    apply(&e->U, e->before, e->s->width, 0, e->z);
    const int32_t first = t->first[e->body];
    int k = 1;
    for (int32_t kid = first < 0 ? -1 : t->next[first]; kid >= 0; kid = t->next[kid]) {
        apply(&t->matrix[k++], front_of(e->s, t->front[kid]), e->s->width, 1, e->z);
    }
}

/* The known part at the output end of a root: it is held, perhaps also against turning, or free. */
static void end(const element *e)
{
    const rct_transfer_tree *t = e->t;
    const rct_ground *ground = t->ground;
    if (rct_bodies_at(t->model->bodies, e->body)->hinge == RCT_HINGE_FREE) {
        add_rows(e->s, e->z, STATE_Q, 1, take_rows(e->s, 0));
        return;
    }
    rct_hinge_end ends[2];
    rct_pose_ends(t->model, ground, t->pose, e->body, ends);
    const quad3 held =
        quad3_carried(ground->acceleration, ground->omega_dot, ground->pose.omega, ends[1].l);
    double *rows = take_rows(e->s, 1);
    add_rows(e->s, e->z, STATE_R, 1, rows);
    for (int i = 0; i < 3; i++) {
        rows[(i + 1) * e->s->width - 1] -= (double)held.x[i];
    }
    if (is_fixed(t, e->body)) {
        rows = take_rows(e->s, 1);
        add_rows(e->s, e->z, STATE_W, 1, rows);
        for (int i = 0; i < 3; i++) {
            rows[(i + 1) * e->s->width - 1] -= (double)ground->omega_dot.x[i];
        }
    }
}

rct_status rct_transfer_pass(const rct_transfer_tree *t, rct_transfer_states *s,
                             rct_transfer_visit *visit, void *at, rct_error *error)
{
    rct_status status = RCT_OK;
    s->accelerations = s->others = 0;
    for (int32_t k = 0; k < t->model->count && status == RCT_OK; k++) {
        const int32_t i = t->order[k];
        const rct_body *body = rct_bodies_at(t->model->bodies, i);
        element e = {.t = t, .s = s, .body = i, .z = front_of(s, t->front[i])};
        e.before = front_of(s, t->tips);
        /* any point of a tip can be the free end; it is the centre of mass */
        rct_transfer_body(body, &t->pose[i], t->first[i] < 0 ? body->com : end_of(t, t->first[i]),
                          &t->load[i], &e.U);
        if (t->first[i] >= 0) {
            status = meet(&e, error);
        }
        cross(&e);
        if (!is_fixed(t, i) && !turns_by_hinge(t, i)) {
            add_rows(s, e.z, STATE_M, 1, take_rows(s, 0));
        }
        if (t->model->bodies->parent[i] == RCT_GROUND) {
            end(&e);
        }
        if (status == RCT_OK && visit != NULL) {
            status = visit(at, i, e.z, error);
        }
    }
    return status;
}
