/* Models in other units (units.h). */
#include "tests/support/systems/units.h"

#include "model/hinge_types.h"
#include "tests/support/cmocka_all.h"
#include "tests/support/must.h"

#include <math.h>
#include <string.h>

test_units test_units_of(const int exponents[3])
{
    return (test_units){ldexp(1.0, exponents[0]), ldexp(1.0, exponents[1]),
                        ldexp(1.0, exponents[2])};
}

static void scale(double *numbers, int count, double by)
{
    for (int i = 0; i < count; i++) {
        numbers[i] *= by;
    }
}

static int turns(rct_hinge_type hinge, int k)
{
    return hinge == RCT_HINGE_BALL || (hinge == RCT_HINGE_FREE ? k < 3 : rct_hinge_turns(hinge, k));
}

static void add_body(const rct_model *model, int32_t i, const test_units *u, rct_model *to)
{
    rct_body b;
    assert_int_equal(rct_model_body(model, i, &b, NULL), RCT_OK);
    b.name = NULL;
    scale(&b.mass, 1, u->mass);
    scale(b.com, 3, u->length);
    scale(b.inertia, 6, u->mass * u->length * u->length);
    scale(b.hinge_at, 3, u->length);
    scale(&b.hinge_pitch, 1, u->length);
    scale(b.angular_velocity, 3, 1.0 / u->time);
    for (int k = 0; k < 3; k++) {
        const int angle = b.hinge != RCT_HINGE_FREE && turns(b.hinge, k);
        const double one = angle ? 1.0 : u->length,
                     effort = u->mass * (angle ? u->length * u->length : 1.0);
        scale(&b.position[k], 1, one);
        scale(&b.rate[k], 1, one / u->time);
        scale(&b.rest[k], 1, one);
        scale(&b.stiffness[k], 1, effort / u->time / u->time);
        scale(&b.damping[k], 1, effort / u->time);
        scale(&b.applied[k], 1, effort * one / u->time / u->time);
        scale(&b.armature[k], 1, effort);
    }
    must_add(to, &b);
}

static void add_force(const rct_model *model, int32_t i, const test_units *u, rct_model *to)
{
    const double force = u->mass * u->length / u->time / u->time;
    rct_force f;
    assert_int_equal(rct_model_force(model, i, &f, NULL), RCT_OK);
    assert_true(f.type == RCT_FORCE_WRENCH || f.type == RCT_FORCE_SPRING ||
                f.type == RCT_FORCE_CABLE);
    scale(f.at, 3, u->length);
    scale(f.force, 3, force);
    scale(f.moment, 3, force * u->length);
    scale(f.other_at, 3, u->length);
    scale(&f.stiffness, 1, force / u->length);
    scale(&f.damping, 1, u->mass / u->time);
    scale(&f.length, 1, u->length);
    must_force(to, &f);
}

/* A relation of rotations and slides is one of lengths. */
static void scale_relation(const rct_model *model, const test_units *u, rct_loop *l,
                           rct_loop_term *terms)
{
    int all[2] = {1, 1};
    memcpy(terms, l->terms, (size_t)l->term_count * sizeof *terms);
    for (int32_t k = 0; k < l->term_count; k++) {
        rct_body b;
        assert_int_equal(rct_model_body(model, terms[k].body, &b, NULL), RCT_OK);
        all[turns(b.hinge, terms[k].freedom)] = 0;
    }
    for (int32_t k = 0; k < l->term_count && !all[0] && !all[1]; k++) {
        rct_body b;
        rct_model_body(model, terms[k].body, &b, NULL);
        terms[k].factor *= turns(b.hinge, terms[k].freedom) ? u->length : 1.0;
    }
    const double one = all[0] ? 1.0 : u->length; /* none slides */
    l->terms = terms;
    l->offset *= one;
    l->rate *= one / u->time;
    l->acceleration *= one / u->time / u->time;
    l->amplitude *= one;
    l->angular_frequency /= u->time;
    assert_int_equal(l->rows, 0);
}

static void add_loop(const rct_model *model, int32_t i, const test_units *u, rct_model *to)
{
    enum { MOST_TERMS = 16 };
    rct_loop_term terms[MOST_TERMS];
    rct_loop l;
    rct_error error;
    assert_int_equal(rct_model_loop(model, i, &l, NULL), RCT_OK);
    assert_true(l.term_count <= MOST_TERMS);
    l.name = NULL;
    if (l.type == RCT_LOOP_RELATION) {
        scale_relation(model, u, &l, terms);
    }
    scale(l.at, 3, u->length);
    scale(l.other_at, 3, u->length);
    scale(&l.length, 1, u->length);
    scale(&l.radius, 1, u->length);
    scale(l.cosine, RCT_LOOP_HARMONICS, u->length);
    scale(l.sine, RCT_LOOP_HARMONICS, u->length);
    if (rct_model_add_loop(to, &l, NULL, &error) != RCT_OK) {
        fail_msg("%s", error.text);
    }
}

rct_model *in_units(const rct_model *model, const test_units *u)
{
    rct_model *to = rct_model_create("units", NULL);
    double gravity[3];
    rct_base base;
    assert_non_null(to);
    rct_model_gravity(model, gravity);
    scale(gravity, 3, u->length / u->time / u->time);
    assert_int_equal(rct_model_set_gravity(to, gravity, NULL), RCT_OK);
    rct_model_base(model, &base);
    assert_int_equal(base.rows, 0);
    scale(base.velocity, 3, u->length / u->time);
    scale(base.acceleration, 3, u->length / u->time / u->time);
    base.rate /= u->time;
    base.angular_acceleration /= u->time * u->time;
    assert_int_equal(rct_model_set_base(to, &base, NULL), RCT_OK);
    for (int32_t i = 0; i < rct_model_body_count(model); i++) {
        add_body(model, i, u, to);
    }
    for (int32_t i = 0; i < rct_model_force_count(model); i++) {
        add_force(model, i, u, to);
    }
    for (int32_t i = 0; i < rct_model_loop_count(model); i++) {
        add_loop(model, i, u, to);
    }
    return to;
}

void units_of_rates(const rct_model *model, const test_units *u, int order, double *factor)
{
    for (int32_t i = 0; i < rct_model_body_count(model); i++) {
        rct_body b;
        rct_model_body(model, i, &b, NULL);
        for (int k = 0; k < rct_hinge_freedoms(b.hinge); k++) {
            *factor++ = (turns(b.hinge, k) ? 1.0 : u->length) / pow(u->time, order);
        }
    }
}
