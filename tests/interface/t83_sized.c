/* Callers with other versions of the headers: for every public struct that a function takes or
 * fills, a caller that does not know its last field yet, and one that knows 16 bytes more, of the
 * struct and of the struct inside it. One file, because it is one table with a row for every
 * struct. */
#include "tests/support/cmocka_all.h"

#include "core/sized.h"
#include "tests/support/faults/refusal.h"
#include "tests/support/files/recording.h"
#include "tests/support/files/small_ensemble.h"

#include <riccatree/check.h>
#include <riccatree/reference.h>
#include <riccatree/rod.h>

#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { ROOM = 4096, LAST = 8, MORE = 16, POISON = 0xaa };

static rct_error error;

/* The objects that the functions work on. */
static rct_model *model;
static rct_solver *solver;
static rct_recorder *recorder;
static rct_checkpoint *checkpoint;
static rct_ensemble *ensemble;
static rct_ensemble_file *file;
static rct_ensemble_results *results;
static rct_recording *reader; /* of the recorder, which goes on writing */
static const double numbers[64];
static rct_loop_term term = {0, 0, 1.0};

static const char checkpoint_path[] = "sized.checkpoint", file_path[] = "sized_file.h5",
                  results_path[] = "sized_results.h5", recorder_path[] = "sized.h5",
                  page_path[] = "sized.html";

static rct_status take_result(void *context, const rct_member_result *result, rct_error *unused)
{
    (void)context, (void)result, (void)unused;
    return RCT_OK;
}

/* ---- functions that fill ------------------------------------------------------------------ */

static void fill_body(rct_out out)
{
    assert_int_equal(rct_model_body_sized(model, 1, out, NULL), RCT_OK);
}

static void fill_force(rct_out out)
{
    assert_int_equal(rct_model_force_sized(model, 0, out, NULL), RCT_OK);
}

static void fill_effort(rct_out out)
{
    rct_model *own = rct_model_create("own", NULL);
    rct_force f = rct_force_default();
    f.type = RCT_FORCE_FRICTION;
    f.coulomb = f.slip = 1.0;
    assert_int_equal(rct_model_add_force(own, &f, NULL, NULL), RCT_OK);
    assert_int_equal(rct_model_force_effort_sized(own, 0, 0.5, 1.0, 2.0, out, NULL), RCT_OK);
    rct_model_free(own);
}

static void fill_shape(rct_out out)
{
    assert_int_equal(rct_model_shape_sized(model, 0, out, NULL), RCT_OK);
}

static void fill_base(rct_out out)
{
    rct_model_base_sized(model, out);
}

static void fill_motion(rct_out out)
{
    rct_model_base_motion_sized(model, 1.0, out);
}

static void fill_loop(rct_out out)
{
    assert_int_equal(rct_model_loop_sized(model, 0, out, NULL), RCT_OK);
}

static void fill_event(rct_out out)
{
    assert_int_equal(rct_model_event_sized(model, 0, out, NULL), RCT_OK);
}

static void fill_backend(rct_out out)
{
    assert_int_equal(rct_backend_describe_sized(rct_backend_count() - 1, out, NULL), RCT_OK);
}

static void fill_info(rct_out out)
{
    rct_solver_get_info_sized(solver, out);
}

static void fill_measures(rct_out out)
{
    rct_solver_measure_sized(solver, out);
}

static void fill_step(rct_out out)
{
    assert_int_equal(rct_solver_check_step_sized(solver, 1e-3, out, NULL), RCT_OK);
}

/* Of a chain of its own, which is brought to rest. */
static void fill_rest(rct_out equilibrium, rct_out modes)
{
    const rct_family family = rct_family_default();
    const rct_solver_options options = rct_solver_options_default();
    rct_model *chain = rct_model_generate(&family, NULL);
    rct_solver *own = rct_solver_create(chain, &options, NULL);
    assert_int_equal(rct_solver_equilibrium_sized(own, equilibrium, NULL), RCT_OK);
    assert_int_equal(rct_solver_modes_sized(own, 0, NULL, NULL, modes, NULL), RCT_OK);
    rct_solver_free(own);
    rct_model_free(chain);
}

static void fill_equilibrium(rct_out out)
{
    fill_rest(out, rct_out_of(NULL, 0, 0, 0));
}

static void fill_modes(rct_out out)
{
    fill_rest(rct_out_of(NULL, 0, 0, 0), out);
}

