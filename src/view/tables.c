/* The tables of a page: the bodies that are shown, the shown body each hangs on, and their
 * shapes: those of the model (riccatree/shape.h), or for a body without shapes one from its mass
 * and inertia. A shape is in the page once, even if many bodies have it. */
#include "core/memory.h"
#include "view/view.h"

#include <math.h>
#include <string.h>

enum { BODY_BYTES = 8, INSTANCE_BYTES = 8 }; /* row, parent; owner, shape */

/* ---- the kinds of shapes ------------------------------------------------------------------ */

rct_status rct_view_find_kinds(rct_view_choice *choice, rct_error *error)
{
    const rct_model *model = choice->source->model;
    rct_status status = RCT_OK;
    if (model->shape_count == 0) {
        return RCT_OK;
    }
    choice->kinds.size = sizeof(rct_shape);
    choice->kind =
        rct_allocate(model->shape_count, sizeof *choice->kind, "the shapes of a view", error);
    if (choice->kind == NULL) {
        return RCT_ERROR_MEMORY;
    }
    for (int32_t i = 0; i < model->shape_count && status == RCT_OK; i++) {
        rct_shape shape;
        memcpy(&shape, &model->shapes[i], sizeof shape);
        shape.body = 0;
        status = rct_distinct_put(&choice->kinds, &shape, i, model->shape_count, &choice->kind[i],
                                  "the shapes of a view", error);
    }
    return status;
}

void rct_view_forget_kinds(rct_view_choice *choice)
{
    rct_distinct_free(&choice->kinds);
    rct_release(choice->kind);
    choice->kind = NULL;
}

/* ---- how many there are ------------------------------------------------------------------- */

static int64_t count_instances(const rct_view_choice *choice)
{
    const rct_model *model = choice->source->model;
    int64_t count = choice->bodies;
    for (int64_t k = 0; k < choice->bodies && model->shape_count > 0; k++) {
        const int32_t own = rct_model_body_shapes(model, (int32_t)rct_view_body(choice, k), NULL);
        count += own > 1 ? own - 1 : 0;
    }
    return count;
}

/* The most distinct shapes of this many. */
static int64_t most_shapes(const rct_view_choice *choice, int64_t instances)
{
    const int64_t all = choice->source->model->bodies->records.count + choice->kinds.count;
    return all < instances ? all : instances;
}

int64_t rct_view_table_bytes(const rct_view_choice *choice)
{
    const int64_t instances = count_instances(choice);
    return choice->bodies * BODY_BYTES + instances * INSTANCE_BYTES +
           most_shapes(choice, instances) * RCT_VIEW_SHAPE * (int64_t)sizeof(float);
}

/* ---- the tables --------------------------------------------------------------------------- */

typedef struct tables {
    int32_t *row,
        *parent; /* of shown bodies: number, nearest shown ancestor                       */
    int32_t *owner,
        *shape;     /* of drawn shapes: the shown body, number of the shape                  */
    int32_t *place; /* [n] of all bodies: number among the shown ones, or -1                 */
    int32_t *made;  /* [records + kinds] number of the shape made of it, or -1               */
    float *shapes;  /* [count][RCT_VIEW_SHAPE]                                               */
    int64_t count, instances;
} tables;

/* Draw the shape of `made` at `at`, made new if there is none yet, for shown body `k`. */
static float *draw(tables *t, int64_t at, int64_t k)
{
    float *fresh = NULL;
    if (t->made[at] < 0) {
        fresh = t->shapes + RCT_VIEW_SHAPE * t->count;
        t->made[at] = (int32_t)t->count++;
    }
    t->owner[t->instances] = (int32_t)k;
    t->shape[t->instances++] = t->made[at];
    return fresh;
}

static void draw_body(const rct_view_choice *choice, tables *t, int64_t k)
{
    const rct_model *model = choice->source->model;
    const int32_t body = t->row[k], records = model->bodies->records.count;
    int32_t first = 0;
    const int32_t own = rct_model_body_shapes(model, body, &first);
    for (int32_t i = first; i < first + own; i++) {
        float *fresh = draw(t, records + choice->kind[i], k);
        if (fresh != NULL) {
            rct_view_shape_given(&model->shapes[i], fresh);
        }
    }
    float *fresh = own == 0 ? draw(t, model->bodies->record[body], k) : NULL;
    if (fresh != NULL) {
        rct_view_shape_of(rct_bodies_at(model->bodies, body), fresh);
    }
}

static void fill_tables(const rct_view_choice *choice, tables *t)
{
    const rct_model *model = choice->source->model;
    const int32_t *parents = model->bodies->parent;
    for (int64_t k = 0; k < choice->bodies; k++) {
        t->row[k] = (int32_t)rct_view_body(choice, k);
        t->place[t->row[k]] = (int32_t)k;
    }
    for (int64_t k = 0; k < choice->bodies; k++) {
        int32_t parent = parents[t->row[k]];
        while (parent != RCT_GROUND && t->place[parent] < 0) {
            parent = parents[parent];
        }
        t->parent[k] = parent != RCT_GROUND ? t->place[parent] : -1;
        draw_body(choice, t, k);
    }
}

/* Check sizes and centres of the shapes. */
static rct_status check_shapes(const tables *t, rct_error *error)
{
    rct_status status = RCT_OK;
    for (int64_t i = 0; i < RCT_VIEW_SHAPE * t->count && status == RCT_OK; i++) {
        status = rct_view_check_size("the shape of a body spans", fabsf(t->shapes[i]), error);
    }
    return status;
}

static void put_whole(FILE *stream, const char *key, const int32_t *numbers, int64_t count)
{
    rct_view_put_array(stream, key, numbers, count * (int64_t)sizeof *numbers);
}

rct_status rct_view_put_tables(const rct_view_choice *choice, FILE *stream, rct_error *error)
{
    const rct_model *model = choice->source->model;
    const int64_t n = choice->bodies, instances = count_instances(choice);
    const int64_t made = model->bodies->records.count + choice->kinds.count;
    tables t = {.count = 0};
    const rct_array arrays[] = {
        RCT_ARRAY(t.row, n),
        RCT_ARRAY(t.parent, n),
        RCT_ARRAY(t.owner, instances),
        RCT_ARRAY(t.shape, instances),
        RCT_ARRAY(t.place, model->count),
        RCT_ARRAY(t.made, made),
        RCT_ARRAY(t.shapes, most_shapes(choice, instances) * RCT_VIEW_SHAPE),
    };
    const int32_t count = sizeof arrays / sizeof arrays[0];
    rct_status status = rct_allocate_arrays(arrays, count, "the bodies of a view", error);
    if (status == RCT_OK) {
        memset(t.place, -1, (size_t)model->count * sizeof *t.place);
        memset(t.made, -1, (size_t)made * sizeof *t.made);
        fill_tables(choice, &t);
        status = check_shapes(&t, error);
        put_whole(stream, "row", t.row, n);
        put_whole(stream, "parent", t.parent, n);
        put_whole(stream, "owner", t.owner, instances);
        put_whole(stream, "shape", t.shape, instances);
        rct_view_put_array(stream, "shapes", t.shapes,
                           t.count * RCT_VIEW_SHAPE * (int64_t)sizeof *t.shapes);
    }
    rct_release_arrays(arrays, count);
    return status;
}
