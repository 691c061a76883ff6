/* The family `rod`: an elastic rod that hangs from a clamp. In: the number of bodies; out: those of rct_model_add_rod, a rod of
 * 1 m, 1 kg and EI = GJ = 1 N m^2, and as a start, perturbed. */
#include "model/families/families.h"

#include <riccatree/rod.h>

#include <stddef.h>

void rct_layout_elastic(rct_layout *layout)
{
    rct_model *own = rct_model_create(NULL, layout->error);
    rct_rod rod = rct_rod_default();
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
