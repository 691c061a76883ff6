/* The lane kernels of bushes of every width and both methods, without a backend, against the serial sweep of
 * the whole tree: handles, accelerations and forces; faults keep to their lanes and name their links. */
#include "tests/support/cmocka_all.h"

#include "tests/support/draw.h"
#include "tests/support/systems/random_system.h"
#include "topology/bushes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A tree with its serial sweep, and its tasks in bushes. */
typedef struct bench {
    rct_model *model;
    rct_plan *plan;
    rct_partition *partition;
    rct_packing *segments;
    rct_bush_packing *planted;
    rct_bushes *bushes;
    const rct_bush_method *method;
    const rct_serial_kernels *serial;
    int riccati;
    double *state; /* [links][STATE_FIELDS]        */
    double *work;  /* [links][serial->work_fields] */
    double *scratch;
} bench;

static void *zeros(int64_t count)
{
    double *numbers = calloc((size_t)count + 1, sizeof *numbers);
    assert_non_null(numbers);
    return numbers;
}

static void give_states(bench *b)
{
    const int64_t lanes = b->planted->lanes;
    for (int64_t at = 0; at < b->bushes->waves * lanes; at++) {
        for (int64_t f = 0; f < STATE_FIELDS && b->bushes->label[at] >= 0; f++) {
            b->bushes->state[(at / lanes * STATE_FIELDS + f) * lanes + at % lanes] =
                b->state[(int64_t)b->bushes->label[at] * STATE_FIELDS + f];
        }
    }
}

/* Links of `light` (-1 at the end) get no inertia at all. */
static bench *bench_open(const rct_tile_kernels *kernels, int riccati, random_shape shape,
                         int32_t bodies, const int32_t *light)
{
    const random_system system = {.shape = shape, .bodies = bodies, .seed = (uint64_t)bodies};
    bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    b->model = random_system_create(&system);
    b->plan = rct_plan_create(b->model, NULL);
    for (; *light >= 0; light++) {
        memset(b->plan->sweep_records + *light * LINK_FIELDS, 0, LINK_AT * sizeof(double));
        memset(b->plan->inertia_records + *light * LINK_INERTIA_FIELDS, 0, 6 * sizeof(double));
    }
    b->partition = rct_partition_create(b->plan, 200, 0, NULL);
    b->segments = rct_packing_create(b->plan, b->partition, kernels->lanes, riccati, NULL);
    b->planted = rct_bush_packing_create(b->segments, b->segments->partition, 8, NULL);
    assert_non_null(b->planted);
    b->bushes = &b->planted->bushes;
    b->riccati = riccati;
    b->method = riccati ? &kernels->bush_riccati : &kernels->bush_abi;
    b->serial = riccati ? &rct_serial_riccati : &rct_serial_abi;
    const int64_t links = b->plan->links.count;
    uint64_t random = 46;
    b->state = zeros(links * STATE_FIELDS);
    b->work = zeros(links * b->serial->work_fields);
    b->bushes->work = zeros((int64_t)b->partition->reduced.count * b->serial->work_fields);
    b->scratch = zeros((int64_t)b->bushes->most_rows * BUSH_FIELDS * kernels->lanes);
    draw_numbers(&random, b->state, (int)links * STATE_FIELDS, 1.0);
    for (int64_t i = 0; i < links; i++) {
        b->state[i * STATE_FIELDS] += b->state[i * STATE_FIELDS] < 0.0 ? -0.5 : 0.5;
    }
    give_states(b);
    return b;
}

static void bench_close(bench *b)
{
    free(b->bushes->work);
    free(b->state);
    free(b->work);
    free(b->scratch);
    rct_bush_packing_free(b->planted);
    rct_packing_free(b->segments);
    rct_partition_free(b->partition);
    rct_plan_free(b->plan);
    rct_model_free(b->model);
    free(b);
}

/* The widths are bitwise the serial sweep where nothing is contracted; riccati carries S as a symmetric
 * handle, and rounds otherwise. */
static void expect_alike(const bench *b, const double *is, int64_t stride, const double *should,
                         int64_t count, double size)
{
    for (int64_t f = 0; f < count; f++) {
        double most = 1e-11 * size;
#ifdef RCT_STRICT
        most = b->riccati ? most : 0.0;
#else
        (void)b;
#endif
        if (!(fabs(is[f * stride] - should[f]) <= most)) {
            fail_msg("%d: %.17g, not %.17g", (int)f, is[f * stride], should[f]);
        }
    }
}

/* What a serial work record has for S and e. */
static void handle_of(const bench *b, const double *work, double handle[9])
{
    static const int entry[6] = {0, 7, 14, 1, 2, 8};
    if (!b->riccati) {
        memcpy(handle, work + ABI_HANDLE, 9 * sizeof *handle);
        return;
    }
    for (int i = 0; i < 9; i++) { /* S = -S_qr, e = -e_q */
        handle[i] = -work[RICCATI_HINGE + (i < 6 ? 18 + entry[i] : 36 + 3 + i - 6)];
    }
}

