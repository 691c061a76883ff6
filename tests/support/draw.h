/* Random numbers for tests, the same on every machine: splitmix64 in exact arithmetic. */
#ifndef RCT_TESTS_DRAW_H
#define RCT_TESTS_DRAW_H

#include <stdint.h>

static inline uint64_t draw_bits(uint64_t *state)
{
    *state += UINT64_C(0x9e3779b97f4a7c15);
    uint64_t z = *state;
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Uniform in [low, high). */
static inline double draw_between(uint64_t *state, double low, double high)
{
    return low + (high - low) * ((double)(draw_bits(state) >> 11) * 0x1p-53);
}

static inline void draw_numbers(uint64_t *state, double *numbers, int count, double size)
{
    for (int i = 0; i < count; i++) {
        numbers[i] = draw_between(state, -size, size);
    }
}

/* A rotation matrix, by rows, from the quaternion of four random numbers, normalized by its
 * square. */
static inline void draw_rotation(uint64_t *state, double m[3][3])
{
    double q[4] = {0.0}, square;
    do {
        draw_numbers(state, q, 4, 1.0);
        square = q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3];
    } while (square < 0.1 || square > 1.0);
    const double s = 2.0 / square, *v = q + 1;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        m[i][i] = 1.0 - s * (v[j] * v[j] + v[k] * v[k]);
        m[i][j] = s * (v[i] * v[j] - q[0] * v[k]);
        m[j][i] = s * (v[i] * v[j] + q[0] * v[k]);
    }
}

#endif