static void fill_stepping(rct_out out)
{
    rct_solver_get_stepping_sized(solver, out);
}

static void fill_loop_info(rct_out out)
{
    rct_solver_get_loop_info_sized(solver, out);
}

/* Of a body held at its hinge point. */
static void fill_aggregate(rct_out out)
{
    rct_solver_options options = rct_solver_options_default();
    rct_model *own = rct_model_create(NULL, NULL);
    rct_body body = rct_body_default();
    const rct_loop loop = rct_loop_default();
    body.mass = body.inertia[0] = body.inertia[1] = body.inertia[2] = 1.0;
    options.as_given = 1;
    assert_int_equal(rct_model_add_body(own, &body, NULL, NULL), RCT_OK);
    assert_int_equal(rct_model_add_loop(own, &loop, NULL, NULL), RCT_OK);
    rct_solver *closed = rct_solver_create(own, &options, NULL);
    rct_aggregates *aggregates = rct_solver_find_aggregates(closed, NULL);
    assert_int_equal(rct_aggregates_get_sized(aggregates, 0, out, NULL), RCT_OK);
    rct_aggregates_free(aggregates);
    rct_solver_free(closed);
    rct_model_free(own);
}

static void fill_census(rct_out out)
{
    rct_model_take_census_sized(model, out);
}

/* A run to the present time is refused, with an error. */
static void fill_report(rct_out out)
{
    rct_run_options options = rct_run_options_default();
    options.frames = 1;
    const rct_in in = rct_in_of(&options, sizeof options, 0, 0);
    assert_int_equal(rct_solver_run_sized(solver, model, in, out, NULL), RCT_ERROR_ARGUMENT);
}

static void fill_checkpoint(rct_out out)
{
    rct_checkpoint_get_info_sized(checkpoint, out);
}

static void fill_file(rct_out out)
{
    assert_int_equal(rct_file_check_sized(checkpoint_path, out, NULL), RCT_OK);
}

static void fill_recording(rct_out out)
{
    rct_recording_get_info_sized(reader, out);
}

static void fill_quantity(rct_out out)
{
    assert_int_equal(rct_recording_quantity_sized(reader, 2, out, NULL), RCT_OK);
}

static void fill_view(rct_out out)
{
    const rct_in none = rct_in_of(NULL, 0, 0, 0);
    assert_int_equal(rct_view_model_sized(model, page_path, none, out, NULL), RCT_OK);
    unlink(page_path);
}

static void fill_variation(rct_out out)
{
    assert_int_equal(rct_ensemble_variation_sized(ensemble, 0, out, NULL), RCT_OK);
}

static void fill_kept_variation(rct_out out)
{
    assert_int_equal(rct_ensemble_results_variation_sized(results, 1, out, NULL), RCT_OK);
}

static void fill_parsed(rct_out out)
{
    int64_t length;
    assert_int_equal(rct_variation_parse_sized("a=1:2:3", out, &length, NULL), RCT_OK);
}

static void fill_results(rct_out out)
{
    rct_ensemble_results_get_info_sized(results, out);
}

static void fill_run(rct_out out)
{
    rct_ensemble *same = rct_ensemble_results_ensemble_sized(results, out, NULL);
    assert_non_null(same);
    rct_ensemble_free(same);
}

/* ---- functions that take ------------------------------------------------------------------ */

static int ok(rct_status status)
{
    return status == RCT_OK;
}

static int take_body(rct_in in)
{
    rct_model *own = rct_model_create(NULL, NULL);
    const rct_status status = rct_model_add_body_sized(own, in, NULL, &error);
    rct_model_free(own);
    return ok(status);
}

static int take_family(rct_in in)
{
    rct_model *made = rct_model_generate_sized(in, &error);
    rct_model_free(made);
    return made != NULL;
}

/* It has no frames, which is found once the struct is read. */
static int take_running(rct_in in)
{
    const rct_out none = rct_out_of(NULL, 0, 0, 0);
    rct_solver_run_sized(solver, model, in, none, &error);
    return strstr(error.text, "1 frames") != NULL;
}

static int take_rod(rct_in in)
{
    rct_model *own = two_bodies();
    const rct_status status = rct_model_add_rod_sized(own, in, NULL, &error);
    rct_model_free(own);
    return ok(status);
}