/* Condense, and what reaches the tasks as the serial sweep has it: their relative rotations and A. */
static void check_condense(const bench *b)
{
    const int64_t fields = b->serial->work_fields;
    for (int32_t bush = 0; bush < b->bushes->count; bush++) {
        assert_int_equal(b->method->condense(b->bushes, bush, b->scratch).end, SWEEP_DONE);
    }
    for (int32_t t = 0; t < b->partition->task_count; t++) {
        const rct_task *task = &b->partition->tasks[t];
        double *work = b->bushes->work + task->node * fields;
        const double *should = b->work + task->first * fields;
        double is[9], handle[9];
        handle_of(b, work, is);
        handle_of(b, should, handle);
        expect_alike(b, is, 1, handle, 9, 1e3);
        memcpy(work, should, 9 * sizeof *work);
    }
}

static void reach_tasks(const bench *b)
{
    const int64_t fields = b->serial->work_fields;
    double *above = zeros(b->plan->links.count * fields);
    memcpy(above, b->work, (size_t)(b->plan->links.count * fields) * sizeof *above);
    for (int32_t t = 0; t < b->partition->task_count; t++) {
        const rct_task *task = &b->partition->tasks[t];
        b->serial->reach(&b->plan->links, b->state, above, task->first);
        memcpy(b->bushes->work + task->node * fields + b->serial->linear,
               above + task->first * fields + b->serial->linear, 3 * sizeof *above);
    }
    free(above);
}

static void check_results(const bench *b)
{
    const int64_t lanes = b->planted->lanes, fields = b->serial->work_fields;
    for (int64_t at = 0; at < b->bushes->waves * lanes; at++) {
        const int64_t i = b->bushes->label[at];
        const double *row = b->bushes->results + at / lanes * RESULT_FIELDS * lanes + at % lanes;
        if (i >= 0) {
            const double *work = b->work + i * fields;
            expect_alike(b, row + RESULT_LINEAR * lanes, lanes, work + b->serial->linear, 3, 1e3);
            expect_alike(b, row + RESULT_ANGULAR * lanes, lanes, work + b->serial->angular, 3, 1e4);
        }
    }
}

/* The serial sweep of all the tree. */
static void sweep_serially(const bench *b)
{
    const rct_links *links = &b->plan->links;
    assert_int_equal(b->serial->inward(links, b->state, b->work, 0, links->count).end, SWEEP_DONE);
    for (int32_t i = 0, next = 0; i < links->count; i = next) { /* tree after tree */
        for (next = i + 1; next < links->count && links->parent[next] >= 0;) {
            next++;
        }
        b->serial->reach(links, b->state, b->work, i);
        assert_int_equal(b->serial->outward(links, b->state, b->work, i, next - i).end, SWEEP_DONE);
    }
}

static void check_against_serial(const rct_tile_kernels *kernels, int riccati)
{
    static const int32_t none = -1;
    for (int shape = 0; shape < 4; shape++) {
        for (int32_t bodies = 1; bodies < 1500; bodies = 3 * bodies + 2) {
            bench *b = bench_open(kernels, riccati, (random_shape)shape, bodies, &none);
            if (b->partition->segment_count == 0) {
                sweep_serially(b);
                check_condense(b);
                reach_tasks(b);
                for (int32_t bush = 0; bush < b->bushes->count; bush++) {
                    const rct_sweep_result result =
                        b->method->accelerate(b->bushes, bush, STAGE_NONE, 0.0, b->scratch);
                    assert_int_equal(result.end, SWEEP_DONE);
                }
                check_results(b);
            }
            bench_close(b);
        }
    }
}

static void on_all(void (*check)(const rct_tile_kernels *, int riccati))
{
    for (int i = 0; rct_tile_kernels_list()[i] != NULL; i++) {
        check(rct_tile_kernels_list()[i], 0);
        check(rct_tile_kernels_list()[i], 1);
    }
}

static void test_bushes_against_the_serial_sweep(void **state)
{
    (void)state;
    on_all(check_against_serial);
}

/* ---- faults -------------------------------------------------------------------------------- */

enum { BODIES = 6000 };

/* Three tips of one bush whose tasks hang on something, not all of one task. */
static void pick_tips(const bench *b, int32_t tips[3], int32_t *bush)
{
    int32_t found = 0;
    for (*bush = 0; *bush < b->bushes->hanging && found < 3; (*bush)++) {
        const int64_t first = b->bushes->first_root[*bush];
        found = 0;
        for (int64_t k = first; k < b->bushes->first_root[*bush + 1]; k++) {
            const rct_task *task = &b->partition->tasks[b->planted->task[k]];
            if (found < 3) { /* the last link of a subtree is a tip */
                tips[found++] = task->first + task->count - 1;
            }
        }
    }
    --*bush;
    assert_int_equal(found, 3);
}

