/* Loops of random systems, many of them nearly redundant (extreme_system.h). */
#include "tests/fuzz/extreme_system.h"

#include "tests/support/cmocka_all.h"
#include "tests/support/draw.h"
#include "tests/support/must.h"

#include <riccatree/loop.h>

#include <string.h>

enum { MOST_LOOPS = 4, MOST_TERMS = 3 };

static int below(uint64_t *random, int count)
{
    return (int)draw_between(random, 0.0, count);
}

/* Coordinates of hinges with axes, each once. */
static int32_t draw_terms(uint64_t *random, const rct_model *model, rct_loop_term *terms)
{
    int32_t count = 0;
    for (int32_t b = 0; b < rct_model_body_count(model); b++) {
        rct_body body;
        rct_model_body(model, b, &body, NULL);
        const int with_axes = body.hinge != RCT_HINGE_FIXED && body.hinge != RCT_HINGE_BALL &&
                              body.hinge != RCT_HINGE_FREE;
        if (with_axes && count < MOST_TERMS && below(random, 2) == 0) {
            terms[count++] = (rct_loop_term){b, below(random, rct_hinge_freedoms(body.hinge)),
                                             draw_between(random, 0.2, 2.0)};
        }
    }
    return count;
}

static rct_loop draw_loop(uint64_t *random, const rct_model *model, rct_loop_term *terms)
{
    static const rct_loop_type types[] = {
        RCT_LOOP_DISTANCE,        RCT_LOOP_DISTANCE, RCT_LOOP_BALL,      RCT_LOOP_BALL,
        RCT_LOOP_PLANAR_REVOLUTE, RCT_LOOP_SLOT,     RCT_LOOP_UNIVERSAL, RCT_LOOP_REVOLUTE,
        RCT_LOOP_RELATION,        RCT_LOOP_RELATION};
    rct_loop loop = rct_loop_default();
    const int32_t count = draw_terms(random, model, terms);
    loop.type = types[below(random, sizeof types / sizeof types[0])];
    if (loop.type == RCT_LOOP_RELATION && count > 0) {
        loop.terms = terms;
        loop.term_count = count;
        return loop;
    }
    if (loop.type == RCT_LOOP_RELATION) {
        loop.type = RCT_LOOP_DISTANCE;
    }
    loop.body = below(random, rct_model_body_count(model));
    loop.other = below(random, loop.body + 1) - 1; /* a body before it, or the ground */
    draw_numbers(random, loop.at, 3, 1.0);
    draw_numbers(random, loop.other_at, 3, 1.0);
    loop.length = loop.type == RCT_LOOP_DISTANCE ? 1.0 : 0.0;
    if (loop.type != RCT_LOOP_DISTANCE && loop.type != RCT_LOOP_BALL) {
        draw_numbers(random, loop.orientation, 4, 1.0);
        draw_numbers(random, loop.other_orientation, 4, 1.0);
    }
    return loop;
}

/* Without rates, dependent constraints contradict nothing. */
static void rest(rct_model *model)
{
    for (int32_t b = 0; b < rct_model_body_count(model); b++) {
        rct_body body;
        rct_model_body(model, b, &body, NULL);
        memset(body.rate, 0, sizeof body.rate);
        memset(body.angular_velocity, 0, sizeof body.angular_velocity);
        must_put(model, b, &body);
    }
}

void extreme_add_loops(rct_model *model, uint64_t seed)
{
    uint64_t random = ~seed;
    const int count = 1 + below(&random, MOST_LOOPS);
    rct_loop_term terms[MOST_TERMS];
    for (int i = 0; i < count; i++) {
        const rct_loop loop = draw_loop(&random, model, terms);
        assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
    }
}

void extreme_add_copies(rct_model *model, uint64_t seed, double apart)
{
    uint64_t random = ~seed;
    const int32_t count = rct_model_loop_count(model);
    rest(model);
    for (int32_t i = 0; i < count; i++) {
        rct_loop_term terms[MOST_TERMS];
        rct_loop loop;
        rct_model_loop(model, i, &loop, NULL);
        if (loop.type == RCT_LOOP_RELATION) {
            memcpy(terms, loop.terms, (size_t)loop.term_count * sizeof *terms);
            terms[0].factor *= 1.0 + apart;
            loop.terms = terms;
        } else {
            loop.at[below(&random, 3)] += apart;
        }
        loop.name = NULL;
        if (below(&random, 2) == 0) {
            assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
        }
    }
}
