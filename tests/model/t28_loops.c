/* Loops of a model: refused input with reasons. */
#include "tests/support/cmocka_all.h"

#include "tests/model/loop_fields.h"

#include <math.h>
#include <string.h>

static void test_types(void **state)
{
    (void)state;
    const struct {
        const char *name;
        int constraints;
    } types[RCT_LOOP_TYPES] = {{"fixed", 6},           {"ball", 3},
                               {"revolute", 5},        {"prismatic", 5},
                               {"universal", 4},       {"cylindrical", 4},
                               {"planar", 3},          {"distance", 1},
                               {"planar_revolute", 2}, {"planar_prismatic", 2},
                               {"planar_fixed", 3},    {"slot", 1},
                               {"relation", 1},        {"cam", 1}};
    for (int t = 0; t < RCT_LOOP_TYPES; t++) {
        assert_string_equal(rct_loop_type_name((rct_loop_type)t), types[t].name);
        assert_int_equal(rct_loop_constraints((rct_loop_type)t), types[t].constraints);
    }
    const int unknown[] = {-1, RCT_LOOP_TYPES, 1000};
    for (int i = 0; i < 3; i++) {
        rct_loop loop = closure(RCT_LOOP_BALL);
        loop.type = (rct_loop_type)unknown[i];
        assert_null(rct_loop_type_name(loop.type));
        assert_int_equal(rct_loop_constraints(loop.type), 0);
        expect_refused(loop, "unknown type; rct_loop_type lists the types");
    }
}

static void test_numbers_must_be_finite(void **state)
{
    (void)state;
    for (int t = 0; t < RCT_LOOP_TYPES; t++) {
        for (int i = 0; i < NUMBERS; i++) {
            rct_loop loop = of_type((rct_loop_type)t);
            *number_of(&loop, i) = i % 2 == 0 ? NAN : -INFINITY;
            expect_refused(loop, "a number is not finite");
        }
    }
}

static void test_what_a_type_has_no_use_for(void **state)
{
    (void)state;
    for (int t = 0; t < RCT_LOOP_TYPES; t++) {
        for (int i = 0; i < NUMBERS; i++) {
            rct_loop loop = of_type((rct_loop_type)t);
            const char *says = i < 6     ? "a relation has no bodies or points of its own"
                               : i < 14  ? "its type has no orientations; leave them out"
                               : i < 20  ? "its type has no such axis; leave it out"
                               : i == 20 ? "its type has no length; only a distance"
                               : i > 23  ? "its type has no outline; only a cam"
                                         : "its type has no terms, offset, rate, acceleration";
            *number_of(&loop, i) += 0.25;
            if (has((rct_loop_type)t, i)) {
                rct_model *model = four_bodies();
                assert_int_equal(rct_model_add_loop(model, &loop, NULL, NULL), RCT_OK);
                rct_model_free(model);
            } else {
                expect_refused(loop, says);
            }
        }
    }
    rct_loop loop = closure(RCT_LOOP_BALL);
    loop.term_count = 2;
    loop.terms = two_terms;
    expect_refused(loop, "its type has no terms");
    loop = relation(two_terms, 2);
    loop.body = 1;
    expect_refused(loop, "a relation has no bodies or points of its own");
    loop = relation(two_terms, 2);
    loop.other = 1;
    expect_refused(loop, "a relation has no bodies or points of its own");
}

static void test_bad_closures_are_refused(void **state)
{
    (void)state;
    rct_loop loop = closure(RCT_LOOP_REVOLUTE);
    loop.other = 1;
    expect_refused(loop, "it joins a body to itself");
    loop.body = loop.other = RCT_GROUND;
    expect_refused(loop, "it joins a body to itself");
    const double lengths[] = {0.0, -0.0, -1.0};
    for (int i = 0; i < 3; i++) {
        loop = closure(RCT_LOOP_DISTANCE);
        loop.length = lengths[i];
        expect_refused(loop,
                       "the length of a distance must be positive; for a length of 0, use a ball");
    }
    const double radii[] = {0.0, -1.0, 0.5, -0.0};
    for (int i = 0; i < 4; i++) { /* 0.5 + 0.6 cos 5 z is negative where that is -1 */
        loop = closure(RCT_LOOP_CAM);
        loop.radius = radii[i];
        loop.cosine[4] = 0.6;
        expect_refused(loop, "the outline of a cam must be positive everywhere");
    }
    loop = closure(RCT_LOOP_FIXED);
    loop.orientation[0] = 0.0;
    expect_refused(loop, "an orientation has length zero; give a quaternion w x y z");
    loop = closure(RCT_LOOP_FIXED);
    loop.other_orientation[0] = -0.0;
    expect_refused(loop, "an orientation has length zero");
    loop = closure(RCT_LOOP_REVOLUTE);
    loop.axis[2] = 0.0;
    expect_refused(loop, "an axis has length zero; give a direction, such as [0, 0, 1]");
    const rct_loop_type two[] = {RCT_LOOP_UNIVERSAL, RCT_LOOP_SLOT, RCT_LOOP_PLANAR_PRISMATIC,
                                 RCT_LOOP_CAM};
    for (int i = 0; i < 4; i++) {
        loop = closure(two[i]);
        loop.axis2[0] = 0.0;
        expect_refused(loop, "an axis has length zero");
        loop.axis2[2] = -3.0;
        expect_refused(loop, "its two axes are parallel; give another direction");
        loop.axis2[1] = 1e-7;
        loop.name = "slide";
        expect_refused(loop, "loop 1 \"slide\": its two axes are parallel");
    }
}

static void test_bad_relations_are_refused(void **state)
{
    (void)state;
    expect_refused(relation(two_terms, 0), "a relation needs at least one term");
    expect_refused(relation(two_terms, -1), "a relation needs at least one term");
    expect_refused(relation(NULL, 2), "a relation needs at least one term");
    const double factors[] = {0.0, -0.0, NAN, INFINITY};
    for (int i = 0; i < 4; i++) {
        const rct_loop_term terms[2] = {{1, 0, 1.0}, {1, 1, factors[i]}};
        expect_refused(relation(terms, 2), "a factor is 0 or not finite");
    }
    const rct_loop_term twice[3] = {{1, 1, 1.0}, {1, 0, 1.0}, {1, 1, 2.0}};
    expect_refused(relation(twice, 3), "a coordinate appears in it twice; add up its factors");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_types),
        cmocka_unit_test(test_numbers_must_be_finite),
        cmocka_unit_test(test_what_a_type_has_no_use_for),
        cmocka_unit_test(test_bad_closures_are_refused),
        cmocka_unit_test(test_bad_relations_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
