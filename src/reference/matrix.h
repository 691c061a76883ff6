/* Dense matrices by rows, for formulations that form their operators in full. Zero factors are passed over. */
#ifndef RCT_REFERENCE_MATRIX_H
#define RCT_REFERENCE_MATRIX_H

#include <riccatree/status.h>

typedef struct rct_matrix {
    int64_t rows, columns;
    double *x;
} rct_matrix;

/* Zero; 0 and RCT_ERROR_MEMORY if there is no room. For rct_release(m->x). */
int rct_matrix_make(rct_matrix *m, int64_t rows, int64_t columns, rct_error *error);

/* c = a b, each transposed if asked; c has the room, and is none of them. */
void rct_matrix_product(const rct_matrix *a, int a_transposed, const rct_matrix *b,
                        int b_transposed, rct_matrix *c);

/* y += m v, or m* v */
void rct_matrix_apply(const rct_matrix *m, int transposed, const double *v, double *y);

#endif
