/* Dense matrices of the reference formulations (matrix.h): loops, no library. */
#include "reference/matrix.h"

#include "core/memory.h"

#include <string.h>

int rct_matrix_make(rct_matrix *m, int64_t rows, int64_t columns, rct_error *error)
{
    *m = (rct_matrix){rows, columns,
                      rct_allocate(rows * columns, sizeof(double), "operators", error)};
    return m->x != NULL;
}

static double entry(const rct_matrix *m, int transposed, int64_t i, int64_t j)
{
    return transposed ? m->x[j * m->columns + i] : m->x[i * m->columns + j];
}

void rct_matrix_product(const rct_matrix *a, int a_transposed, const rct_matrix *b,
                        int b_transposed, rct_matrix *c)
{
    const int64_t inner = a_transposed ? a->rows : a->columns;
    memset(c->x, 0, (size_t)(c->rows * c->columns) * sizeof *c->x);
    for (int64_t i = 0; i < c->rows; i++) {
        for (int64_t k = 0; k < inner; k++) {
            const double factor = entry(a, a_transposed, i, k);
            for (int64_t j = 0; j < c->columns && factor != 0.0; j++) {
                c->x[i * c->columns + j] += factor * entry(b, b_transposed, k, j);
            }
        }
    }
}

void rct_matrix_apply(const rct_matrix *m, int transposed, const double *x, double *y)
{
    for (int64_t i = 0; i < m->rows; i++) {
        for (int64_t j = 0; j < m->columns; j++) {
            y[transposed ? j : i] += m->x[i * m->columns + j] * x[transposed ? i : j];
        }
    }
}
