/* Prints the table of docs/accuracy.md for one kind of chain: relative errors of accelerations and
 * hinge forces against the Lagrangian equations refined in quadruple precision, by method and
 * segment length. Above the table it prints the last correction of the reference, and how far the
 * solution of the reference moves when every number of the state goes to a neighbouring double,
 * which measures the precision of the state. Not a test; run it by hand:
 *
 *     table_accuracy straight[:BEND]|crumpled|spinning|unequal|taut[:BEND]|heavy|tip BODIES
 *                    [abi|riccati|both [SEGMENT...]]
 *
 * BEND in rad, default 1e-3; segments of -1 links: the length that auto chooses. */
#include "tests/dynamics/hard_chain.h"
#include "tests/support/larger.h"

#include <riccatree/reference.h>
#include <riccatree/riccatree.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { QUANTITIES = 3, MOST_LENGTHS = 16 };

/* What is compared, [n][3] each. */
typedef struct rows {
    double *linear, *angular, *force;
} rows;

typedef struct errors {
    double of[QUANTITIES]; /* linear, angular, force */
} errors;

static void give_up(const char *text)
{
    fprintf(stderr, "table_accuracy: %s\n", text);
    exit(1);
}

static double *numbers(int64_t count)
{
    double *v = calloc((size_t)count, sizeof *v);
    if (v == NULL) {
        give_up("out of memory");
    }
    return v;
}

static rows rows_create(int64_t n)
{
    return (rows){numbers(3 * n), numbers(3 * n), numbers(3 * n)};
}

static void rows_free(rows *r)
{
    free(r->linear);
    free(r->angular);
    free(r->force);
}

/* Returns the last correction. */
static double solve_reference(const rct_model *model, const double *orientation, const double *rate,
                              rows *to)
{
    rct_error error;
    rct_reference_result result = {
        .linear = to->linear, .angular = to->angular, .force = to->force};
    if (rct_reference_evaluate(model, RCT_REFERENCE_LAGRANGE, orientation, rate, &result, &error) !=
        RCT_OK) {
        give_up(error.text);
    }
    return result.residual;
}

static double difference(const double *a, const double *truth, int64_t n, double least)
{
    double apart = 0.0;
    double scale = least;
    for (int64_t i = 0; i < 3 * n; i++) {
        apart = larger(apart, fabs(a[i] - truth[i]));
        scale = larger(scale, fabs(truth[i]));
    }
    return apart / scale;
}

/* Relative to the largest number of its kind, but at least to gravity and to 1 N. */
static errors errors_of(const rows *a, const rows *truth, int64_t n)
{
    return (errors){{difference(a->linear, truth->linear, n, 9.81),
                     difference(a->angular, truth->angular, n, 9.81),
                     difference(a->force, truth->force, n, 1.0)}};
}

static double worst(errors e)
{
    return larger(e.of[0], larger(e.of[1], e.of[2]));
}

/* Moves every number of the state to the next double up or down, or leaves it. */
static errors floor_of(const rct_model *model, const rows *truth)
{
    const int32_t n = rct_model_body_count(model);
    double *orientation = numbers(4 * (int64_t)n), *rate = numbers(3 * (int64_t)n);
    rows moved = rows_create(n);
    hard_chain_rounded_state(model, orientation, rate);
    solve_reference(model, orientation, rate, &moved);
    const errors e = errors_of(&moved, truth, n);
    rows_free(&moved);
    free(rate);
    free(orientation);
    return e;
}

static void print(const char *method, const char *segment, errors e, double serial)
{
    printf("| %s | %s | %.1e | %.1e | %.1e |", method, segment, e.of[0], e.of[1], e.of[2]);
    if (serial > 0.0) {
        printf(" %.2f", worst(e) / serial);
    }
    printf(" |\n");
    fflush(stdout);
}

static double print_method(const rct_model *model, rct_method method, int64_t segment,
                           double serial, const rows *truth)
{
    const rct_solver_options options = {
        .method = method, .backend = "cpu", .threads = 2, .segment = segment};
    const int32_t n = rct_model_body_count(model);
    rct_error error;
    rct_solver *solver = rct_solver_create(model, &options, &error);
    if (solver == NULL || rct_solver_evaluate(solver, &error) != RCT_OK) {
        give_up(error.text);
    }
    rows own = rows_create(n);
    rct_solver_info info;
    rct_solver_get_info(solver, &info);
    rct_solver_get_accelerations(solver, own.linear, own.angular);
    rct_solver_get_hinge_forces(solver, own.force, NULL);
    rct_solver_free(solver);
    const errors e = errors_of(&own, truth, n);
    char text[32];
    snprintf(text, sizeof text, segment == RCT_SEGMENT_AUTO ? "%" PRId32 " (auto)" : "%" PRId32,
             info.segment_length);
    print(rct_method_name(method), text, e, serial);
    rows_free(&own);
    return worst(e);
}

static void print_table(const rct_model *model, const int methods[2], const int64_t *lengths,
                        int count)
{
    const int32_t n = rct_model_body_count(model);
    rows truth = rows_create(n);
    const double residual = solve_reference(model, NULL, NULL, &truth);
    printf("\nlast correction of the reference: %.0e\n\n", residual);
    printf("| method | segment | linear | angular | force | to serial |\n");
    printf("| --- | ---: | ---: | ---: | ---: | ---: |\n");
    print("state rounded", "", floor_of(model, &truth), 0.0);
    for (int m = 0; m < 2; m++) {
        double serial = 0.0;
        for (int k = 0; k < count && methods[m]; k++) {
            const double e = print_method(model, (rct_method)m, lengths[k], serial, &truth);
            serial = lengths[k] == 0 ? e : serial;
        }
    }
    rows_free(&truth);
}

/* KIND or KIND:BEND; returns the bend, or -1. */
static double parse_kind(const char *text, int *kind)
{
    char name[16];
    const char *colon = strchr(text, ':');
    const int length = colon != NULL ? (int)(colon - text) : (int)strlen(text);
    snprintf(name, sizeof name, "%.*s", length, text);
    *kind = hard_chain_find(name);
    return *kind < 0 ? -1.0 : colon != NULL ? strtod(colon + 1, NULL) : 1e-3;
}

int main(int argc, char **argv)
{
    static const int64_t usual[] = {0, 2, 7, 16, 64, 192, RCT_SEGMENT_AUTO, 1000};
    int64_t lengths[MOST_LENGTHS];
    int kind = -1, count = (int)(sizeof usual / sizeof usual[0]);
    const double bend = argc > 2 ? parse_kind(argv[1], &kind) : -1.0;
    const long bodies = argc > 2 ? strtol(argv[2], NULL, 10) : 0;
    const char *which = argc > 3 ? argv[3] : "both";
    const int methods[2] = {strcmp(which, "riccati") != 0, strcmp(which, "abi") != 0};
    if (!(bend >= 0.0) || bodies < 1 || bodies > INT32_MAX || argc - 4 > MOST_LENGTHS) {
        give_up("usage: table_accuracy KIND[:BEND] BODIES [abi|riccati|both [SEGMENT...]]");
    }
    memcpy(lengths, usual, sizeof usual);
    for (int k = 4; k < argc; k++) {
        count = argc - 4;
        lengths[k - 4] = strtol(argv[k], NULL, 10);
    }
    rct_model *model = hard_chain_create((hard_chain)kind, (int32_t)bodies, bend);
    printf("%s, %ld bodies\n", argv[1], bodies);
    print_table(model, methods, lengths, count);
    rct_model_free(model);
    return 0;
}
