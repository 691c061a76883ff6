/* What ties parts besides the joints of the tree, by the names that a file has for bodies, sites, joints and tendons, on its way into
 * loops of a model. */
#ifndef RCT_IMPORT_TIES_H
#define RCT_IMPORT_TIES_H

#include "import/place.h"
#include "import/source.h"

#include <riccatree/loop.h>

struct rct_parts;

/* What a name of the file stands for. */
typedef enum rct_spot_kind {
    RCT_SPOT_BODY,
    RCT_SPOT_SITE,
    RCT_SPOT_JOINT,
    RCT_SPOT_TENDON,
    RCT_SPOT_KINDS
} rct_spot_kind;

typedef struct rct_spot {
    const rct_xml_element *element; /* that has the name, or NULL                      */
    int32_t part;    /* or RCT_GROUND                                                  */
    rct_place place; /* of a body of the file or a site, in the frame of the part      */
    int coordinate;  /* of a joint: its number at the hinge of the part, or -1         */
    double zero; /* of a joint: what the coordinate is where the bodies stand as the file has it */
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
    rct_spot end[2]; /* closures: frames that are to be one, as far as the type asks for it */
    rct_tie_term *terms;
    int32_t count; /* of terms */
    double offset;
} rct_tie;

/* Enter what the name of an element stands for; elements without a name have none, two of one kind have two. */
void rct_parts_name(struct rct_parts *parts, rct_spot_kind kind, const rct_xml_element *element,
                    const rct_spot *spot);

/* What the attribute of an element names; an error if that is nothing. */
rct_spot rct_parts_spot(const struct rct_parts *parts, rct_spot_kind kind,
                        const rct_xml_element *at, const char *attribute);

/* Place `spot` on its part so that in the state of the file it is where `there` is. */
void rct_parts_meet(const struct rct_parts *parts, rct_spot *spot, const rct_spot *there);

/* One more term of a relation; of a joint that is there already its factor grows. */
void rct_tie_add(rct_tie *tie, const rct_xml_element *at, const rct_spot *joint, double factor);

void rct_parts_append_tie(struct rct_parts *parts, const rct_tie *tie);

/* Ties as loops of the model that has the bodies. */
void rct_parts_add_ties(rct_model *model, const struct rct_parts *parts, rct_source *source);

#endif
