/* MJCF: settings, default classes, and the parts of a body. */
#ifndef RCT_IMPORT_MJCF_H
#define RCT_IMPORT_MJCF_H

#include "import/parts.h"

/* The kinds of elements of a class; an element inherits from the one of its kind. */
typedef enum rct_mjcf_kind {
    RCT_MJCF_JOINT,
    RCT_MJCF_GEOM,
    RCT_MJCF_MESH,
    RCT_MJCF_SITE,
    RCT_MJCF_EQUALITY,
    RCT_MJCF_TENDON,
    RCT_MJCF_OTHER, /* inherits from none */
} rct_mjcf_kind;

enum { RCT_MJCF_KINDS = RCT_MJCF_OTHER };

/* A default class: elements whose attributes others inherit. */
typedef struct rct_mjcf_class {
    const rct_xml_element *section;                 /* its <default>        */
    const rct_xml_element *element[RCT_MJCF_KINDS]; /* of the class itself, or NULL */
    int32_t parent;                                 /* class, or -1         */
    int32_t depth;                                  /* 1: it has no parent  */
} rct_mjcf_class;

/* The surroundings of an element that stood in frames or was attached (rct_xml_element.mark):
 * its frame, the class of the frame, or -1, and the other model whose settings and classes it
 * has, or NULL. */
typedef struct rct_mjcf_frame {
    rct_place place;
    int32_t class;
    const struct rct_mjcf *model;
} rct_mjcf_frame;

typedef enum rct_mjcf_inertia { /* of bodies: <compiler inertiafromgeom> */
                                RCT_MJCF_IF_NONE_GIVEN = 0,
                                RCT_MJCF_FROM_GEOMS = 1,
                                RCT_MJCF_AS_GIVEN = 2,
} rct_mjcf_inertia;

/* The flags that <flag> disables; those from springs on are not supported. */
typedef enum rct_mjcf_flag {
    RCT_MJCF_GRAVITY,
    RCT_MJCF_CONSTRAINT, /* ties, friction, and sections that are not read */
    RCT_MJCF_TIES,
    RCT_MJCF_FRICTION,
    RCT_MJCF_SPRING,
    RCT_MJCF_DAMPER,
    RCT_MJCF_PASSIVE,
    RCT_MJCF_FLAGS
} rct_mjcf_flag;

/* A model: that of the first file, or one that another model attaches. All share one source and
 * one list of parts. */
typedef struct rct_mjcf {
    rct_source *source;
    rct_parts *parts;
    rct_xml_element *root;
    const rct_xml_element *asset; /* the <model> by which it was attached; NULL: the first model */
    struct rct_mjcf *attached,
        *next;            /* attached: the last model that it attaches; next: the previous one */
    double angle;         /* rad, the angle that 1 means in the file       */
    const char *sequence; /* axes of Euler angles                          */
    rct_mjcf_inertia inertia;
    double groups[2]; /* first and last group of geoms that have mass      */
    rct_mjcf_class *class;
    struct rct_names *names;      /* of classes (model/names.h)                         */
    int32_t classes, main;        /* main: the class of elements that name none, or -1 */
    int aligns_free;              /* the frame of a free body is that of its inertia */
    int fuses_static;             /* static bodies are not kept as bodies            */
    double total;                 /* kg, of all bodies; if > 0, masses are scaled to it */
    const char *mesh_folder;      /* of meshes, from that of the first file; NULL: the same */
    int strip_path;               /* 1: the folders in the names of meshes are dropped        */
    int disabled[RCT_MJCF_FLAGS]; /* by the first model                              */
    int exact_meshes;             /* 1: meshes that do not say otherwise have exact volumes */
} rct_mjcf;

/* An element and the class it inherits from, or -1. */
typedef struct rct_mjcf_item {
    const rct_mjcf *mjcf;
    const rct_xml_element *element;
    int32_t class;
    rct_mjcf_kind kind;
} rct_mjcf_item;

/* ---- mjcf.c ---- */

/* A model without settings of its own. */
rct_mjcf rct_mjcf_none(rct_source *source, rct_parts *parts, rct_xml_element *root);

