/* Element transfer matrices of seed 000 in its symbols, as numbers in double precision: bodies
 * by eqs. 4-5, with several inputs eqs. 8-9; smooth hinges by eq. 10, with several inputs eqs.
 * 12-13. Vectors in inertial axes. */
#include "reference/transfer/transfer.h"

#include <lapacke.h>
#include <string.h>

/* If the reciprocal condition number of u_{3,2}, relative to the norm of its terms, is smaller,
 * u_{3,2} is only their rounding. */
static const double least_condition = 1e-15;

/* m + s n */
static quad33 add(quad33 m, quad s, const quad33 *n)
{
    for (int k = 0; k < 9; k++) {
        m.a[k / 3][k % 3] += s * n->a[k / 3][k % 3];
    }
    return m;
}

static void put(rct_transfer_matrix *matrix, int row, int column, const quad33 *block)
{
    for (int k = 0; k < 9; k++) {
        matrix->u[row + k / 3][column + k % 3] = (double)block->a[k / 3][k % 3];
    }
}

static void put_one(rct_transfer_matrix *matrix, int row, quad3 v)
{
    for (int i = 0; i < 3; i++) {
        matrix->u[row + i][STATE_ONE] = (double)v.x[i];
    }
}

static void set_identity(rct_transfer_matrix *matrix)
{
    memset(matrix, 0, sizeof *matrix);
    for (int i = 0; i < STATE_SIZE; i++) {
        matrix->u[i][i] = 1.0;
    }
}

void rct_transfer_body(const rct_body *body, const rct_pose *pose, const double input[3],
                       const rct_load *load, rct_transfer_matrix *matrix)
{
    static const quad33 none = {{{0}}}, one = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    const quad m = body->mass;
    const quad3 W = pose->omega, f_C = load->F;
    const quad3 r_OI = quad33_apply(&pose->R, quad3_of(input)), r_IO = quad3_scale(-1, r_OI);
    const quad3 r_IC = quad3_subtract(quad33_apply(&pose->R, quad3_of(body->com)), r_OI);
    const quad33 IC = quad33_tilde(r_IC), IC_IC = quad33_product(&IC, &IC, 0);
    const quad33 J_I = add(rct_pose_inertia(&pose->R, body), -m, &IC_IC); /* Steiner */
    const quad33 E1 = quad33_tilde(r_OI);
    const quad3 E2 = quad3_centripetal(W, r_IO);
    const quad33 E3 = add(none, -m, &one);
    const quad33 E4 = add(none, m, &IC);
    const quad3 E5 = quad3_subtract(f_C, quad3_scale(m, quad3_centripetal(W, r_IC)));
    const quad33 E6 = quad33_tilde(r_IO), E6E3 = quad33_product(&E6, &E3, 0),
                 E6E4 = quad33_product(&E6, &E4, 0);
    const quad33 E7 = E4, E8 = J_I;
    const quad3 acting = quad3_add(load->G, quad3_cross(r_IC, f_C)); /* m_C + r_IC~ f_C */
    const quad3 E9 = quad3_subtract(quad3_cross(W, quad33_apply(&J_I, W)), acting);
    const quad33 MR = add(E6E3, 1, &E7), MW = add(E6E4, 1, &E8);
    set_identity(matrix);
    put(matrix, STATE_R, STATE_W, &E1);
    put_one(matrix, STATE_R, E2);
    put(matrix, STATE_M, STATE_R, &MR);
    put(matrix, STATE_M, STATE_W, &MW);
    put(matrix, STATE_M, STATE_Q, &E6);
    put_one(matrix, STATE_M, quad3_add(quad33_apply(&E6, E5), E9));
    put(matrix, STATE_Q, STATE_R, &E3);
    put(matrix, STATE_Q, STATE_W, &E4);
    put_one(matrix, STATE_Q, E5);
}

/* E6 + E_Ik = r_IkO~, eqs. 8 and 9: the lever of q_Ik about O. */
void rct_transfer_input(const rct_pose *pose, const double input[3], rct_transfer_matrix *matrix)
{
    static const quad33 one = {{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
    const quad33 lever = quad33_tilde(quad3_scale(-1, quad33_apply(&pose->R, quad3_of(input))));
    memset(matrix, 0, sizeof *matrix);
    put(matrix, STATE_M, STATE_M, &one);
    put(matrix, STATE_M, STATE_Q, &lever);
    put(matrix, STATE_Q, STATE_Q, &one);
}

void rct_transfer_geometry(const rct_pose *pose, const double first[3], const double input[3],
                           rct_transfer_matrix *matrix)
{
    const quad3 r = quad33_apply(&pose->R, quad3_subtract(quad3_of(input), quad3_of(first)));
    const quad33 E1 = quad33_tilde(quad3_scale(-1, r));
    set_identity(matrix);
    put(matrix, STATE_R, STATE_W, &E1);
    put_one(matrix, STATE_R, quad3_centripetal(pose->omega, r));
}

static double norm_of(const rct_transfer_matrix *matrix, int row, int column)
{
    return LAPACKE_dlange(LAPACK_ROW_MAJOR, '1', 3, 3, &matrix->u[row][column], STATE_SIZE);
}

int rct_transfer_hinge(const rct_transfer_matrix *outboard, int inputs,
                       const rct_transfer_matrix *input, rct_transfer_matrix *matrix)
{
    double u32[3][3], condition = 0.0;
    lapack_int pivots[3];
    const double terms = norm_of(outboard, STATE_M, STATE_W) +
                         norm_of(outboard, STATE_M, STATE_Q) * norm_of(outboard, STATE_Q, STATE_W);
    for (int i = 0; i < 3; i++) {
        memcpy(u32[i], &outboard->u[STATE_M + i][STATE_W], sizeof u32[i]);
    }
    if (LAPACKE_dgetrf(LAPACK_ROW_MAJOR, 3, 3, u32[0], 3, pivots) == 0) {
        LAPACKE_dgecon(LAPACK_ROW_MAJOR, '1', 3, u32[0], 3, terms, &condition);
    }
    if (!(condition > least_condition)) {
        return 0;
    }
    for (int k = 0; k < inputs; k++) {
        const rct_transfer_matrix *from = k == 0 ? outboard : &input[k];
        double rows[3][STATE_SIZE];
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < STATE_SIZE; j++) { /* except u32 */
                rows[i][j] = j / 3 == STATE_W / 3 ? 0.0 : -from->u[STATE_M + i][j];
            }
        }
        if (LAPACKE_dgetrs(LAPACK_ROW_MAJOR, 'N', 3, STATE_SIZE, u32[0], 3, pivots, rows[0],
                           STATE_SIZE) != 0) {
            return 0;
        }
        if (k == 0) {
            set_identity(&matrix[k]);
        } else {
            memset(&matrix[k], 0, sizeof matrix[k]);
        }
        memcpy(matrix[k].u[STATE_W], rows, sizeof rows);
    }
    return 1;
}
