/* Reject links whose spin is undetermined. A link resists rotation about an axis u through its hinge
 * point by its own inertia J_O, or through an outboard hinge off that axis, whose link it would have
 * to move. Where u J_O u = 0 and all outboard hinges lie on u, no equation gives the spin about u:
 * a thin rod of zero axial inertia hung at its end, a point mass on a massless bar. */
#include "core/error.h"
#include "core/memory.h"
#include "model/inertia.h"
#include "topology/topology.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Moments below this part of the largest count as zero. */
static const double negligible = 1e-14;

/* J_O = J_C + m (c.c 1 - c c^T), xx yy zz xy xz yz */
static void inertia_about_origin(const rct_raw_link *link, double j[6])
{
    const double *c = link->com;
    const double m = link->mass;
    memcpy(j, link->com_inertia, 6 * sizeof *j);
    j[0] += m * (c[1] * c[1] + c[2] * c[2]);
    j[1] += m * (c[0] * c[0] + c[2] * c[2]);
    j[2] += m * (c[0] * c[0] + c[1] * c[1]);
    j[3] -= m * c[0] * c[1];
    j[4] -= m * c[0] * c[2];
    j[5] -= m * c[1] * c[2];
}

/* What outboard hinges add about the origin at the least, up to their unknown mass: r.r 1 - r r^T,
 * scaled to the size of J_O so that only its directions matter. */
static void add_hinge(double j[6], const double r[3], double scale)
{
    const double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
    if (square > 0.0) {
        const double s = scale / square;
        j[0] += s * (square - r[0] * r[0]);
        j[1] += s * (square - r[1] * r[1]);
        j[2] += s * (square - r[2] * r[2]);
        j[3] -= s * r[0] * r[1];
        j[4] -= s * r[0] * r[2];
        j[5] -= s * r[1] * r[2];
    }
}

rct_status rct_check_spin(const rct_model *model, const rct_raw_link *links, int32_t count,
                          rct_error *error)
{
    double(*inertia)[6] = rct_allocate(count, sizeof *inertia, "the check of spins", error);
    if (inertia == NULL) {
        return RCT_ERROR_MEMORY;
    }
    for (int32_t i = 0; i < count; i++) {
        inertia_about_origin(&links[i], inertia[i]);
    }
    for (int32_t i = 0; i < count; i++) {
        if (links[i].parent != RCT_GROUND) {
            double own[6];
            inertia_about_origin(&links[links[i].parent], own);
            const double trace = own[0] + own[1] + own[2];
            add_hinge(inertia[links[i].parent], links[i].at, trace > 0.0 ? trace : 1.0);
        }
    }
    rct_status status = RCT_OK;
    for (int32_t i = 0; i < count && status == RCT_OK; i++) {
        double moments[3];
        rct_principal_moments(inertia[i], moments);
        if (!(moments[0] > negligible * moments[2])) {
            char name[RCT_NAME_SIZE];
            rct_model_body_name(model, links[i].head, name);
            status = rct_fail_body(error, RCT_ERROR_MODEL, links[i].head,
                                   "body %" PRId32 " \"%s\": its spin is undetermined: nothing "
                                   "resists rotation about one axis through its ball hinge; give "
                                   "it inertia about that axis (a rod needs a radius)",
                                   links[i].head, name);
        }
    }
    rct_release(inertia);
    return status;
}
