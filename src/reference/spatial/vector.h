/* Vectors and 3x3 matrices of the spatial-operator reference, in double precision: it shares no code with what
 * it proves right. */
#ifndef RCT_REFERENCE_SPATIAL_VECTOR_H
#define RCT_REFERENCE_SPATIAL_VECTOR_H

typedef struct spatial_33 {
    double a[3][3];
} spatial_33;

/* c = a x b; c is neither. */
static inline void spatial_cross(const double a[3], const double b[3], double c[3])
{
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        c[i] = a[j] * b[k] - a[k] * b[j];
    }
}

/* y = m x; y is not x. */
static inline void spatial_apply(const spatial_33 *m, const double x[3], double y[3])
{
    for (int i = 0; i < 3; i++) {
        y[i] = m->a[i][0] * x[0] + m->a[i][1] * x[1] + m->a[i][2] * x[2];
    }
}

/* y += f x */
static inline void spatial_add(double y[3], double f, const double x[3])
{
    for (int i = 0; i < 3; i++) {
        y[i] += f * x[i];
    }
}

#endif
