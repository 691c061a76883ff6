/* An ensemble: a chain of five rods with a load, let go a thousand times. Masses and initial
 * rates are drawn; the program prints the height of the load after a second. With the name of a
 * new file, all results go to that file: ensemble FILE.h5 */
#include <riccatree/riccatree.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { RODS = 5, LOAD = RODS, MEMBERS = 1000 };

/* Later variations overwrite earlier ones: the load is a body too. */
static const rct_variation drawn[] = {
    {.path = "bodies.*.mass", .type = RCT_VARY_UNIFORM, .a = 0.18, .b = 0.22},           /* kg */
    {.path = "bodies.load.mass", .type = RCT_VARY_NORMAL, .a = 0.5, .b = 0.2},           /* kg */
    {.path = "bodies.body0.initial.rate", .type = RCT_VARY_NORMAL, .a = 0.0, .b = 0.5}}; /* rad/s */

typedef struct study {
    rct_ensemble_file *file; /* NULL: none                                   */
    int done;                /* members that finished                        */
    double height[MEMBERS];  /* m, of their loads, in no particular order    */
} study;

/* Called once for each member, by one thread at a time. */
static rct_status take(void *context, const rct_member_result *result, rct_error *error)
{
    study *s = context;
    if (result->status == RCT_OK) {
        s->height[s->done++] = result->series_position[3 + 2]; /* [2 frames][1 body][x y z] */
    } else {
        printf("member %" PRId64 " failed: %s\n", result->member, result->text);
    }
    return s->file != NULL ? rct_ensemble_file_write(s->file, result, error) : RCT_OK;
}

/* Rods of 0.2 m one under the other, turned by a radian at the top. */
static rct_status build(rct_model *model, rct_error *error)
{
    rct_status status = RCT_OK;
    rct_body rod = rct_body_default();
    rod.hinge = RCT_HINGE_REVOLUTE;
    rod.hinge_axis[1] = 1.0;
    rod.hinge_axis[2] = 0.0;
    rod.position[0] = 1.0;
    rod.com[2] = -0.1;
    rod.mass = 0.2;
    rod.inertia[0] = rod.inertia[1] = rod.mass * 0.2 * 0.2 / 12.0;
    for (int32_t k = 0; k < RODS && status == RCT_OK; k++) {
        status = rct_model_add_body(model, &rod, &rod.parent, error);
        rod.hinge_at[2] = -0.2;
        rod.position[0] = 0.0;
    }
    rct_body load = rct_body_default();
    load.name = "load";
    load.hinge = RCT_HINGE_FIXED;
    load.parent = rod.parent;
    load.hinge_at[2] = -0.2;
    load.mass = 0.5; /* a point */
    return status == RCT_OK ? rct_model_add_body(model, &load, NULL, error) : status;
}

static rct_status simulate(study *s, const rct_ensemble *ensemble, const char *file,
                           rct_error *error)
{
    const int32_t load = LOAD;
    rct_ensemble_run_options run = rct_ensemble_run_options_default(); /* 1 s on all processors */
    run.series = 2;                                                    /* start and end */
    run.tracked = 1;
    run.track = &load;
    run.deliver = take;
    run.context = s;
    if (file != NULL) {
        s->file = rct_ensemble_file_create(file, ensemble, &run, 0, NULL, error);
    }
    rct_status status =
        file == NULL || s->file != NULL ? rct_ensemble_run(ensemble, &run, error) : error->status;
    if (status == RCT_OK) {
        status = rct_ensemble_file_close(s->file, 1, error);
    } else {
        rct_ensemble_file_close(s->file, 0, NULL); /* the rows in it stay */
    }
    return status;
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void report(study *s)
{
    static const double share[] = {0.05, 0.5, 0.95};
    qsort(s->height, (size_t)s->done, sizeof s->height[0], ascending);
    printf("%d of %d members came to the end\n", s->done, MEMBERS);
    for (int i = 0; i < 3 && s->done > 0; i++) {
        printf("%2.0f %% of the loads are below %8.5f m\n", 100.0 * share[i],
               s->height[(int)(share[i] * (s->done - 1) + 0.5)]);
    }
}

int main(int count, char **words)
{
    study s = {.file = NULL};
    rct_error error = {.status = RCT_OK};
    rct_ensemble_options options = rct_ensemble_options_default();
    options.members = MEMBERS;
    options.variation_count = sizeof drawn / sizeof drawn[0];
    options.variations = drawn;

    rct_ensemble *ensemble = NULL;
    rct_model *model = rct_model_create("chain", &error);
    if (model != NULL && build(model, &error) == RCT_OK) {
        ensemble = rct_ensemble_create(model, &options, &error);
    }
    if (ensemble != NULL && simulate(&s, ensemble, count > 1 ? words[1] : NULL, &error) == RCT_OK) {
        report(&s);
    } else {
        fprintf(stderr, "ensemble: %s\n", error.text);
    }
    rct_ensemble_free(ensemble);
    rct_model_free(model);
    return error.status == RCT_OK ? 0 : 1;
}
