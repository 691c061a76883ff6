/* Chains on which a sweep can lose digits (hard_chain.h). */
#include "tests/dynamics/hard_chain.h"

#include "tests/support/draw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[HARD_KINDS] = {"straight", "crumpled", "spinning", "unequal",
                                              "taut",     "heavy",    "tip"};

int hard_chain_find(const char *name)
{
    int found = -1;
    for (int k = 0; k < HARD_KINDS; k++) {
        found = strcmp(name, names[k]) == 0 ? k : found;
    }
    return found;
}

static double mass_of(hard_chain kind, int32_t i, int32_t bodies)
{
    switch (kind) {
    case HARD_UNEQUAL:
    case HARD_TAUT: return i % 2 == 0 ? 1.0 : 1e-6;
    case HARD_HEAVY: return i % 3 == 0 ? 1e3 : 1e-3;
    case HARD_TIP: return i + 1 == bodies ? 1e6 : 1.0;
    default: return 1.0;
    }
}

rct_model *hard_chain_create(hard_chain kind, int32_t bodies, double bend)
{
    static const double lean[4] = {0.7, 0.3, -0.5, 0.4};
    const int leaning = kind == HARD_STRAIGHT || kind == HARD_TAUT;
    uint64_t random = 17;
    rct_model *model = rct_model_create(NULL, NULL);
    for (int32_t i = 0; i < bodies; i++) {
        rct_body rod = rct_body_default();
        const double m = mass_of(kind, i, bodies);
        rod.parent = i - 1;
        rod.hinge_at[2] = i > 0 ? -1.0 : 0.0;
        rod.mass = m;
        rod.com[2] = -0.5;
        rod.inertia[0] = rod.inertia[1] = m * (3.0 * 0.0025 + 1.0) / 12.0;
        rod.inertia[2] = m * 0.0025 / 2.0;
        draw_numbers(&random, rod.orientation, 4, leaning ? bend : 1.0);
        for (int k = 0; k < 4 && leaning; k++) {
            rod.orientation[k] += lean[k];
        }
        draw_numbers(&random, rod.angular_velocity, 3, kind == HARD_SPINNING ? 100.0 : 1.0);
        if (model == NULL || rct_model_add_body(model, &rod, NULL, NULL) != RCT_OK) {
            abort();
        }
    }
    return model;
}

static void round_numbers(uint64_t *random, double *x, int count)
{
    for (int i = 0; i < count; i++) {
        const uint64_t way = draw_bits(random) >> 62; /* 0 up, 1 down, 2 and 3 neither */
        const double towards = way == 0 ? (double)INFINITY : -(double)INFINITY;
        x[i] = way < 2 ? nextafter(x[i], towards) : x[i];
    }
}

void hard_chain_rounded_state(const rct_model *model, double *orientation, double *rate)
{
    uint64_t random = 5;
    for (int64_t b = 0; b < rct_model_body_count(model); b++) {
        rct_body body;
        if (rct_model_body(model, (int32_t)b, &body, NULL) != RCT_OK) {
            abort();
        }
        round_numbers(&random, body.orientation, 4);
        round_numbers(&random, body.angular_velocity, 3);
        memcpy(orientation + 4 * b, body.orientation, sizeof body.orientation);
        memcpy(rate + 3 * b, body.angular_velocity, sizeof body.angular_velocity);
    }
}