static int take_shape(rct_in in)
{
    rct_model *own = two_bodies();
    const rct_status status = rct_model_add_shape_sized(own, in, NULL, &error);
    rct_model_free(own);
    return ok(status);
}

static int take_force(rct_in in)
{
    rct_model *own = two_bodies();
    const rct_status status = rct_model_add_force_sized(own, in, NULL, &error);
    rct_model_free(own);
    return ok(status);
}

static int take_base(rct_in in)
{
    rct_model *own = two_bodies();
    const rct_status status = rct_model_set_base_sized(own, in, &error);
    rct_model_free(own);
    return ok(status);
}

static int take_loop(rct_in in)
{
    rct_model *own = two_bodies();
    const rct_status status = rct_model_add_loop_sized(own, in, NULL, &error);
    rct_model_free(own);
    return ok(status);
}

static int take_event(rct_in in)
{
    rct_model *own = two_bodies();
    const rct_status status = rct_model_add_event_sized(own, in, NULL, &error);
    rct_model_free(own);
    return ok(status);
}

static int take_options(rct_in in)
{
    rct_solver *made = rct_solver_create_sized(model, in, &error);
    rct_solver_free(made);
    return made != NULL;
}

static int take_recorder(rct_in in)
{
    const char *path = "sized_take.h5";
    unlink(path);
    rct_recorder *made = rct_recorder_create_sized(path, model, solver, in, &error);
    const int created = made != NULL;
    rct_recorder_close(made, 0, NULL);
    made = rct_recorder_reopen_sized(path, model, solver, in, 0, &error);
    const int reopened = made != NULL;
    rct_recorder_close(made, 0, NULL);
    unlink(path);
    return created && reopened;
}

static int take_view(rct_in in)
{
    const rct_out none = rct_out_of(NULL, 0, 0, 0);
    const int written = ok(rct_view_model_sized(model, page_path, in, none, &error));
    unlink(page_path);
    return written;
}

static int take_measures(rct_in in)
{
    rct_error why = {.status = RCT_OK};
    const int written = ok(rct_recorder_write_sized(recorder, solver, in, &error));
    rct_recorder_write_kept_sized(recorder, solver, in, &why); /* the cpu keeps none */
    return written && strstr(why.text, "does not know") == NULL;
}

static int take_import(rct_in in)
{
    static const char urdf[] = "<robot name='r'><link name='a'/></robot>";
    rct_model *made = rct_model_import_text_sized(urdf, (int64_t)strlen(urdf), in, &error);
    const int known = error.status == RCT_OK || strstr(error.text, "does not know") == NULL;
    rct_model_free(made);
    return known; /* a robot without mass is none */
}

static int take_reference(rct_in in)
{
    const rct_out out = {(void *)in.at, in.size, 0, 0};
    return ok(rct_reference_evaluate_sized(model, RCT_REFERENCE_LAGRANGE, NULL, NULL, out,
                                           &error)) &&
           ok(rct_reference_evaluate_at_sized(model, RCT_REFERENCE_LAGRANGE, 0.0, NULL, NULL, out,
                                              &error));
}

static int take_ensemble(rct_in in)
{
    in.item = sizeof(rct_variation);
    rct_ensemble *made = rct_ensemble_create_sized(model, in, &error);
    rct_ensemble_free(made);
    return made != NULL;
}

static int take_run(rct_in in)
{
    unlink(file_path);
    const int run = ok(rct_ensemble_run_sized(ensemble, in, &error)) &&
                    rct_ensemble_file_bytes_sized(ensemble, in) > 0;
    rct_ensemble_file *made =
        rct_ensemble_file_create_sized(file_path, ensemble, in, 1, NULL, &error);
    rct_ensemble_file_close(made, 0, NULL);
    rct_ensemble_file *again = rct_ensemble_file_open_sized(file_path, ensemble, in, &error);
    rct_ensemble_file_close(again, 0, NULL);
    rct_ensemble_checkpoint_writer *writer =
        rct_ensemble_checkpoint_writer_create_sized(file_path, 0, ensemble, in, &error);
    rct_ensemble_checkpoint_writer_free(writer);
    rct_ensemble_checkpoints *all =
        rct_ensemble_checkpoints_open_sized(file_path, ensemble, in, NULL, &error);
    rct_ensemble_checkpoints_close(all);
    const int created = made != NULL && again != NULL && writer != NULL && all != NULL;
    unlink(file_path);
    return run && created;
}

