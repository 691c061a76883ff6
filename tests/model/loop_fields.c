/* Loops for a model of four bodies (loop_fields.h). */
#include "tests/model/loop_fields.h"

#include "tests/support/cmocka_all.h"

#include <string.h>

rct_model *four_bodies(void)
{
    const rct_hinge_type hinges[BODIES] = {RCT_HINGE_BALL, RCT_HINGE_UNIVERSAL, RCT_HINGE_FREE,
                                           RCT_HINGE_FIXED};
    rct_model *model = rct_model_create(NULL, NULL);
    for (int32_t i = 0; i < BODIES; i++) {
        rct_body body = rct_body_default();
        body.hinge = hinges[i];
        body.parent = hinges[i] == RCT_HINGE_FREE ? RCT_GROUND : i - 1;
        body.mass = 1.0;
        body.inertia[0] = body.inertia[1] = body.inertia[2] = 1.0;
        assert_int_equal(rct_model_add_body(model, &body, NULL, NULL), RCT_OK);
    }
    return model;
}

void expect_loop_words(const rct_error *error, rct_status status, const char *says)
{
    assert_int_equal(error->status, status);
    if (strstr(error->text, says) == NULL) {
        fail_msg("\"%s\" does not say \"%s\"", error->text, says);
    }
}

rct_loop closure(rct_loop_type type)
{
    rct_loop loop = rct_loop_default();
    loop.type = type;
    loop.body = 1;
    loop.length = type == RCT_LOOP_DISTANCE ? 1.0 : 0.0;
    loop.radius = type == RCT_LOOP_CAM ? 1.0 : 0.0;
    return loop;
}

rct_loop relation(const rct_loop_term *terms, int32_t count)
{
    rct_loop loop = rct_loop_default();
    loop.type = RCT_LOOP_RELATION;
    loop.terms = terms;
    loop.term_count = count;
    return loop;
}

rct_loop of_type(rct_loop_type type)
{
    return type == RCT_LOOP_RELATION ? relation(two_terms, 2) : closure(type);
}

void expect_refused(rct_loop loop, const char *says)
{
    rct_model *model = four_bodies();
    rct_error error = {.status = RCT_OK};
    int32_t index = 77;
    rct_loop good = closure(RCT_LOOP_BALL);
    good.name = "first";
    assert_int_equal(rct_model_add_loop(model, &good, NULL, NULL), RCT_OK);
    assert_int_equal(rct_model_add_loop(model, &loop, &index, &error), RCT_ERROR_MODEL);
    assert_int_equal(rct_model_add_loop(model, &loop, &index, NULL), RCT_ERROR_MODEL);
    expect_loop_words(&error, RCT_ERROR_MODEL, says);
    expect_loop_words(&error, RCT_ERROR_MODEL, "loop 1");
    assert_int_equal(rct_model_loop_count(model), 1);
    assert_int_equal(index, 77);
    rct_model_free(model);
}

double *number_of(rct_loop *l, int i)
{
    double *const numbers[NUMBERS] = {&l->at[0],
                                      &l->at[1],
                                      &l->at[2],
                                      &l->other_at[0],
                                      &l->other_at[1],
                                      &l->other_at[2],
                                      &l->orientation[0],
                                      &l->orientation[1],
                                      &l->orientation[2],
                                      &l->orientation[3],
                                      &l->other_orientation[0],
                                      &l->other_orientation[1],
                                      &l->other_orientation[2],
                                      &l->other_orientation[3],
                                      &l->axis[0],
                                      &l->axis[1],
                                      &l->axis[2],
                                      &l->axis2[0],
                                      &l->axis2[1],
                                      &l->axis2[2],
                                      &l->length,
                                      &l->offset,
                                      &l->rate,
                                      &l->acceleration,
                                      &l->radius,
                                      &l->cosine[0],
                                      &l->sine[RCT_LOOP_HARMONICS - 1]};
    return numbers[i];
}

int has(rct_loop_type type, int number)
{
    const int point = type != RCT_LOOP_RELATION;
    const int frame = point && type != RCT_LOOP_BALL && type != RCT_LOOP_DISTANCE;
    if (number < 6) {
        return point;
    }
    if (number < 14) {
        return frame;
    }
    if (number < 17) {
        return frame && type != RCT_LOOP_FIXED;
    }
    if (number < 20) {
        return type == RCT_LOOP_UNIVERSAL || type == RCT_LOOP_SLOT ||
               type == RCT_LOOP_PLANAR_PRISMATIC || type == RCT_LOOP_CAM;
    }
    return type == (number == 20  ? RCT_LOOP_DISTANCE
                    : number < 24 ? RCT_LOOP_RELATION
                                  : RCT_LOOP_CAM);
}
