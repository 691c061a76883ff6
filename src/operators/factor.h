/* Operations of the operators of trees on 6x6 inertias and the block D of one hinge. Inertias are
 * stored by rows, (moment, force) from (angular, linear), symmetric. */
#ifndef RCT_OPERATORS_FACTOR_H
#define RCT_OPERATORS_FACTOR_H

/* Add the inertia of a body: J about the centre of mass c from the hinge point, xx yy zz xy xz
 * yz. */
void rct_operator_add_body(double mass, const double c[3], const double J[6], double P[36]);

/* D = H P H* with `freedoms` rows of H, and `armature` on its diagonal unless NULL; D = L L*, L^-1
 * to root, D^-1 = root* root; gain: columns of G = P H* D^-1; P becomes P - G H P. Returns 0 if a
 * pivot vanishes. Rows of six each. */
int rct_operator_eliminate(int freedoms, const double *H, const double *armature, double P[36],
                           double *gain, double *root);

/* The same for a ball hinge: H is the first rows of the identity, and there is no rotor. Beyond the
 * hinge only the force is left, and only that part of P is written. */
int rct_operator_eliminate_ball(double P[36], double *gain, double *root);

/* The same for a ball hinge with rotors [3]: they take the difference of the angular motions on its
 * two sides, and moments cross. All of P is written. */
int rct_operator_eliminate_held(const double *rotors, double P[36], double *gain, double *root);

/* Row i of L^-1 to root, which has the rows before, from row i of D = L L*, d[0] to d[i]. Returns 0
 * if its pivot is rounding of `scale`, the value of D there if inertias were the same about all
 * axes. */
int rct_operator_root_row(int i, const double *d, double scale, double *root);

/* x = root x, and x = root* x; both in this order give D^-1 x. */
void rct_operator_forward(int freedoms, const double *root, double *x);
void rct_operator_back(int freedoms, const double *root, double *x);

/* Q A Q* of blocks of three in rows of six; the result is symmetric to the bit if A is
 * `symmetric`. */
void rct_operator_turn(const double Q[9], int symmetric, const double *A, double *out);

/* Add phi P phi* to the inertia of the parent, with l from its hinge point; across a ball hinge
 * only the force passes. */
void rct_operator_pass(int ball, const double l[3], const double P[36], double up[36]);

#endif
