/* The constraints of one aggregate, J theta + gap = 0, and which of its rates are independent: seed 002, eqs. 25 and 58
 * to 61. With S scales and P an order of the rates,
 *
 *     J S P = Q [R1 R2; 0 0]      theta = S P (y_u, xi)      y_u = X xi + x0      X = -R1^-1 R2
 *
 * R1 has the size of the rank; xi are the independent rates, y_u the dependent ones (Y1 = Q R1, Y2 = Q R2 of eq. 59),
 * and (X, 1) is X of eq. 60. Of eq. 61, what velocities leave, is in the gap: x0 = -R1^-1 (Q* gap).
 *
 * The order comes from a factorization with pivoting. It is kept from state to state while the elements of X stay small
 * and the rank the same; a mechanism that moves through a pose in which its independent rates no longer lead the others
 * thus changes them before.
 */
#ifndef RCT_CLOSURE_EMBED_CHOICE_H
#define RCT_CLOSURE_EMBED_CHOICE_H

#include <stdint.h>

/* Matrices by columns, rates in the order of P; the caller gives the arrays. */
typedef struct rct_embed_choice {
    int32_t rows, rates; /* rows > 0 */
    int32_t rank;        /* rates less than rank: dependent                                     */
    int32_t chosen;      /* 0 before the first choice: there is no order to keep                */
    double most;         /* what elements of J S could be; far below they are rounding          */
    double *QR;          /* [rates][rows]                                                       */
    double *tau;         /* [the fewer of rows and rates]                                       */
    double *scale;       /* [rates] S, of the rate in each place                                */
    double *X;           /* [rates - rank][rates], the first rank of each column                */
    int32_t *order;      /* [rates] the rate in each place                                      */
} rct_embed_choice;

/* For the largest of several. */
typedef struct rct_embed_scratch {
    double *work;   /* [rct_embed_work(most)] */
    double *vector; /* [most rows]            */
} rct_embed_scratch;

/* How much work `rows` and `rates`, both at most `most`, ask for. */
int64_t rct_embed_work(int32_t most);

/* Factor J [rates][rows] in the order of the rates, `scale` [rates] likewise. 1 if the order was chosen anew. */
int rct_embed_choose(rct_embed_choice *c, const double *J, const double *scale,
                     const rct_embed_scratch *scratch);

/* x0 [rank] of a gap [rows]: where it cannot be cancelled, what leaves the least sum of squares. */
void rct_embed_particular(const rct_embed_choice *c, const double *gap, double *x0,
                          const rct_embed_scratch *scratch);

/* lambda [rows] of least length with (J S P)* lambda = load, of which the first [rank] say all. */
void rct_embed_multipliers(const rct_embed_choice *c, const double *load, double *lambda);

/* A row that the others give, the last if several are alike, or -1. */
int32_t rct_embed_dependent(const rct_embed_choice *c, const rct_embed_scratch *scratch);

#endif
