/* Mass, centre and inertia of a body, added up from pieces. */
#ifndef RCT_IMPORT_MASS_H
#define RCT_IMPORT_MASS_H

#include "import/place.h"

typedef struct rct_mass {
    double mass;       /* kg                                               */
    double com[3];     /* m                                                */
    double inertia[6]; /* kg m^2, xx yy zz xy xz yz about the centre       */
} rct_mass;

/* From the frame at `place` to the frame in which the place is given. */
void rct_mass_move(rct_mass *mass, const rct_place *place);

void rct_mass_add(rct_mass *sum, const rct_mass *more);

/* Solid shapes of uniform density about their own centres, main axis z. */
typedef enum rct_solid {
    RCT_SOLID_SPHERE = 0,    /* radius                          */
    RCT_SOLID_CAPSULE = 1,   /* radius, half length of cylinder */
    RCT_SOLID_ELLIPSOID = 2, /* three half axes                 */
    RCT_SOLID_CYLINDER = 3,  /* radius, half length             */
    RCT_SOLID_BOX = 4,       /* three half edges                */
} rct_solid;

enum { RCT_SOLIDS = 5 };

int rct_solid_sizes(rct_solid shape); /* how many sizes it has */
double rct_solid_volume(rct_solid shape, const double size[3]);
rct_mass rct_solid_mass(rct_solid shape, const double size[3], double mass);

#endif