/* Read the settings, with gravity for `model`, or without it if NULL; then expand the tree of
 * elements, but keep its frames. */
void rct_mjcf_open(rct_mjcf *mjcf, rct_model *model);

/* Whether ties, or friction, are enabled. */
int rct_mjcf_constrains(const rct_mjcf *mjcf, rct_mjcf_flag what);

/* ---- mjcf_include.c, mjcf_attach.c, mjcf_expand.c: expanding the tree of elements ---- */

enum { RCT_MJCF_PATH = 4096 };

/* Replace <include> by the included elements. Done first, because any element may be included. */
void rct_mjcf_include(rct_xml_element *parent);

/* The tree of the file that file="..." of an element names. It belongs to the model from here
 * on, and its root has depth `depth`. NULL if it was not read. */
rct_xml *rct_mjcf_file(const rct_xml_element *at, int32_t depth);

/* The depth of an element; the root has 0. */
int32_t rct_mjcf_depth(const rct_xml_element *element);

/* The path of a file that an element names. Returns 0 if the file must not be read, with the
 * reason in `path`. */
int rct_mjcf_path(char path[RCT_MJCF_PATH], const rct_xml_element *at, const char *file);

/* Replace <attach> by bodies of other models. */
void rct_mjcf_attach(rct_mjcf *mjcf);

/* The model whose settings and classes an element has: the one that it was attached from, else
 * `mjcf`. */
const rct_mjcf *rct_mjcf_of(const rct_mjcf *mjcf, const rct_xml_element *element);

/* Memory that lives as long as the tree. If it is short, NULL, and the source fails. */
void *rct_mjcf_take(const rct_xml_element *at, int64_t bytes);

/* What a copy puts before and behind names in the listed attributes, except where they name the
 * world. */
typedef struct rct_mjcf_naming {
    const char *attributes, *before, *after;
} rct_mjcf_naming;

/* Copy an element with its content, and append the copy to the children of `parent`; NULL on
 * failure. */
rct_xml_element *rct_mjcf_copy(rct_xml_element *parent, const rct_xml_element *element,
                               const rct_mjcf_naming *naming);

/* Replace <replicate> by its copies; and replace <frame>, of any model, by its content. */
void rct_mjcf_repeat(const rct_mjcf *mjcf, rct_xml_element *parent);
void rct_mjcf_open_frames(const rct_mjcf *mjcf, rct_xml_element *parent);

/* A place in the frame that an element stands in, seen from where that frame is given. */
rct_place rct_mjcf_in_frame(const rct_xml_element *element, const rct_place *place);

/* ---- mjcf_defaults.c ---- */

/* Read every <default> of the file; free the classes in any case. */
void rct_mjcf_read_defaults(rct_mjcf *mjcf);
void rct_mjcf_free_defaults(rct_mjcf *mjcf);

/* The class of elements that name none, in the surroundings of an element: that of its frame,
 * else `otherwise`. */
int32_t rct_mjcf_class_around(const rct_xml_element *element, int32_t otherwise);

/* The class that an attribute names, else `otherwise`. */
int32_t rct_mjcf_find_class(const rct_mjcf *mjcf, const rct_xml_element *element,
                            const char *attribute, int32_t otherwise);

/* The element with the class it names, else with that of its frame, else with `class`. */
rct_mjcf_item rct_mjcf_item_of(const rct_mjcf *mjcf, const rct_xml_element *element, int32_t class,
                               rct_mjcf_kind kind);

/* Iterate over the elements in which attributes are looked up, nearest first: the element
 * itself, then its element in each class. Start with *level = item; NULL at the end. */
const rct_xml_element *rct_mjcf_next_level(rct_mjcf_item *level);

/* The value of an attribute, own or inherited, and the element that has it; NULL if there is
 * none. */
const char *rct_mjcf_value(const rct_mjcf_item *item, const char *name, const rct_xml_element **at);

/* As rct_source_optional, own or inherited. */
void rct_mjcf_numbers(double *numbers, int count, const rct_mjcf_item *item, const char *name);

