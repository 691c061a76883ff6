/* The scale of the differences of `riccatree compare`, which no rounding residue can be. Where all
 * effects on a body at rest cancel, methods differ by rounding of these effects; an answer that is
 * wrong by a share of them shows that share. */
#include "tests/support/cmocka_all.h"

#include "cli/compare/compare.h"

#include <math.h>
#include <stdlib.h>

enum { BODIES = 6 };

typedef enum { FALLING, HELD, BETWEEN } system_kind;

static rct_body rod(int32_t parent)
{
    rct_body body = rct_body_default();
    body.parent = parent;
    body.mass = 2.0;
    body.com[2] = 0.5;
    body.inertia[0] = body.inertia[1] = 0.2;
    body.inertia[2] = 0.05;
    return body;
}

/* HELD: at each hinge a stretched spring, and a moment against it. */
static void add_outboard(rct_model *model, system_kind kind, int32_t id)
{
    rct_body body = rod(id - 1);
    body.hinge = RCT_HINGE_REVOLUTE;
    body.hinge_at[2] = 1.0;
    body.hinge_axis[0] = 1.0;
    body.hinge_axis[2] = 0.2 * id;
    body.position[0] = 0.3 * id;
    if (kind == HELD) {
        body.stiffness[0] = 37.7;
        body.rest[0] = 0.1;
        body.applied[0] = body.stiffness[0] * (body.position[0] - body.rest[0]);
    }
    assert_int_equal(RCT_OK, rct_model_add_body(model, &body, NULL, NULL));
}

/* BETWEEN: one body between two springs that pull it from both sides. */
static void add_springs(rct_model *model)
{
    for (int side = -1; side <= 1; side += 2) {
        rct_force spring = rct_force_default();
        spring.type = RCT_FORCE_SPRING;
        spring.at[2] = 0.5;
        spring.other_at[0] = 0.7 * side;
        spring.other_at[1] = 0.1 * side;
        spring.other_at[2] = 0.5 + 0.3 * side;
        spring.stiffness = 1000.3;
        spring.length = 0.21;
        assert_int_equal(RCT_OK, rct_model_add_force(model, &spring, NULL, NULL));
    }
}

static rct_model *make(system_kind kind)
{
    static const double nothing[3] = {0.0, 0.0, 0.0};
    rct_model *model = rct_model_create("scales", NULL);
    rct_body root = rod(RCT_GROUND);
    root.hinge = RCT_HINGE_FREE;
    root.rate[0] = 0.3;
    if (kind != FALLING) {
        assert_int_equal(RCT_OK, rct_model_set_gravity(model, nothing, NULL));
    }
    assert_int_equal(RCT_OK, rct_model_add_body(model, &root, NULL, NULL));
    for (int32_t id = 1; id < BODIES && kind != BETWEEN; id++) {
        add_outboard(model, kind, id);
    }
    if (kind == BETWEEN) {
        add_springs(model);
    }
    return model;
}

/* The filled entries of `compare`: the base is the method, the other entry is wrong by `off` times
 * 9.81 m/s^2 for one body. */
static cli_comparison compare(const rct_model *model, double off)
{
    cli_comparison comparison = {.model = model, .count = 2};
    rct_solver *solver = rct_solver_create(model, NULL, NULL);
    assert_non_null(solver);
    for (int i = 0; i < 2; i++) {
        cli_entry *entry = &comparison.entries[i];
        entry->present = entry->solver = true;
        assert_true(cli_accelerations_create(&entry->rows, model));
        assert_int_equal(RCT_OK, cli_accelerations_of_solver(&entry->rows, solver));
    }
    cli_accelerations *wrong = &comparison.entries[1].rows;
    for (int k = 0; k < CLI_COMPARED; k++) {
        for (int64_t i = 0; i < 3 * wrong->count; i++) { /* another residue */
            wrong->vectors[k][i] += wrong->vectors[k][i] == 0.0 ? 1e-17 : 1e-16 * (double)(i % 3);
        }
    }
    wrong->vectors[CLI_LINEAR][3 * (wrong->count - 1)] += 9.81 * off;
    comparison.base = &comparison.entries[0];
    assert_true(cli_natural_sizes(model, solver, comparison.natural));
    assert_true(cli_comparison_measure(&comparison));
    rct_solver_free(solver);
    return comparison;
}

