/* What the operators of trees do with 6x6 inertias and the block D of one hinge. Inertias are by rows,
 * (moment, force) from (angular, linear), symmetric. */
#ifndef RCT_OPERATORS_FACTOR_H
#define RCT_OPERATORS_FACTOR_H

/* Add a body's own: J about the centre of mass c from the hinge point, xx yy zz xy xz yz. */
void rct_operator_add_body(double mass, const double c[3], const double J[6], double P[36]);

/* D = H P H* with `freedoms` rows of H, and `armature` on its diagonal unless NULL; D = L L*, L^-1 to root, D^-1 = root* root;
 * gain: columns of G = P H* D^-1; P becomes P - G H P. 0 if a pivot vanishes. Rows of six each. */
int rct_operator_eliminate(int freedoms, const double *H, const double *armature, double P[36],
                           double *gain, double *root);

/* The same of a ball hinge, H the first rows of the identity and no rotor: beyond it only the force is left, and of P only
 * that is written. */
int rct_operator_eliminate_ball(double P[36], double *gain, double *root);

/* The same of one with rotors [3]: the difference of angular motions on its two sides is what they take, and moments cross. Of P all is
 * written. */
int rct_operator_eliminate_held(const double *rotors, double P[36], double *gain, double *root);

/* Row i of L^-1 to root, which has those before, from row i of D = L L*, d[0] to d[i]. 0 if its pivot is rounding of `scale`, what
 * D would be there if inertias were the same about all axes. */
int rct_operator_root_row(int i, const double *d, double scale, double *root);

/* x = root x, and x = root* x: both, in this order, D^-1 x. */
void rct_operator_forward(int freedoms, const double *root, double *x);
void rct_operator_back(int freedoms, const double *root, double *x);

/* Q A Q* of blocks of three in rows of six; where A is symmetric, to the bit. */
void rct_operator_turn(const double Q[9], int symmetric, const double *A, double *out);

/* Add phi P phi* to what the parent has, l from its hinge point; of a ball hinge only the force crosses. */
void rct_operator_pass(int ball, const double l[3], const double P[36], double up[36]);

#endif