static int take_member(rct_in in)
{
    return ok(rct_ensemble_file_write_sized(file, in, &error));
}

/* ---- all structs -------------------------------------------------------------------------- */

/* A struct that the caller gets from `begin`, or from `example`, and passes to `take`; or that
 * `begin` has filled. */
typedef struct grown {
    const char *name;
    int64_t size, held_at, held;
    void (*begin)(rct_out out);
    int (*take)(rct_in in);
    const void *example;
} grown;

#define STRUCT(type) #type, sizeof(type), 0, 0

static rct_body a_body;
static rct_force a_force;
static rct_shape a_shape;
static rct_loop a_loop;
static rct_event an_event;
static rct_measures a_measures;
static rct_member_result a_result;
static rct_ensemble_run_options a_run;
static rct_run_options a_running;
static rct_reference_result a_reference;
static rct_import_options an_import;

static const grown all[] = {
    {STRUCT(rct_body), rct_body_init, NULL, NULL},
    {STRUCT(rct_body), fill_body, take_body, &a_body},
    {STRUCT(rct_family), rct_family_init, take_family, NULL},
    {STRUCT(rct_force), rct_force_init, NULL, NULL},
    {STRUCT(rct_force), fill_force, take_force, &a_force},
    {STRUCT(rct_force_effort), fill_effort, NULL, NULL},
    {STRUCT(rct_rod), rct_rod_init, take_rod, NULL},
    {STRUCT(rct_shape), rct_shape_init, NULL, NULL},
    {STRUCT(rct_shape), fill_shape, take_shape, &a_shape},
    {STRUCT(rct_base), rct_base_init, take_base, NULL},
    {STRUCT(rct_base), fill_base, NULL, NULL},
    {STRUCT(rct_base_motion), fill_motion, NULL, NULL},
    {STRUCT(rct_loop), rct_loop_init, NULL, NULL},
    {STRUCT(rct_loop), fill_loop, take_loop, &a_loop},
    {STRUCT(rct_event), rct_event_init, NULL, NULL},
    {STRUCT(rct_event), fill_event, take_event, &an_event},
    {STRUCT(rct_solver_options), rct_solver_options_init, take_options, NULL},
    {STRUCT(rct_backend_info), fill_backend, NULL, NULL},
    {STRUCT(rct_solver_info), fill_info, NULL, NULL},
    {STRUCT(rct_measures), fill_measures, take_measures, &a_measures},
    {STRUCT(rct_step_report), fill_step, NULL, NULL},
    {STRUCT(rct_stepping), fill_stepping, NULL, NULL},
    {STRUCT(rct_equilibrium), fill_equilibrium, NULL, NULL},
    {STRUCT(rct_modes), fill_modes, NULL, NULL},
    {STRUCT(rct_loop_info), fill_loop_info, NULL, NULL},
    {STRUCT(rct_aggregate_info), fill_aggregate, NULL, NULL},
    {"rct_checkpoint_info", sizeof(rct_checkpoint_info), offsetof(rct_checkpoint_info, options),
     sizeof(rct_solver_options), fill_checkpoint, NULL, NULL},
    {STRUCT(rct_census), fill_census, NULL, NULL},
    {STRUCT(rct_run_options), rct_run_options_init, NULL, NULL},
    {STRUCT(rct_run_options), NULL, take_running, &a_running},
    {STRUCT(rct_run_report), fill_report, NULL, NULL},
    {STRUCT(rct_file_info), fill_file, NULL, NULL},
    {STRUCT(rct_recording_info), fill_recording, NULL, NULL},
    {STRUCT(rct_quantity), fill_quantity, NULL, NULL},
    {STRUCT(rct_view_options), rct_view_options_init, take_view, NULL},
    {STRUCT(rct_view_report), fill_view, NULL, NULL},
    {STRUCT(rct_recorder_options), rct_recorder_options_init, take_recorder, NULL},
    {STRUCT(rct_reference_result), NULL, take_reference, &a_reference},
    {STRUCT(rct_import_options), NULL, take_import, &an_import},
    {STRUCT(rct_ensemble_options), rct_ensemble_options_init, take_ensemble, NULL},
    {"rct_ensemble_run_options", sizeof(rct_ensemble_run_options),
     offsetof(rct_ensemble_run_options, solver), sizeof(rct_solver_options),
     rct_ensemble_run_options_init, take_run, &a_run},
    {"rct_ensemble_run_options", sizeof(rct_ensemble_run_options),
     offsetof(rct_ensemble_run_options, solver), sizeof(rct_solver_options), fill_run, NULL, NULL},
    {STRUCT(rct_variation), fill_variation, NULL, NULL},
    {STRUCT(rct_variation), fill_kept_variation, NULL, NULL},
    {STRUCT(rct_variation), fill_parsed, NULL, NULL},
    {STRUCT(rct_ensemble_results_info), fill_results, NULL, NULL},
    {STRUCT(rct_member_result), NULL, take_member, &a_result},
};