static void dispose(cli_comparison *comparison)
{
    for (int i = 0; i < 2; i++) {
        cli_accelerations_free(&comparison->entries[i].rows);
    }
}

static void residues_differ_by_rounding(void **state)
{
    (void)state;
    for (int kind = FALLING; kind <= BETWEEN; kind++) {
        rct_model *model = make((system_kind)kind);
        cli_comparison comparison = compare(model, 0.0);
        assert_true(comparison.entries[1].difference.worst > 0.0);
        assert_true(comparison.entries[1].difference.worst < 1e-15);
        dispose(&comparison);
        rct_model_free(model);
    }
}

/* An error of g where springs could cause some hundred m/s^2 is an error of half a hundredth and
 * more. */
static void wrong_answers_show(void **state)
{
    (void)state;
    const double least[] = {[FALLING] = 0.999, [HELD] = 0.01, [BETWEEN] = 0.005};
    for (int kind = FALLING; kind <= BETWEEN; kind++) {
        rct_model *model = make((system_kind)kind);
        cli_comparison comparison = compare(model, 1.0);
        assert_true(comparison.entries[1].difference.worst > least[kind]);
        assert_true(comparison.entries[1].difference.worst < 1.001);
        dispose(&comparison);
        rct_model_free(model);
    }
}

/* Against hand computation: two springs of k (d - l) on 2 kg; gravity, over the root mean square
 * reach of rods, on their weight. */
static void sizes_are_those_of_what_acts(void **state)
{
    (void)state;
    rct_model *model = make(BETWEEN);
    cli_comparison comparison = compare(model, 0.0);
    const double pull = 1000.3 * (sqrt(0.7 * 0.7 + 0.1 * 0.1 + 0.3 * 0.3) - 0.21);
    const double length = sqrt(0.225 / 2.0 + 0.25);
    const double load = 2.0 * pull * (1.0 + 0.5 / length);
    assert_true(fabs(comparison.natural[CLI_LINEAR] - load / 2.0) <= 1e-9 * load);
    assert_true(fabs(comparison.natural[CLI_ANGULAR] - load / 2.0 / length) <= 1e-9 * load);
    assert_true(fabs(comparison.natural[CLI_FORCE] - load) <= 1e-9 * load);
    dispose(&comparison);
    rct_model_free(model);
    model = make(FALLING);
    comparison = compare(model, 0.0);
    assert_true(fabs(comparison.natural[CLI_LINEAR] - 9.81) <= 1e-12);
    assert_true(fabs(comparison.natural[CLI_FORCE] - 2.0 * BODIES * 9.81) <= 1e-9);
    dispose(&comparison);
    rct_model_free(model);
}

/* No forces, and motion at constant velocity: differences are absolute. */
static void nothing_has_no_size(void **state)
{
    (void)state;
    static const double nothing[3] = {0.0, 0.0, 0.0};
    rct_model *model = make(FALLING);
    assert_int_equal(RCT_OK, rct_model_set_gravity(model, nothing, NULL));
    cli_comparison comparison = compare(model, 0.0);
    for (int k = 0; k < CLI_COMPARED; k++) {
        assert_true(fabs(comparison.natural[k]) <= 0.0);
        assert_true(fabs(comparison.scale[k] - 1.0) <= 0.0);
    }
    dispose(&comparison);
    rct_model_free(model);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(residues_differ_by_rounding),
        cmocka_unit_test(wrong_answers_show),
        cmocka_unit_test(sizes_are_those_of_what_acts),
        cmocka_unit_test(nothing_has_no_size),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