static int32_t smallest(const int32_t tips[3])
{
    int32_t least = tips[0];
    for (int i = 1; i < 3; i++) {
        least = tips[i] < least ? tips[i] : least;
    }
    return least;
}

/* The tasks without such a tip are condensed to the same bits as those of a sound tree. */
static void expect_untouched(const bench *sound, const bench *ill, const int32_t tips[3])
{
    const size_t fields = (size_t)sound->serial->work_fields;
    for (int32_t t = 0; t < sound->partition->task_count; t++) {
        const rct_task *task = &sound->partition->tasks[t];
        int hit = 0;
        for (int i = 0; i < 3; i++) {
            hit |= tips[i] >= task->first && tips[i] < task->first + task->count;
        }
        assert_true(hit || memcmp(sound->bushes->work + (size_t)task->node * fields,
                                  ill->bushes->work + (size_t)task->node * fields,
                                  fields * sizeof(double)) == 0);
    }
}

/* Links with neither mass nor inertia: the smallest label of several, whatever the lanes. */
static void check_singular(const rct_tile_kernels *kernels, int riccati)
{
    const int32_t none = -1;
    int32_t tips[4] = {-1, -1, -1, -1}, bush;
    bench *sound = bench_open(kernels, riccati, SHAPE_TREE, BODIES, &none);
    pick_tips(sound, tips, &bush);
    bench *ill = bench_open(kernels, riccati, SHAPE_TREE, BODIES, tips);
    for (int32_t k = 0; k < ill->bushes->count; k++) {
        assert_int_equal(sound->method->condense(sound->bushes, k, sound->scratch).end, SWEEP_DONE);
        const rct_sweep_result result = ill->method->condense(ill->bushes, k, ill->scratch);
        assert_int_equal(result.end, k == bush ? SWEEP_SINGULAR : SWEEP_DONE);
        assert_int_equal(result.link, k == bush ? smallest(tips) : -1);
    }
    expect_untouched(sound, ill, tips);
    const int64_t size = ill->bushes->waves * STATE_FIELDS * kernels->lanes;
    double *before = zeros(size);
    memcpy(before, ill->bushes->state, (size_t)size * sizeof *before);
    for (int32_t k = 0; k < ill->bushes->count; k++) { /* the base of the step is whole */
        const rct_sweep_result result =
            ill->method->accelerate(ill->bushes, k, 0, 1e-3, ill->scratch);
        assert_int_equal(result.end == SWEEP_SINGULAR, k == bush);
    }
    assert_memory_equal(before, ill->bushes->base, (size_t)size * sizeof *before);
    free(before);
    bench_close(sound);
    bench_close(ill);
}

static void test_a_singular_link_is_named(void **state)
{
    (void)state;
    on_all(check_singular);
}

static double *number_of(const bench *b, int32_t label, int32_t field)
{
    const int64_t lanes = b->planted->lanes;
    int64_t at = 0;
    while (b->bushes->label[at] != label) {
        at++;
    }
    return &b->bushes->state[(at / lanes * STATE_FIELDS + field) * lanes + at % lanes];
}

/* A state that is no number: its link is named where a pivot fails of it, one of its task else. */
static void check_not_finite(const rct_tile_kernels *kernels, int riccati)
{
    const int32_t none = -1;
    int32_t tips[3], bush;
    bench *b = bench_open(kernels, riccati, SHAPE_TREE, BODIES, &none);
    pick_tips(b, tips, &bush);
    for (int32_t k = 0; k < b->bushes->count; k++) {
        b->method->condense(b->bushes, k, b->scratch);
    }
    double *rate = number_of(b, tips[0], STATE_RATE);
    const double sound = *rate;
    *rate = 1e200; /* its square is not finite */
    rct_sweep_result result = b->method->accelerate(b->bushes, bush, STAGE_NONE, 0.0, b->scratch);
    assert_int_equal(result.end, SWEEP_NOT_FINITE);
    assert_in_range(result.link, 0, tips[0]);
    *rate = sound;
    result = b->method->accelerate(b->bushes, bush, STAGE_NONE, 0.0, b->scratch);
    assert_int_equal(result.end, SWEEP_DONE);
    *number_of(b, tips[1], STATE_ORIENTATION + 2) = (double)NAN;
    result = b->method->condense(b->bushes, bush, b->scratch);
    if (result.end != SWEEP_DONE) { /* a task of one link has no pivot that feels it */
        assert_int_equal(result.end, SWEEP_NOT_FINITE);
        assert_int_equal(result.link, tips[1]);
    }
    bench_close(b);
}

static void test_a_state_that_is_not_finite_is_found(void **state)
{
    (void)state;
    on_all(check_not_finite);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_bushes_against_the_serial_sweep),
        cmocka_unit_test(test_a_singular_link_is_named),
        cmocka_unit_test(test_a_state_that_is_not_finite_is_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
