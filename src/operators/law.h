/* What the factor of M^-1 (factoring.c) needs from a method. S is the inertia outboard of a hinge
 * point, 36 numbers by rows of six in the axes of one body. A method adds a body to S, takes S
 * across the hinge, and passes it to the parent. */
#ifndef RCT_OPERATORS_LAW_H
#define RCT_OPERATORS_LAW_H

/* A hinge in the axes of its body. */
typedef struct rct_operator_hinge {
    int ball, freedoms; /* ball: 1: only a force crosses; 0 for a ball with rotors */
    double H[6][6]; /* [freedoms] rows: the motion (angular, linear) that a rate gives the body */
    const double *armature; /* [freedoms] rotor inertia, or NULL */
    int held;               /* 1: a ball hinge with rotors (factor.h) */
} rct_operator_hinge;

typedef struct rct_operator_law {
    /* Add a body with centre of mass c from the hinge point, and J about c, xx yy zz xy xz yz. */
    void (*add_body)(double mass, const double c[3], const double J[6], double S[36]);

    /* S becomes the inertia beyond the hinge, for a ball hinge only its force part. Rows [freedoms]
     * of D^-1 H P, (angular, linear), and of a root, D^-1 = root* root. Returns 0 where nothing
     * resists a motion of the hinge. */
    int (*cross)(const rct_operator_hinge *hinge, double S[36], double gain[6][6],
                 double root[6][6]);

    /* Add S beyond a hinge to the inertia of the parent; Q turns to the axes of the parent, and l
     * is the lever from its hinge point. */
    void (*pass)(int ball, const double Q[9], const double l[3], const double S[36], double up[36]);
} rct_operator_law;

extern const rct_operator_law rct_operator_articulated; /* articulated.c: abi, P of seed 001 */
extern const rct_operator_law rct_operator_riccati;     /* riccati.c: S of seed 000 */

#endif
