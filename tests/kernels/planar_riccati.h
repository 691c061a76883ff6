/* The planar Riccati recursion of seed 000, section 5.1, in long double: elements from eqs. 38 and 45,
 * the recursion from eqs. 24, 29, 30, literally. z_a = (m_z, q_x, q_y), z_b = (x'', y'', W'_z). */
#ifndef RCT_TESTS_PLANAR_RICCATI_H
#define RCT_TESTS_PLANAR_RICCATI_H

/* A rod of mass m and length 2 a under gravity g, its direction from input to output (c, s). */
typedef struct planar_rod {
    long double m, a, g, c, s;
    long double rate; /* rad/s */
} planar_rod;

typedef struct planar_element {
    long double t11[3][3], t12[3][3], t21[3][3], t22[3][3], fa[3], fb[3];
} planar_element;

/* z_a = s z_b + e at the present end; for the last crossed element, z_b,I = p z_b,O + pq. */
typedef struct planar_riccati {
    long double s[3][3], e[3], p[3][3], pq[3];
} planar_riccati;

planar_element planar_body(const planar_rod *rod);       /* eq. 38 */
planar_element planar_hinge(const planar_rod *outboard); /* eq. 45 */
void planar_cross(const planar_element *t, planar_riccati *z);

#endif