enum { ALL = sizeof all / sizeof all[0] };

/* The struct as a caller has it whose header is longer, in the inner struct and at the end. */
static void spread(const grown *g, char *to, const char *from, int64_t held_more)
{
    const int64_t end = g->held_at + g->held;
    memcpy(to, from, (size_t)end);
    memcpy(to + end + held_more, from + end, (size_t)(g->size - end));
}

static rct_out out_of(const grown *g, void *at, int64_t more, int64_t held_more)
{
    return (rct_out){at, g->size + more + held_more, g->held > 0 ? g->held + held_more : 0, 0};
}

static void expect_fill(const grown *g)
{
    char whole[ROOM], other[ROOM], expected[ROOM];
    memset(whole, POISON, sizeof whole);
    g->begin(out_of(g, whole, 0, 0));
    assert_int_equal((unsigned char)whole[g->size], POISON);

    memset(other, POISON, sizeof other); /* an older caller: not one byte beyond its own */
    memcpy(expected, other, sizeof expected);
    memcpy(expected, whole, (size_t)(g->size - LAST));
    g->begin(out_of(g, other, -LAST, 0));
    assert_memory_equal(other, expected, sizeof other);

    const int64_t held_more = g->held > 0 ? MORE : 0; /* a newer caller: zeros */
    memset(other, POISON, sizeof other);
    memcpy(expected, other, sizeof expected);
    memset(expected, 0, (size_t)(g->size + MORE + held_more));
    spread(g, expected, whole, held_more);
    g->begin(out_of(g, other, MORE, held_more));
    assert_memory_equal(other, expected, sizeof other);
}

static int taken(const grown *g, const char *at, int64_t more, int64_t held_more)
{
    const rct_out out = out_of(g, (void *)at, more, held_more);
    error = (rct_error){.status = RCT_OK};
    return g->take((rct_in){out.at, out.size, out.held, 0});
}

static void expect_taken(const grown *g, const char *at, int64_t more, int64_t held_more)
{
    if (!taken(g, at, more, held_more)) {
        fail_msg("%s, %d bytes more: \"%s\"", g->name, (int)more, error.text);
    }
}

static void expect_refused(const grown *g, const char *at, int64_t held_more)
{
    assert_false(taken(g, at, MORE, held_more));
    assert_int_equal(error.status, RCT_ERROR_ARGUMENT);
    if (strstr(error.text, "sets a field that version") == NULL) {
        fail_msg("%s: \"%s\"", g->name, error.text);
    }
}

static void expect_take(const grown *g)
{
    char whole[ROOM] = {0}, other[ROOM];
    const int64_t held_more = g->held > 0 ? MORE : 0;
    const int64_t held_end = g->held_at + g->held;
    if (g->example != NULL) {
        memcpy(whole, g->example, (size_t)g->size);
    } else {
        g->begin(out_of(g, whole, 0, 0));
    }
    expect_taken(g, whole, 0, 0);

    memcpy(other, whole, sizeof other); /* an older caller: what it does not have is not read */
    memset(other + g->size - LAST, 0xff, LAST);
    expect_taken(g, other, -LAST, 0);

    memset(other, 0, sizeof other); /* a newer caller */
    spread(g, other, whole, held_more);
    expect_taken(g, other, MORE, held_more);
    other[g->size + held_more + MORE - 1] = 1;
    expect_refused(g, other, held_more);
    other[g->size + held_more + MORE - 1] = 0;
    if (held_more > 0) {
        other[held_end] = 1;
        expect_refused(g, other, held_more);
    }
}

