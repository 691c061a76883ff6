/* Numbers of the matrix that admittance solves with, from the reduced tree. With W of a piece, how its columns make one
 * another move while what the piece hangs on rests, and u_0 of its columns as they come there,
 *
 *     W = sum over its nodes of u* Upsilon u        (seed 001: Lambda = J M^-1 J* by the recursion of .43)
 *
 *     rows     W lambda + u_0* a = -gap             a of the kept node, as are ends right on it
 *     z        W z + u_0* a - a_kept = 0
 *     a        u_0 (lambda, z) - z_kept = 0
 *
 * Without kept nodes it is Lambda. */
#ifndef RCT_CLOSURE_ADMITTANCE_MATRIX_H
#define RCT_CLOSURE_ADMITTANCE_MATRIX_H

#include "closure/reduced_tree.h"

/* How many numbers there are, and the place of each in the upper triangle, row <= column; the last ones are on the
 * diagonal, one for each row, for what is added to it. Without places (NULL) they are only counted. */
int64_t rct_admittance_places(const rct_reduced_tree *reduced, int64_t *row, int64_t *column);

/* The numbers but those last ones, in the order of their places; operators factored. Columns are carried inward: once
 * for each time that the reduced tree is written. */
void rct_admittance_write(rct_reduced_tree *reduced, const rct_operator *operators, double *values);

#endif
