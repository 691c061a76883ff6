/* MJCF: settings, default classes, and what a body consists of. */
#ifndef RCT_IMPORT_MJCF_H
#define RCT_IMPORT_MJCF_H

#include "import/parts.h"

/* What inherits from which element of a class. */
typedef enum rct_mjcf_kind {
    RCT_MJCF_JOINT,
    RCT_MJCF_GEOM,
    RCT_MJCF_MESH,
    RCT_MJCF_SITE,
    RCT_MJCF_EQUALITY,
    RCT_MJCF_TENDON,
    RCT_MJCF_OTHER, /* from none */
} rct_mjcf_kind;

enum { RCT_MJCF_KINDS = RCT_MJCF_OTHER };

/* A default class: elements with attributes that others inherit. */
typedef struct rct_mjcf_class {
    const rct_xml_element *section;                 /* its <default>        */
    const rct_xml_element *element[RCT_MJCF_KINDS]; /* its own, or NULL     */
    int32_t parent;                                 /* class, or -1         */
    int32_t depth;                                  /* 1: it has no parent  */
} rct_mjcf_class;

/* Where an element stands, if it stood in frames or was attached (rct_xml_element.mark): what it was in, the class of that, or
 * -1, and the other model whose settings and classes it has, or NULL. */
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

/* What <flag> disables; from springs on it is not supported. */
typedef enum rct_mjcf_flag {
    RCT_MJCF_GRAVITY,
    RCT_MJCF_CONSTRAINT, /* ties, friction, and what is not read */
    RCT_MJCF_TIES,
    RCT_MJCF_FRICTION,
    RCT_MJCF_SPRING,
    RCT_MJCF_DAMPER,
    RCT_MJCF_PASSIVE,
    RCT_MJCF_FLAGS
} rct_mjcf_flag;

/* A model: that of the first file, or one that another attaches. All have one source, and one list of parts. */
typedef struct rct_mjcf {
    rct_source *source;
    rct_parts *parts;
    rct_xml_element *root;
    const rct_xml_element *asset; /* that it was attached by, NULL: the first             */
    struct rct_mjcf *attached,
        *next;            /* attached: the last that it attaches, next: the one before */
    double angle;         /* rad, what 1 means as an angle in the file     */
    const char *sequence; /* axes of Euler angles                          */
    rct_mjcf_inertia inertia;
    double groups[2]; /* geoms of these groups, first and last, have mass  */
    rct_mjcf_class *class;
    struct rct_names *names;      /* of classes (model/names.h)                         */
    int32_t classes, main;        /* main: the class of all that name none, or -1 */
    int aligns_free;              /* frames of free bodies are those of their inertia */
    int fuses_static;             /* what does not move is no body there             */
    double total;                 /* kg, of all bodies, > 0: masses are scaled to it */
    const char *mesh_folder;      /* of meshes, from that of the first file; NULL: that itself */
    int strip_path;               /* 1: without the folders that meshes name                  */
    int disabled[RCT_MJCF_FLAGS]; /* by the first model                              */
    int exact_meshes; /* 1: for the volumes of meshes that do not say how, those of exact */
} rct_mjcf;

/* An element and the class it inherits from, or -1. */
typedef struct rct_mjcf_item {
    const rct_mjcf *mjcf;
    const rct_xml_element *element;
    int32_t class;
    rct_mjcf_kind kind;
} rct_mjcf_item;

/* ---- mjcf.c ---- */

/* What a model without settings of its own has. */
rct_mjcf rct_mjcf_none(rct_source *source, rct_parts *parts, rct_xml_element *root);

/* Settings, those of gravity for `model`, NULL: for none; then the tree of elements as what it stands for, but with its frames. */
void rct_mjcf_open(rct_mjcf *mjcf, rct_model *model);

/* Whether ties, or friction, are in force. */
int rct_mjcf_constrains(const rct_mjcf *mjcf, rct_mjcf_flag what);

/* ---- mjcf_include.c, mjcf_attach.c, mjcf_expand.c: the tree of elements becomes what it stands for ---- */

enum { RCT_MJCF_PATH = 4096 };

/* What is included, in place of <include>; first of all, as it may be anything. */
void rct_mjcf_include(rct_xml_element *parent);

/* The tree of the file that an element names by file="...", which belongs to the model from here on and stands `depth` deep; NULL if it
 * was not read. */
rct_xml *rct_mjcf_file(const rct_xml_element *at, int32_t depth);

/* How deep an element stands, the root 0. */
int32_t rct_mjcf_depth(const rct_xml_element *element);

/* The path of a file that an element names; 0 where no file may be read, and why in its place. */
int rct_mjcf_path(char path[RCT_MJCF_PATH], const rct_xml_element *at, const char *file);

/* Bodies of other models, in place of <attach>. */
void rct_mjcf_attach(rct_mjcf *mjcf);

/* The model whose settings and classes an element has: one that it was attached from, else `mjcf`. */
const rct_mjcf *rct_mjcf_of(const rct_mjcf *mjcf, const rct_xml_element *element);

/* Memory that lives as long as the tree; NULL, and the source fails, where there is none. */
void *rct_mjcf_take(const rct_xml_element *at, int64_t bytes);

/* What a copy puts before and behind names, the attributes in the list, but where others name the world. */
typedef struct rct_mjcf_naming {
    const char *attributes, *before, *after;
} rct_mjcf_naming;

