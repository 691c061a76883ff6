/* The ties of parts besides the joints of the tree, by the names of bodies, sites, joints and
 * tendons in a file; they become loops of a model. */
#ifndef RCT_IMPORT_TIES_H
#define RCT_IMPORT_TIES_H

#include "import/place.h"
#include "import/source.h"

#include <riccatree/loop.h>

struct rct_parts;

/* The meaning of a name in the file. */
typedef enum rct_spot_kind {
    RCT_SPOT_BODY,
    RCT_SPOT_SITE,
    RCT_SPOT_JOINT,
    RCT_SPOT_TENDON,
    RCT_SPOT_KINDS
} rct_spot_kind;

typedef struct rct_spot {
    const rct_xml_element *element; /* the element with the name, or NULL              */
    int32_t part;    /* or RCT_GROUND                                                  */
    rct_place place; /* of a body or site of the file, in the frame of the part        */
    int coordinate;  /* of a joint: its coordinate at the hinge of the part, or -1     */
    double zero;     /* of a joint: the coordinate where the bodies stand in the file */
} rct_spot;

typedef struct rct_tie_term {
    rct_spot joint;
    double factor;
} rct_tie_term;

typedef struct rct_tie {
    const rct_xml_element *element;
    const char *name; /* or NULL */
    rct_loop_type type;
    int active;
    rct_spot end[2]; /* of closures: frames that coincide, as far as the type requires */
    rct_tie_term *terms;
    int32_t count; /* of terms */
    double offset;
} rct_tie;

/* Enter the meaning of the name of an element. Elements without a name have none; a name twice
 * in one kind is an error. */
void rct_parts_name(struct rct_parts *parts, rct_spot_kind kind, const rct_xml_element *element,
                    const rct_spot *spot);

/* The meaning of the name in an attribute; an unknown name is an error. */
rct_spot rct_parts_spot(const struct rct_parts *parts, rct_spot_kind kind,
                        const rct_xml_element *at, const char *attribute);

/* Place `spot` on its part so that in the state of the file it is at `there`. */
void rct_parts_meet(const struct rct_parts *parts, rct_spot *spot, const rct_spot *there);

/* Add a term to a relation; if the joint is in it already, add to its factor. */
void rct_tie_add(rct_tie *tie, const rct_xml_element *at, const rct_spot *joint, double factor);

void rct_parts_append_tie(struct rct_parts *parts, const rct_tie *tie);

/* Add ties as loops to the model that has the bodies. */
void rct_parts_add_ties(rct_model *model, const struct rct_parts *parts, rct_source *source);

#endif
