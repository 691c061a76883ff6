/* Element transfer matrices of seed 000 in its symbols: bodies by eqs. 4-5, smooth hinges by eq.
 * 10, in plain double precision. Vectors in inertial axes, external moments m_C = 0, f_C = m g. */
#include "reference/transfer/matrix.h"

#include <lapacke.h>
#include <string.h>

/* u_{3,2} with a smaller reciprocal condition number, taken with the norm of the terms it is the
 * sum of, is nothing but their rounding. */
static const double least_condition = 1e-15;

typedef struct mat3 {
    double a[3][3];
} mat3;

typedef struct vec3 {
    double x[3];
} vec3;

static const mat3 I3 = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

static mat3 tilde(vec3 v)
{
    return (mat3){{{0, -v.x[2], v.x[1]}, {v.x[2], 0, -v.x[0]}, {-v.x[1], v.x[0], 0}}};
}

static vec3 apply(mat3 m, vec3 v)
{
    vec3 r = {{0}};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            r.x[i] += m.a[i][k] * v.x[k];
        }
    }
    return r;
}

static mat3 multiply(mat3 a, mat3 b)
{
    mat3 r = {{{0}}};
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            for (int k = 0; k < 3; k++) {
                r.a[i][j] += a.a[i][k] * b.a[k][j];
            }
        }
    }
    return r;
}

static mat3 add(mat3 a, double s, mat3 b)
{
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            a.a[i][j] += s * b.a[i][j];
        }
    }
    return a;
}

static vec3 add_vector(vec3 a, double s, vec3 b)
{
    return (vec3){{a.x[0] + s * b.x[0], a.x[1] + s * b.x[1], a.x[2] + s * b.x[2]}};
}

static void put(rct_transfer_matrix *matrix, int row, int column, mat3 block)
{
    for (int i = 0; i < 3; i++) {
        memcpy(&matrix->u[row + i][column], block.a[i], sizeof block.a[i]);
    }
}

static void put_one(rct_transfer_matrix *matrix, int row, vec3 v)
{
    for (int i = 0; i < 3; i++) {
        matrix->u[row + i][STATE_ONE] = v.x[i];
    }
}

static mat3 block(const rct_transfer_matrix *matrix, int row, int column)
{
    mat3 b;
    for (int i = 0; i < 3; i++) {
        memcpy(b.a[i], &matrix->u[row + i][column], sizeof b.a[i]);
    }
    return b;
}

/* R (to - from), both in body axes. */
static vec3 between(const rct_pose *pose, const double from[3], const double to[3])
{
    vec3 r = {{0}};
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            r.x[i] += (double)pose->R.a[i][k] * (to[k] - from[k]);
        }
    }
    return r;
}

void rct_transfer_identity(rct_transfer_matrix *matrix)
{
    memset(matrix, 0, sizeof *matrix);
    for (int i = 0; i < STATE_SIZE; i++) {
        matrix->u[i][i] = 1.0;
    }
}

void rct_transfer_body(const rct_body *body, const rct_pose *pose, const double input[3],
                       const double gravity[3], rct_transfer_matrix *matrix)
{
    const double origin[3] = {0.0, 0.0, 0.0};
    const double m = body->mass;
    const vec3 r_IO = between(pose, input, origin);
    const vec3 r_IC = between(pose, input, body->com);
    const vec3 W = {{(double)pose->omega.x[0], (double)pose->omega.x[1], (double)pose->omega.x[2]}};
    const vec3 f_C = {{m * gravity[0], m * gravity[1], m * gravity[2]}};
    const quad33 J_C = rct_pose_inertia(pose, body);
    mat3 J_I = multiply(tilde(r_IC), tilde(r_IC)); /* Steiner: J_I = J_C - m r~_IC r~_IC */
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            J_I.a[i][k] = (double)J_C.a[i][k] - m * J_I.a[i][k];
        }
    }
    const mat3 WW = multiply(tilde(W), tilde(W));
    const mat3 E1 = add((mat3){{{0}}}, -1, tilde(r_IO));
    const vec3 E2 = apply(WW, r_IO);
    const mat3 E3 = add((mat3){{{0}}}, -m, I3);
    const mat3 E4 = add((mat3){{{0}}}, m, tilde(r_IC));
    const vec3 E5 = add_vector(f_C, -m, apply(WW, r_IC));
    const mat3 E6 = tilde(r_IO);
    const mat3 E7 = E4;
    const mat3 E8 = J_I;
    const vec3 E9 = add_vector(apply(tilde(W), apply(J_I, W)), -1, apply(tilde(r_IC), f_C));
    rct_transfer_identity(matrix);
    put(matrix, STATE_R, STATE_W, E1);
    put_one(matrix, STATE_R, E2);
    put(matrix, STATE_M, STATE_R, add(multiply(E6, E3), 1, E7));
    put(matrix, STATE_M, STATE_W, add(multiply(E6, E4), 1, E8));
    put(matrix, STATE_M, STATE_Q, E6);
    put_one(matrix, STATE_M, add_vector(apply(E6, E5), 1, E9));
    put(matrix, STATE_Q, STATE_R, E3);
    put(matrix, STATE_Q, STATE_W, E4);
    put_one(matrix, STATE_Q, E5);
}