static void test_structs_that_are_filled(void **state)
{
    (void)state;
    for (int i = 0; i < ALL; i++) {
        if (all[i].begin != NULL) {
            expect_fill(&all[i]);
        }
    }
}

static void test_structs_that_are_taken(void **state)
{
    (void)state;
    for (int i = 0; i < ALL; i++) {
        if (all[i].take != NULL) {
            expect_take(&all[i]);
        }
    }
}

/* ---- structs in arrays and behind pointers -------------------------------------------------- */

typedef struct newer_variation {
    rct_variation known;
    int64_t more;
} newer_variation;

typedef struct newer_sweep {
    rct_ensemble_options ensemble;
    int64_t more_of_ensemble;
    double dt, t_end;
    int64_t series;
    int32_t tracked;
    const char **track;
    int64_t more;
} newer_sweep;

static void test_variations_of_a_newer_caller(void **state)
{
    (void)state;
    newer_variation varied[2] = {{small_variations[0], 0}, {small_variations[1], 0}};
    rct_ensemble_options options = small_options();
    rct_variation second;
    options.variations = &varied[0].known;
    const rct_in in = rct_in_of(&options, sizeof options, 0, sizeof varied[0]);
    rct_ensemble *e = rct_ensemble_create_sized(model, in, &error);
    assert_non_null(e);
    assert_int_equal(rct_ensemble_variation(e, 1, &second, NULL), RCT_OK);
    assert_string_equal(second.path, small_variations[1].path);
    assert_true(second.b == small_variations[1].b);
    rct_ensemble_free(e);
    varied[1].more = 1;
    assert_null(rct_ensemble_create_sized(model, in, &error));
    assert_non_null(strstr(error.text, "`variations` sets a field that version"));
}

static void test_a_sweep_of_a_newer_caller(void **state)
{
    (void)state;
    const char *path = "sized_sweep.json";
    FILE *text = fopen(path, "w");
    assert_non_null(text);
    fputs("{\"riccatree_sweep\": 1, \"members\": 6, \"dt\": 0.25, \"t_end\": 2, \"series\": 3, "
          "\"track\": [\"body1\"], \"vary\": [{\"path\": \"gravity[2]\", \"from\": -9, "
          "\"to\": -1, \"count\": 3}, {\"path\": \"gravity[0]\", \"normal\": [0, 0.5]}]}",
          text);
    assert_int_equal(fclose(text), 0);
    const rct_out sizes =
        rct_out_of(NULL, sizeof(newer_sweep), sizeof(rct_ensemble_options) + sizeof(int64_t),
                   sizeof(newer_variation));
    rct_sweep *sweep = rct_sweep_read_sized(path, sizes, &error);
    assert_non_null(sweep);
    const newer_sweep *s = (const newer_sweep *)(const void *)sweep;
    const newer_variation *varied = (const newer_variation *)(const void *)s->ensemble.variations;
    assert_int_equal(s->ensemble.members, 6);
    assert_int_equal(s->more_of_ensemble, 0);
    assert_int_equal(s->more, 0);
    assert_true(s->dt == 0.25 && s->t_end == 2.0 && s->series == 3 && s->tracked == 1);
    assert_string_equal(s->track[0], "body1");
    assert_int_equal(s->ensemble.variation_count, 2);
    assert_string_equal(varied[1].known.path, "gravity[0]");
    assert_true(varied[1].known.b == 0.5 && varied[1].more == 0);
    rct_sweep_free(sweep);
    unlink(path);
}

/* The report of an import, shorter and longer. */
static void test_a_report_of_other_callers(void **state)
{
    (void)state;
    static const char urdf[] = "<robot name='r'><link name='a'><inertial><mass value='1'/><inertia "
                               "ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>"
                               "</link></robot>";
    struct {
        rct_import_report known;
        unsigned char more[MORE + 8];
    } report;
    rct_import_options options = {.floating_root = 1, .report = &report.known};
    const int64_t sizes[] = {LAST, sizeof report.known, sizeof report.known + MORE};
    for (int i = 0; i < 3; i++) {
        memset(&report, POISON, sizeof report);
        rct_model *made = rct_model_import_text_sized(
            urdf, (int64_t)strlen(urdf), rct_in_of(&options, sizeof options, 0, (size_t)sizes[i]),
            &error);
        assert_non_null(made);
        assert_int_equal(report.known.format, RCT_IMPORT_URDF);
        assert_int_equal(((unsigned char *)&report)[sizes[i]], POISON);
        assert_int_equal(report.more[0], i == 2 ? 0 : POISON);
        rct_model_free(made);
    }
}

