/* Shapes of parts: they are read without ever failing the import, and moved to the bodies that
 * parts have become. */
#include "core/memory.h"
#include "import/parts.h"

#include <string.h>

enum { FIRST_CAPACITY = 64 };

static void append(rct_parts *parts, rct_source *source, const rct_shape *shape)
{
    if (parts->shapes == parts->shape_capacity) {
        const int64_t capacity =
            (int64_t)parts->shape_capacity + parts->shape_capacity / 2 + FIRST_CAPACITY;
        rct_shape *wide = rct_widen(parts->shape, parts->shapes, capacity, sizeof *wide,
                                    "the shapes of a file", source->error);
        rct_source_have(source, wide);
        if (wide == NULL) {
            return;
        }
        parts->shape = wide;
        parts->shape_capacity = (int32_t)capacity;
    }
    parts->shape[parts->shapes++] = *shape;
}

static void put_place(rct_shape *shape, const rct_place *place)
{
    for (int i = 0; i < 4; i++) { /* -0 as 0 */
        shape->orientation[i] = place->turn[i] + 0.0;
    }
    for (int i = 0; i < 3; i++) {
        shape->at[i] = place->at[i] + 0.0;
    }
}

/* Errors go to an error that is ignored. */
void rct_parts_append_shape(rct_parts *parts, rct_source *source, int32_t part,
                            rct_shape_reader *read, const void *from)
{
    rct_error unheard, *heard = source->error;
    rct_shape shape = rct_shape_default();
    rct_place place = rct_place_none();
    if (source->status != RCT_OK) {
        return;
    }
    source->error = &unheard;
    const int drawn = read(&shape, &place, from) && source->status == RCT_OK;
    source->error = heard;
    source->status = RCT_OK;
    shape.body = part;
    put_place(&shape, &place);
    if (drawn) {
        append(parts, source, &shape);
    } else {
        source->report->shapes_left_out++;
    }
}

/* Shapes of parts fixed to the ground are left out: the ground has no shapes. */
void rct_parts_add_shapes(rct_model *model, const rct_parts *parts, rct_source *source)
{
    for (int32_t i = 0; i < parts->shapes && source->status == RCT_OK; i++) {
        rct_shape shape = parts->shape[i];
        const rct_part *part = &parts->part[shape.body];
        rct_place own, there;
        rct_status status = RCT_OK;
        if (part->host != RCT_GROUND) {
            memcpy(own.at, shape.at, sizeof own.at);
            memcpy(own.turn, shape.orientation, sizeof own.turn);
            there = rct_place_in(&part->inside, &own);
            put_place(&shape, &there);
            shape.body = parts->part[part->host].body;
            status = rct_model_add_shape(model, &shape, NULL, source->error);
        }
        source->status = status == RCT_ERROR_MEMORY ? status : RCT_OK;
        source->report->shapes_left_out += status == RCT_ERROR_MODEL;
    }
}
