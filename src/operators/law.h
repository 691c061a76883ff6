/* What the factor of M^-1 (factoring.c) asks of a method: S, what is below a hinge point, 36 numbers by rows of six in the axes of
 * one body, as it takes a body, crosses its hinge and goes on to what the body hangs on. */
#ifndef RCT_OPERATORS_LAW_H
#define RCT_OPERATORS_LAW_H

/* In the axes of its body. */
typedef struct rct_operator_hinge {
    int ball, freedoms; /* ball: 1: a force alone crosses; with rotors it is none of those        */
    double H[6]
            [6]; /* [freedoms] rows: motion of the body, (angular, linear), that a rate gives it */
    const double *
        armature; /* [freedoms] rotor inertia, or NULL                                            */
    int held; /* 1: a ball hinge with rotors (factor.h)                                         */
} rct_operator_hinge;

typedef struct rct_operator_law {
    /* Add a body of centre of mass c from the hinge point, and J about that, xx yy zz xy xz yz. */
    void (*add_body)(double mass, const double c[3], const double J[6], double S[36]);

    /* S becomes that beyond the hinge, of a ball hinge what a force alone asks for. Rows [freedoms] of D^-1 H P, (angular, linear),
     * and of a root, D^-1 = root* root. 0 where nothing resists a motion of the hinge. */
    int (*cross)(const rct_operator_hinge *hinge, double S[36], double gain[6][6],
                 double root[6][6]);

    /* Add S beyond a hinge to what the parent has, whose axes Q turns to, at l from its hinge point there. */
    void (*pass)(int ball, const double Q[9], const double l[3], const double S[36], double up[36]);
} rct_operator_law;

extern const rct_operator_law rct_operator_articulated; /* articulated.c: abi, P of seed 001 */
extern const rct_operator_law rct_operator_riccati;     /* riccati.c: S of seed 000          */

#endif
