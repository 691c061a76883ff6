/* Mass, centre and inertia of a body, put together from pieces. */
#ifndef RCT_IMPORT_MASS_H
#define RCT_IMPORT_MASS_H

#include "import/place.h"

typedef struct rct_mass {
    double mass;       /* kg                                               */
    double com[3];     /* m                                                */
    double inertia[6]; /* kg m^2, xx yy zz xy xz yz about the centre       */
} rct_mass;

/* Given in the frame at `place`, wanted where the place is given. */
void rct_mass_move(rct_mass *mass, const rct_place *place);

void rct_mass_add(rct_mass *sum, const rct_mass *more);

/* Solid shapes of uniform density about their own centres, main axis z. */
typedef enum rct_shape {
    RCT_SHAPE_SPHERE = 0,    /* radius                          */
    RCT_SHAPE_CAPSULE = 1,   /* radius, half length of cylinder */
    RCT_SHAPE_ELLIPSOID = 2, /* three half axes                 */
    RCT_SHAPE_CYLINDER = 3,  /* radius, half length             */
    RCT_SHAPE_BOX = 4,       /* three half edges                */
} rct_shape;

enum { RCT_SHAPES = 5 };

int rct_shape_sizes(rct_shape shape); /* how many numbers its size has */
double rct_shape_volume(rct_shape shape, const double size[3]);
rct_mass rct_shape_mass(rct_shape shape, const double size[3], double mass);

#endif