/* A copy of an element with all that is in it, appended to what `parent` holds; NULL if it fails. */
rct_xml_element *rct_mjcf_copy(rct_xml_element *parent, const rct_xml_element *element,
                               const rct_mjcf_naming *naming);

/* What is replicated, in place of <replicate>; and what frames hold, of whichever model they are, in place of <frame>. */
void rct_mjcf_repeat(const rct_mjcf *mjcf, rct_xml_element *parent);
void rct_mjcf_open_frames(const rct_mjcf *mjcf, rct_xml_element *parent);

/* A place given in the frame that an element stands in, where that frame is given. */
rct_place rct_mjcf_in_frame(const rct_xml_element *element, const rct_place *place);

/* ---- mjcf_defaults.c ---- */

/* Every <default> of the file; freed in any case. */
void rct_mjcf_read_defaults(rct_mjcf *mjcf);
void rct_mjcf_free_defaults(rct_mjcf *mjcf);

/* The class of what names none, in what surrounds an element: its frame, else `otherwise`. */
int32_t rct_mjcf_class_around(const rct_xml_element *element, int32_t otherwise);

/* The class that an attribute names, else `otherwise`. */
int32_t rct_mjcf_find_class(const rct_mjcf *mjcf, const rct_xml_element *element,
                            const char *attribute, int32_t otherwise);

/* The element with the class it names, else that of the frame it stands in, else `class`. */
rct_mjcf_item rct_mjcf_item_of(const rct_mjcf *mjcf, const rct_xml_element *element, int32_t class,
                               rct_mjcf_kind kind);

/* Where an item's attributes are looked for, nearest first: itself, then its element in each class. Start with *level = item;
 * NULL at the end. */
const rct_xml_element *rct_mjcf_next_level(rct_mjcf_item *level);

/* The value of an attribute, own or inherited, and the element that has it; NULL if none has. */
const char *rct_mjcf_value(const rct_mjcf_item *item, const char *name, const rct_xml_element **at);

/* As rct_source_optional, own or inherited. */
void rct_mjcf_numbers(double *numbers, int count, const rct_mjcf_item *item, const char *name);

/* A number that must be zero, as what it stands for is not supported. */
void rct_mjcf_zero(const rct_mjcf_item *item, const char *name);

/* ---- mjcf_frame.c, mjcf_mesh.c, mjcf_geom.c, mjcf_joint.c, mjcf_hinge.c, mjcf_body.c, mjcf_equality.c, mjcf_actuator.c ---- */

/* Position and orientation, in any of the five ways to give it, in the frame of the body around it. */
rct_place rct_mjcf_place(const rct_mjcf_item *item);

/* The place between the two points of `fromto`, z towards the first of them, and half their distance; 0 where none are given. */
double rct_mjcf_between(rct_place *place, const rct_mjcf_item *item);

/* Whether the element itself gives an orientation. */
int rct_mjcf_is_turned(const rct_xml_element *element);

/* The mass of the mesh of that name, of density 1 kg/m^3, in its own frame; or why it is not known, in words that may be in `text`. */
const char *rct_mjcf_mesh_mass(rct_mass *mass, char text[RCT_MJCF_PATH], const rct_mjcf *mjcf,
                               const char *name);

/* The mass that the geoms of a body add up to, body frame. */
rct_mass rct_mjcf_mass_of_geoms(const rct_mjcf *mjcf, const rct_xml_element *body, int32_t class);

/* What the geoms of the body of that part look like; `point` is its hinge point in the body frame of the file. */
void rct_mjcf_read_shapes(const rct_mjcf *mjcf, int32_t part, const double point[3],
                          const rct_xml_element *body, int32_t class);

enum { RCT_MJCF_JOINTS = 6 }; /* of a body, at most */

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
        coordinate; /* the part of the body, and which of its coordinates is that of the joint; -1: none */
} rct_mjcf_joint;

/* The joints of a body, in order; how many there are. */
int rct_mjcf_read_joints(const rct_mjcf *mjcf, rct_mjcf_joint joints[RCT_MJCF_JOINTS],
                         const rct_xml_element *body, int32_t class);

/* Whether a joint is free and something acts on it, so that it becomes slides along the axes of the ground, and a ball. */
int rct_mjcf_is_slides(const rct_mjcf_joint *j);

/* The hinges that the joints of a body at `place` make, one after the other, each of a part without mass but the last, in the frame of the one
 * before: how many, at least one. `point` has their hinge points in the body frame of the file. */
int rct_mjcf_make_hinges(rct_part parts[RCT_MJCF_JOINTS], double point[RCT_MJCF_JOINTS][3],
                         rct_mjcf_joint joints[RCT_MJCF_JOINTS], int count, const rct_place *place);

/* All bodies below <worldbody>. */
void rct_mjcf_read_world(const rct_mjcf *mjcf, const rct_xml_element *world);

/* Tendons, what ties bodies, joints and tendons, and what actuators add to joints, once all bodies are read. */
void rct_mjcf_read_tendons(const rct_mjcf *mjcf, const rct_xml_element *section);
void rct_mjcf_read_equality(const rct_mjcf *mjcf, const rct_xml_element *section);
void rct_mjcf_read_actuators(const rct_mjcf *mjcf, const rct_xml_element *section);

/* Whether an actuator of that model has a rotor or a damper, which act also where it does not pull. */
int rct_mjcf_is_rotor(const rct_mjcf *mjcf, const rct_xml_element *actuator);

extern const char rct_mjcf_joint_attributes[], rct_mjcf_geom_attributes[];

#endif
