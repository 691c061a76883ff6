/* The family `rod`: an elastic rod that hangs down. In: the number of bodies, and the numbers of
 * the rod if they are given; out: the bodies of rct_model_add_rod; the start is perturbed. */
#include "model/families/families.h"

#include <riccatree/rod.h>

#include <stddef.h>

void rct_layout_elastic(rct_layout *layout)
{
    rct_model *own = rct_model_create(NULL, layout->error);
    const rct_family *family = layout->family;
    rct_rod rod = rct_rod_default();
    if (rct_family_has_rod(family)) {
        rod.length = family->length, rod.density = family->density, rod.radius = family->radius;
        rod.bending[0] = family->bending[0], rod.bending[1] = family->bending[1];
        rod.twist = family->twist, rod.delay = family->delay, rod.pinned = family->pinned;
    }
    rod.bodies = layout->count;
    rod.orientation[0] = 0.0, rod.orientation[1] = 1.0; /* down */
    layout->status =
        own != NULL ? rct_model_add_rod(own, &rod, NULL, layout->error) : RCT_ERROR_MEMORY;
    for (int32_t b = 0; b < layout->count && layout->status == RCT_OK; b++) {
        rct_body body;
        layout->status = rct_model_body(own, b, &body, layout->error);
        body.name = NULL;
        rct_layout_place(layout, body);
    }
    rct_model_free(own);
}
