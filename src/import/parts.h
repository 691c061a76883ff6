/* Parts: the links or bodies of a file, each with the hinge to an earlier one, before they
 * become a model. Parts without mass disappear if a fixed hinge allows it, or if nothing with
 * mass hangs on them. */
#ifndef RCT_IMPORT_PARTS_H
#define RCT_IMPORT_PARTS_H

#include "import/mass.h"
#include "import/ties.h"

#include <riccatree/shape.h>

typedef struct rct_part {
    const rct_xml_element *element; /* the link or body, for its line                           */
    const char *name;               /* or NULL                                                  */
    int32_t parent;                 /* an earlier part, or RCT_GROUND                           */
    rct_hinge_type hinge;
    rct_place
        place; /* its frame in that of the parent, or inertial; at the start; its origin is the hinge point */
    double axis[3], axis2[3]; /* as in rct_body, lengths 1                                      */
    double position[3];       /* at the start, of a relative hinge                              */
    double stiffness[3], rest[3], damping[3], armature[3];
    double friction[3]; /* N, N m: dry friction by coordinate; the first for ball and free hinges */
    rct_mass mass;      /* own frame */
    int32_t ties;       /* number of relations of its coordinates                               */

    /* Filled by rct_parts_add_to_model. */
    int32_t group; /* first of the parts fixed to each other that include this one */
    int odd;       /* of the first one: one of them has an inertia that no body has             */
    int carries;   /* it has mass, or something with mass hangs on it                           */
    int kids;      /* parts that hang on it and have or carry mass                              */
    int free; /* freedoms without rotor of its hinge and of those without mass before it, each with one kid */
    int left_out; /* no mass, moves or is fixed to what moves; stands still here               */
    int32_t host; /* the part that it is part of: itself, an earlier one or RCT_GROUND         */
    int32_t body; /* id in the model                                                           */
    rct_place inside; /* its frame in that of the host                                          */
    rct_place world;  /* its inertial frame at the start                                        */
} rct_part;

/* The meanings of names of one kind. */
typedef struct rct_spots {
    struct rct_names *names;
    rct_spot *spot; /* [count] */
    int32_t count, capacity;
} rct_spots;

typedef struct rct_parts {
    rct_part *part; /* [count] */
    int32_t count, capacity;
    rct_spots spots[RCT_SPOT_KINDS];
    rct_tie *tie; /* [ties] */
    int32_t ties, tie_capacity;
    rct_shape *shape; /* [shapes] of part `body`, in its frame */
    int32_t shapes, shape_capacity;
} rct_parts;

rct_part rct_part_default(void); /* fixed to the ground at the origin, axis z, axis2 x, no mass */

void rct_parts_append(rct_parts *parts, const rct_part *part);
void rct_parts_free(rct_parts *parts);

/* Append the shape that `read` makes of `from`, with its centre at `place` in the frame of part
 * `part`. A shape for which `read` returns 0 or fails is left out and counted: no file is
 * refused for its shapes. */
typedef int rct_shape_reader(rct_shape *shape, rct_place *place, const void *from);
void rct_parts_append_shape(rct_parts *parts, rct_source *source, int32_t part,
                            rct_shape_reader *read, const void *from);

/* Add the shapes of parts that are bodies of the model, or part of one. */
void rct_parts_add_shapes(rct_model *model, const rct_parts *parts, rct_source *source);

/* Add bodies, shapes and loops. RCT_ERROR_MODEL names the line of the part that the model
 * refuses. */
void rct_parts_add_to_model(rct_model *model, rct_parts *parts, rct_source *source);

/* Find what each part becomes: host and inside. Parts without mass are dropped if that changes
 * nothing. */
void rct_parts_settle(rct_parts *parts, rct_source *source);

/* The readers of formats: gravity goes to `model`, the bodies to `parts`; source->root is the
 * root element. */
void rct_urdf_read(rct_model *model, rct_parts *parts, rct_source *source);
void rct_mjcf_read(rct_model *model, rct_parts *parts, rct_source *source);

#endif