/* ---- what they work on -------------------------------------------------------------------- */

static void make_examples(void)
{
    rct_error *none = NULL;
    a_body = rct_body_default();
    a_body.mass = 1.0;
    a_body.inertia[0] = a_body.inertia[1] = a_body.inertia[2] = 1.0;
    a_force = rct_force_default();
    a_force.force[1] = 2.0;
    a_shape = rct_shape_default();
    a_shape.type = RCT_SHAPE_SPHERE;
    a_shape.radius = 1.0;
    a_loop = rct_loop_default();
    a_loop.type = RCT_LOOP_RELATION;
    a_loop.term_count = 1;
    a_loop.terms = &term;
    a_running = rct_run_options_default();
    a_running.frames = 1;
    a_run = small_run();
    a_run.deliver = take_result;
    a_result = (rct_member_result){.text = "",
                                   .parameters = numbers,
                                   .coordinates = numbers,
                                   .rates = numbers,
                                   .series_energy = numbers,
                                   .series_position = numbers};
    assert_int_equal(rct_model_add_force(model, &a_force, NULL, none), RCT_OK);
    assert_int_equal(rct_model_add_shape(model, &a_shape, NULL, none), RCT_OK);
    a_loop.active = 0;
    assert_int_equal(rct_model_add_loop(model, &a_loop, NULL, none), RCT_OK);
    a_loop.active = 1;
    an_event = rct_event_default();
    an_event.value = 1.0;
    assert_int_equal(rct_model_add_event(model, &an_event, NULL, none), RCT_OK);
}

static int begin(void **state)
{
    (void)state;
    rct_body hinged = rct_body_default();
    const rct_recorder_options options = {.frames = 8, .overwrite = 1};
    hinged.hinge = RCT_HINGE_REVOLUTE;
    hinged.mass = 1.0;
    hinged.inertia[0] = hinged.inertia[1] = hinged.inertia[2] = 1.0;
    model = rct_model_create(NULL, NULL);
    for (int32_t i = 0; i < 2; i++) {
        hinged.parent = i - 1;
        assert_int_equal(rct_model_add_body(model, &hinged, NULL, NULL), RCT_OK);
    }
    make_examples();
    solver = rct_solver_create(model, NULL, &error);
    assert_non_null(solver);
    rct_solver_measure(solver, &a_measures);
    recorder = rct_recorder_create(recorder_path, model, solver, &options, &error);
    reader = rct_recording_open(recorder_path, &error);
    assert_non_null(reader);
    rct_checkpoint_writer *writer =
        rct_checkpoint_writer_create(checkpoint_path, model, solver, &error);
    assert_int_equal(rct_checkpoint_write(writer, 3, "note", 5, &error), RCT_OK);
    rct_checkpoint_writer_free(writer);
    checkpoint = rct_checkpoint_open(checkpoint_path, &error);
    small_file(results_path);
    results = rct_ensemble_results_open(results_path, &error);
    ensemble = small_ensemble(small_options(), 3);
    rct_ensemble_run_options untracked = a_run; /* whose results need not the last field */
    untracked.tracked = 0;
    file = rct_ensemble_file_create("sized_members.h5", ensemble, &untracked, 1, NULL, &error);
    assert_true(recorder != NULL && checkpoint != NULL && results != NULL && file != NULL);
    return 0;
}

static int end(void **state)
{
    (void)state;
    rct_ensemble_file_close(file, 0, NULL);
    rct_ensemble_results_close(results);
    rct_ensemble_free(ensemble);
    rct_checkpoint_close(checkpoint);
    rct_recording_close(reader);
    rct_recorder_close(recorder, 0, NULL);
    rct_solver_free(solver);
    rct_model_free(model);
    unlink("sized.h5");
    unlink("sized_members.h5");
    unlink(checkpoint_path);
    unlink(results_path);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_structs_that_are_filled),
        cmocka_unit_test(test_structs_that_are_taken),
        cmocka_unit_test(test_variations_of_a_newer_caller),
        cmocka_unit_test(test_a_sweep_of_a_newer_caller),
        cmocka_unit_test(test_a_report_of_other_callers),
    };
    return cmocka_run_group_tests(tests, begin, end);
}