/* Require a number to be zero, because it is not supported. */
void rct_mjcf_zero(const rct_mjcf_item *item, const char *name);

/* ---- mjcf_frame.c, mjcf_mesh.c, mjcf_geom.c, mjcf_joint.c, mjcf_hinge.c, mjcf_body.c, mjcf_equality.c, mjcf_actuator.c ---- */

/* Position and orientation, given in any of the five ways, in the frame of the parent body. */
rct_place rct_mjcf_place(const rct_mjcf_item *item);

/* The place between the two points of `fromto`, z towards the first, and half their distance; 0
 * without `fromto`. */
double rct_mjcf_between(rct_place *place, const rct_mjcf_item *item);

/* Whether the element itself gives an orientation. */
int rct_mjcf_is_turned(const rct_xml_element *element);

/* The mass of the mesh of that name at density 1 kg/m^3, in its own frame. Returns NULL, or why
 * it is unknown, in words that may be in `text`. */
const char *rct_mjcf_mesh_mass(rct_mass *mass, char text[RCT_MJCF_PATH], const rct_mjcf *mjcf,
                               const char *name);

/* The mass that the geoms of a body add up to, in the body frame. */
rct_mass rct_mjcf_mass_of_geoms(const rct_mjcf *mjcf, const rct_xml_element *body, int32_t class);

/* Read the shapes of the geoms of the body of that part; `point` is its hinge point in the body
 * frame of the file. */
void rct_mjcf_read_shapes(const rct_mjcf *mjcf, int32_t part, const double point[3],
                          const rct_xml_element *body, int32_t class);

enum { RCT_MJCF_JOINTS = 6 }; /* most joints of a body */

typedef enum rct_mjcf_joint_type {
    RCT_MJCF_HINGE,
    RCT_MJCF_SLIDE,
    RCT_MJCF_BALL,
    RCT_MJCF_FREE
} rct_mjcf_joint_type;

typedef struct rct_mjcf_joint {
    const rct_xml_element *element;
    rct_mjcf_joint_type type;
    double pos[3], axis[3]; /* body frame */
    double stiffness, rest, damping, armature, friction, ref;
    int link,
        coordinate; /* the part that the joint moves, and the number of its coordinate there; -1: none */
} rct_mjcf_joint;

/* Read the joints of a body in order; returns how many there are. */
int rct_mjcf_read_joints(const rct_mjcf *mjcf, rct_mjcf_joint joints[RCT_MJCF_JOINTS],
                         const rct_xml_element *body, int32_t class);

/* Whether a joint is free and something acts on it, so that it becomes slides along the axes of
 * the ground and a ball. */
int rct_mjcf_is_slides(const rct_mjcf_joint *j);

/* Make the hinges of the joints of a body at `place`, one after the other. Each belongs to a
 * part without mass, except the last, in the frame of the one before. Returns how many, at least
 * one. `point` has their hinge points in the body frame of the file. */
int rct_mjcf_make_hinges(rct_part parts[RCT_MJCF_JOINTS], double point[RCT_MJCF_JOINTS][3],
                         rct_mjcf_joint joints[RCT_MJCF_JOINTS], int count, const rct_place *place);

/* All bodies below <worldbody>. */
void rct_mjcf_read_world(const rct_mjcf *mjcf, const rct_xml_element *world);

/* Read tendons, the ties of bodies, joints and tendons, and the additions of actuators to
 * joints, after all bodies. */
void rct_mjcf_read_tendons(const rct_mjcf *mjcf, const rct_xml_element *section);
void rct_mjcf_read_equality(const rct_mjcf *mjcf, const rct_xml_element *section);
void rct_mjcf_read_actuators(const rct_mjcf *mjcf, const rct_xml_element *section);

/* Whether an actuator of that model has a rotor or a damper, which act even if it does not pull. */
int rct_mjcf_is_rotor(const rct_mjcf *mjcf, const rct_xml_element *actuator);

extern const char rct_mjcf_joint_attributes[], rct_mjcf_geom_attributes[];

#endif
