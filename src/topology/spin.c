/* Rejects links on ball hinges whose spin is undetermined. A link resists rotation about an axis u
 * through its hinge point by its own inertia J_O, or through an outboard hinge off that axis, whose
 * link it would have to move. Where u J_O u = 0 and all outboard hinges lie on u, no equation gives
 * the spin about u: a thin rod of zero axial inertia hung at its end, a point mass on a massless
 * bar. */
#include "core/error.h"
#include "core/memory.h"
#include "model/inertia.h"
#include "topology/topology.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

/* Moments below this part of the largest count as zero. */
static const double negligible = 1e-14;

/* The least that outboard hinges add about the origin, up to their unknown mass: r.r 1 - r r^T,
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

/* What a link and the hinges on it resist about its origin, into `inertia`. Hinges of other types
 * transmit moments: they hold the link about every axis. */
static void add_resistance(const rct_links *links, int32_t l, double (*inertia)[6])
{
    const double *record = rct_link_record(links, l);
    const int32_t up = links->parent[l];
    for (int i = 0; i < 6; i++) {
        inertia[l][i] += record[LINK_INERTIA + i];
    }
    if (up != RCT_GROUND) {
        const double *own = rct_link_record(links, up) + LINK_INERTIA;
        const double trace = own[0] + own[1] + own[2], scale = trace > 0.0 ? trace : 1.0;
        if (links->kind[l] == RCT_HINGE_BALL) {
            add_hinge(inertia[up], record + LINK_AT, scale);
        }
        for (int i = 0; i < 3 && links->kind[l] != RCT_HINGE_BALL; i++) {
            inertia[up][i] += scale;
        }
    }
}

rct_status rct_check_spin(const rct_plan *plan, const rct_model *model, rct_error *error)
{
    const rct_links *links = &plan->links;
    double(*inertia)[6] = rct_allocate(links->count, sizeof *inertia, "the check of spins", error);
    rct_status status = inertia == NULL ? RCT_ERROR_MEMORY : RCT_OK;
    for (int32_t l = 0; l < links->count && status == RCT_OK; l++) {
        add_resistance(links, l, inertia);
    }
    for (int32_t l = 0; l < links->count && status == RCT_OK; l++) {
        const int32_t head = plan->places.head[l];
        double moments[3];
        rct_principal_moments(inertia[l], moments);
        if (links->kind[l] == RCT_HINGE_BALL && !(moments[0] > negligible * moments[2])) {
            char name[RCT_NAME_SIZE];
            rct_model_body_name(model, head, name);
            status = rct_fail_body(error, RCT_ERROR_MODEL, head,
                                   "body %" PRId32 " \"%s\": its spin is undetermined: nothing "
                                   "resists rotation about one axis through its ball hinge; give "
                                   "it inertia about that axis (a rod needs a radius)",
                                   head, name);
        }
    }
    rct_release(inertia);
    return status;
}