static double norm_of(mat3 m)
{
    return LAPACKE_dlange(LAPACK_ROW_MAJOR, '1', 3, 3, m.a[0], 3);
}

/* u := u^-1; 0 if u, the sum of terms of norm `terms`, is singular to rounding. */
static int invert(mat3 *u, double terms)
{
    lapack_int pivots[3];
    double condition = 0.0;
    lapack_int info = LAPACKE_dgetrf(LAPACK_ROW_MAJOR, 3, 3, u->a[0], 3, pivots);
    if (info == 0) {
        info = LAPACKE_dgecon(LAPACK_ROW_MAJOR, '1', 3, u->a[0], 3, terms, &condition);
    }
    if (info == 0 && condition > least_condition) {
        info = LAPACKE_dgetri(LAPACK_ROW_MAJOR, 3, u->a[0], 3, pivots);
    }
    return info == 0 && condition > least_condition;
}

int rct_transfer_hinge(const rct_transfer_matrix *outboard, rct_transfer_matrix *matrix)
{
    mat3 inverse = block(outboard, STATE_M, STATE_W); /* u_{3,2} */
    const double E6E4 =
        norm_of(block(outboard, STATE_M, STATE_Q)) * norm_of(block(outboard, STATE_Q, STATE_W));
    if (!invert(&inverse, norm_of(inverse) + E6E4)) {
        return 0;
    }
    const mat3 factor = add((mat3){{{0}}}, -1, inverse);
    vec3 u35;
    for (int i = 0; i < 3; i++) {
        u35.x[i] = outboard->u[STATE_M + i][STATE_ONE];
    }
    rct_transfer_identity(matrix);
    put(matrix, STATE_W, STATE_R, multiply(factor, block(outboard, STATE_M, STATE_R)));
    put(matrix, STATE_W, STATE_W, (mat3){{{0}}});
    put(matrix, STATE_W, STATE_M, multiply(factor, block(outboard, STATE_M, STATE_M)));
    put(matrix, STATE_W, STATE_Q, multiply(factor, block(outboard, STATE_M, STATE_Q)));
    put_one(matrix, STATE_W, apply(factor, u35));
    return 1;
}

void rct_transfer_multiply(const rct_transfer_matrix *later, rct_transfer_matrix *product)
{
    const rct_transfer_matrix earlier = *product;
    memset(product, 0, sizeof *product);
    for (int i = 0; i < STATE_SIZE; i++) {
        for (int k = 0; k < STATE_SIZE; k++) {
            for (int j = 0; j < STATE_SIZE; j++) {
                product->u[i][j] += later->u[i][k] * earlier.u[k][j];
            }
        }
    }
}

void rct_transfer_apply(const rct_transfer_matrix *matrix, double z[STATE_SIZE])
{
    double result[STATE_SIZE] = {0.0};
    for (int i = 0; i < STATE_SIZE; i++) {
        for (int k = 0; k < STATE_SIZE; k++) {
            result[i] += matrix->u[i][k] * z[k];
        }
    }
    memcpy(z, result, sizeof result);
}
