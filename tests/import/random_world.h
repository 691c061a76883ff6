/* Random worlds of MJCF: bodies with joints of every kind, orientations given in every way, frames
 * around their contents, default classes and masses from shapes; drawn with masses and places as
 * matrices and slices of the shapes give them, and written as files. */
#ifndef RCT_TESTS_RANDOM_WORLD_H
#define RCT_TESTS_RANDOM_WORLD_H

#include "tests/import/import_check.h"

#include <stdint.h>

static const double pi = 3.14159265358979323846;

enum { MOST_BODIES = 10, MOST_GEOMS = 3 };

/* Kinds of hinges, each with its joints. */
enum {
    FIXED,
    HINGE,
    SLIDE,
    BALL,
    FREE,
    UNIVERSAL,
    TURN_SLIDE,
    SLIDE_TURN,
    PLANAR,
    PLANAR_BACK,
    THREE,
    APART, /* from here on hinges with massless parts in between */
    TURN_FIRST,
    SLIDES,
    ACTING,
    KINDS
};

static const char *const kinds[KINDS] = {"",    "h",   "s",   "b",  "f",   "hh",  "hs", "sh",
                                         "ssh", "ssh", "hhh", "hh", "hss", "sss", "hhh"};

int is_absolute(int kind); /* its coordinates are counted from the ground */
int parts_of(int kind);    /* of its body in the model, which are consecutive */

typedef struct random_joint {
    double pos[3], axis[3], ref, rest, stiffness, damping, armature, q;
} random_joint;

typedef struct random_body {
    int parent, kind, geoms;
    frame place; /* in the parent */
    lump mass;   /* own frame     */
    random_joint joint[3];
    frame at; /* inertial, expected */
} random_body;

typedef struct world {
    random_body body[MOST_BODIES];
    int count, radian,
        absolute; /* absolute: ball and free hinges are drawn, and stay where they are */
    char sequence[4];
    double thickness; /* size of the geoms of class "thick" */
} world;

/* Draw a world; write it, with random choices of how orientations are given and what is left to
 * defaults. */
void random_world_draw(uint64_t *s, world *w);
void random_world_write(uint64_t *s, text *t, world *w);

#endif
