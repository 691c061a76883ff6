/* The links: their constant records, and where their states lie. A plan hands these to the kernels.
 *
 * A link is a rigid group of bodies; its origin is the hinge point of its head, the body whose
 * hinge carries it. Its axes are chosen by the hinge: z along the axis (universal: along axis2,
 * with axis in the x z plane at rest, x > 0; planar: x along axis2), so that what a hinge leaves
 * free are coordinates of the link's own acceleration. Ball and free: those of the head. Links are
 * in label order: a parent stands before its children, the child with the longest path below it
 * directly after its parent.
 */
#ifndef RCT_KERNELS_RECORDS_LINKS_H
#define RCT_KERNELS_RECORDS_LINKS_H

#include <stdint.h>

/* Fields of the record of a link. Where all hinges are balls, records end with the fields that a
 * ball hinge needs. */
enum {
    LINK_MASS = 0,    /* kg                                                       */
    LINK_COM = 1,     /* 3: m, centre of mass from the origin, link axes          */
    LINK_INERTIA = 4, /* 6: kg m^2, xx yy zz xy xz yz about the origin, link axes */
    /* 3: m, hinge point from the parent's origin, parent's axes (root: inertial position) */
    LINK_AT = 10,
    LINK_FIELDS = 13, /* of a link on a ball hinge                                     */
    LINK_FRAME = 13,  /* 9: rotation, link axes at q = 0 to the parent's axes, by rows */
    /* 2: helical: pitch, m/rad; universal: axis in the link's x and z at q = 0 */
    LINK_PARAMETER = 22,
    LINK_ALL_FIELDS = 24
};

/* Fields of the state of a link on a ball hinge. */
enum {
    STATE_ORIENTATION = 0, /* 4: quaternion w x y z, link axes to inertial; any length > 0 */
    STATE_RATE = 4,        /* 3: rad/s, angular velocity, link axes                        */
    STATE_FIELDS = 7
};

typedef struct rct_links {
    int32_t count;
    int32_t fields; /* of a record: LINK_FIELDS if all hinges are balls, or LINK_ALL_FIELDS */
    /* whether ball hinges are swept as the other types are: their moments are not known
     * beforehand */
    int32_t wide;
    int32_t *parent;       /* [count] label, or -1: hinged to the ground       */
    uint8_t *kind;         /* [count] rct_hinge_type                           */
    int32_t *child_begin;  /* [count + 1] into child                           */
    int32_t *child;        /* labels of the outboard links, longest path first */
    int32_t *record;       /* [count] which record the link has                */
    const double *records; /* [.][fields] distinct ones                        */
    int64_t each; /* numbers of the state of each link, where all hinges are of one type; else 0 */
    int64_t *state_at; /* [count + 1] otherwise, where the state of a link begins, in label order */
} rct_links;

static inline const double *rct_link_record(const rct_links *links, int64_t label)
{
    return links->records + (int64_t)links->record[label] * links->fields;
}

/* Where the state of a link begins among those of all, in label order; links->count: where they
 * end. */
static inline int64_t rct_link_state(const rct_links *links, int64_t label)
{
    return links->each > 0 ? links->each * label : links->state_at[label];
}

#endif
