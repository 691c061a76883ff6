/* MJCF: settings, default classes, and what a body consists of. */
#ifndef RCT_IMPORT_MJCF_H
#define RCT_IMPORT_MJCF_H

#include "import/parts.h"

/* A default class: elements with attributes that others inherit. */
typedef struct rct_mjcf_class {
    const rct_xml_element *joint, *geom; /* its own, or NULL */
    int32_t line, parent;                /* parent: class, or -1 */
    int32_t depth;                       /* 1: it has no parent  */
} rct_mjcf_class;

typedef enum rct_mjcf_inertia { /* of bodies: <compiler inertiafromgeom> */
                                RCT_MJCF_IF_NONE_GIVEN = 0,
                                RCT_MJCF_FROM_GEOMS = 1,
                                RCT_MJCF_AS_GIVEN = 2,
} rct_mjcf_inertia;

typedef struct rct_mjcf {
    rct_source *source;
    rct_parts *parts;
    double angle;         /* rad, what 1 means as an angle in the file     */
    const char *sequence; /* axes of Euler angles                          */
    rct_mjcf_inertia inertia;
    double groups[2]; /* geoms of these groups, first and last, have mass  */
    rct_mjcf_class *class;
    struct rct_names *names; /* of classes (model/names.h)                         */
    int32_t classes, main;   /* main: the class of all that name none, or -1 */
} rct_mjcf;

/* An element and the class it inherits from, or -1. */
typedef struct rct_mjcf_item {
    const rct_mjcf *mjcf;
    const rct_xml_element *element;
    int32_t class;
} rct_mjcf_item;

/* ---- mjcf_defaults.c ---- */

/* Every <default> of the file; freed in any case. */
void rct_mjcf_read_defaults(rct_mjcf *mjcf);
void rct_mjcf_free_defaults(rct_mjcf *mjcf);

/* The class that an attribute names, else `otherwise`. */
int32_t rct_mjcf_find_class(const rct_mjcf *mjcf, const rct_xml_element *element,
                            const char *attribute, int32_t otherwise);

/* The element with the class it names, else with `class`. */
rct_mjcf_item rct_mjcf_item_of(const rct_mjcf *mjcf, const rct_xml_element *element, int32_t class);

/* Where an item's attributes are looked for, nearest first: itself, then its element in each class, which is that of a
 * joint or a geom. Start with *level = item; NULL at the end. */
const rct_xml_element *rct_mjcf_next_level(rct_mjcf_item *level, const rct_xml_element *element);

/* The value of an attribute, own or inherited, and the element that has it; NULL if none has. */
const char *rct_mjcf_value(const rct_mjcf_item *item, const char *name, const rct_xml_element **at);

/* As rct_source_optional, own or inherited. */
void rct_mjcf_numbers(double *numbers, int count, const rct_mjcf_item *item, const char *name);

/* A number that must be zero, as what it stands for is not supported. */
void rct_mjcf_zero(const rct_mjcf_item *item, const char *name);

/* ---- mjcf_frame.c, mjcf_geom.c, mjcf_joint.c, mjcf_body.c ---- */

/* Position and orientation, in any of the five ways to give it. */
rct_place rct_mjcf_place(const rct_mjcf_item *item);

/* Whether the element itself gives an orientation. */
int rct_mjcf_is_turned(const rct_xml_element *element);

/* The mass that the geoms of a body add up to, body frame. */
rct_mass rct_mjcf_mass_of_geoms(const rct_mjcf *mjcf, const rct_xml_element *body, int32_t class);

/* What the geoms of the body of that part look like; `point` is its hinge point in the body frame of the file. */
void rct_mjcf_read_shapes(const rct_mjcf *mjcf, int32_t part, const double point[3],
                          const rct_xml_element *body, int32_t class);

/* The hinge that the joints of a body make; `point` is the hinge point in the body frame of the file. */
void rct_mjcf_hinge(const rct_mjcf *mjcf, rct_part *part, double point[3],
                    const rct_xml_element *body, int32_t class);

/* All bodies below <worldbody>. */
void rct_mjcf_read_world(const rct_mjcf *mjcf, const rct_xml_element *world);

extern const char rct_mjcf_joint_attributes[], rct_mjcf_geom_attributes[];

#endif
