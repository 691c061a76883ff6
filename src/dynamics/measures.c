/* Energies and momenta: sums over links. */
#include "dynamics/measures.h"

#include "core/bending.h"
#include "core/numbers.h"
#include "dynamics/solver.h"
#include "kernels/sweeps/lanes.h"

#include <string.h>

/* Whether the potential energy of a link depends on the displacement of its hinge. */
static int is_displaced(const rct_links *links, int64_t l)
{
    return links->parent[l] == RCT_GROUND || rct_slides((rct_hinge_type)links->kind[l]);
}

/* The potential energy of that displacement. A sliding hinge displaces its link, at roots the
 * ground does; the position of a free link is its displacement. */
static double displaced_potential(const rct_solver *s, int64_t l)
{
    const rct_links *links = &s->plan->links;
    const double *gravity = rct_plan_gravity(s->plan, s->plan->places.head[l]);
    const double mass = s->plan->levers[l * LEVER_FIELDS + LEVER_MASS];
    const int32_t up = links->parent[l];
    double displacement[3], sum = 0.0;
    if (up != RCT_GROUND) {
        rct_hinge_displacement(links, l, s->state, rct_pose_at(s->poses, up), displacement);
    }
    for (int i = 0; i < 3; i++) {
        if (up == RCT_GROUND) {
            displacement[i] =
                rct_pose_at(s->poses, l)->position[i] - rct_link_record(links, l)[LINK_AT + i];
        }
        sum -= gravity[i] * (mass * displacement[i]);
    }
    return sum;
}

/* sum of 1/2 D u^2 */
static double rotor_energy(const rct_solver *s, int64_t l)
{
    const rct_body *head = rct_bodies_at(s->plan->bodies, s->plan->places.head[l]);
    const double *u =
        s->state + rct_link_state(&s->plan->links, l) + rct_hinge_coordinates(head->hinge);
    double sum = 0.0;
    for (int i = 0; i < 3; i++) {
        sum += head->armature[i] != 0.0 ? 0.5 * head->armature[i] * u[i] * u[i] : 0.0;
    }
    return sum;
}

/* The stretch of the springs at the hinge of a link. */
static void find_stretch(const rct_solver *s, int32_t l, const rct_body *head, double stretch[3])
{
    const rct_plan *plan = s->plan;
    const int32_t up = plan->links.parent[l];
    if (head->hinge == RCT_HINGE_BALL) {
        double frame[4];
        rct_plan_hinge_frame(plan, l, frame);
        rct_bending_vector(up == RCT_GROUND ? s->ground.rotation
                                            : rct_pose_at(s->poses, up)->rotation,
                           frame, rct_pose_at(s->poses, l)->rotation, stretch);
        return;
    }
    for (int i = 0; i < rct_hinge_freedoms(head->hinge); i++) {
        stretch[i] = s->state[rct_link_state(&plan->links, l) + i] - head->rest[i];
    }
}

void rct_solver_spring_energies(const rct_solver *s, int32_t systems, double *energy)
{
    memset(energy, 0, (size_t)systems * sizeof *energy);
    for (int32_t l = 0; l < s->plan->links.count && s->plan->has_efforts; l++) {
        const rct_body *head = rct_bodies_at(s->plan->bodies, s->plan->places.head[l]);
        double stretch[3] = {0.0};
        if (rct_all_zero(head->stiffness, 3)) {
            continue;
        }
        find_stretch(s, l, head, stretch);
        for (int i = 0; i < 3; i++) {
            if (head->stiffness[i] != 0.0) {
                energy[s->plan->places.head[l] % systems] +=
                    0.5 * head->stiffness[i] * stretch[i] * stretch[i];
            }
        }
    }
    rct_solver_add_spring_energy(s, systems, energy);
    rct_solver_add_effort_energy(s, systems, energy);
}

typedef struct measuring {
    const rct_solver *s;
    int64_t first;
} measuring;

/* Write the sums of the links from `begin` on, counted from `first`, to s->parts; without
 * springs. */
static void measure_range(void *context, int64_t begin, int64_t end)
{
    const measuring *m = context;
    const rct_solver *s = m->s;
    const rct_plan *plan = s->plan;
    const int own = plan->gravities > 0;
    const rct_measured of = {.links = &plan->links,
                             .levers = plan->levers,
                             .poses = s->poses,
                             .head = plan->places.head,
                             .gravity = own ? plan->own_gravity : plan->gravity,
                             .systems = own ? plan->gravities : 1};
    double *parts = s->parts + begin * MEASURES;
    rct_lane_kernels_list()[0]->measure(&of, m->first + begin, end - begin, parts);
    for (int64_t l = m->first + begin; l < m->first + end; l++, parts += MEASURES) {
        if (is_displaced(&plan->links, l)) {
            parts[MEASURE_POTENTIAL] += displaced_potential(s, l);
        }
        if (plan->has_efforts) {
            parts[MEASURE_KINETIC] += rotor_energy(s, l);
        }
        parts[MEASURE_POTENTIAL] -= s->reference[l];
    }
}

void rct_solver_measure_links(const rct_solver *s, rct_parts_shown *show, void *context)
{
    const int64_t links = s->plan->links.count, most = rct_measured_at_once(links);
    measuring m = {.s = s};
    for (; m.first < links; m.first += most) {
        const int64_t count = links - m.first < most ? links - m.first : most;
        rct_solver_share(s, count, measure_range, &m);
        show(context, m.first, count, s->parts);
    }
}

/* ---- energies and momenta ----------------------------------------------------------------- */

static void keep_potentials(void *context, int64_t first, int64_t count, const double *parts)
{
    double *reference = context;
    for (int64_t k = 0; k < count; k++) {
        reference[first + k] = parts[k * MEASURES + MEASURE_POTENTIAL];
    }
}

void rct_solver_set_reference(rct_solver *s)
{
    rct_solver_read_poses(s);
    memset(s->reference, 0, (size_t)s->plan->links.count * sizeof *s->reference);
    rct_solver_measure_links(s, keep_potentials, s->reference);
    rct_solver_spring_energies(s, 1, &s->reference_springs);
}

static void add_parts(void *context, int64_t first, int64_t count, const double *parts)
{
    (void)first;
    rct_lane_kernels_list()[0]->sum(parts, count, context);
}

void rct_solver_measure_inside(const rct_solver *s, rct_measures *measures)
{
    rct_measure_sums all = {.sum = {0.0}};
    double springs;
    rct_solver_read_places(s);
    rct_solver_measure_links(s, add_parts, &all);
    rct_solver_spring_energies(s, 1, &springs);
    exact_add(&all.sum[MEASURE_POTENTIAL], &all.rest[MEASURE_POTENTIAL],
              springs - s->reference_springs);
    for (int k = 0; k < MEASURES; k++) {
        all.sum[k] += all.rest[k];
    }
    measures->kinetic = all.sum[MEASURE_KINETIC];
    measures->potential = all.sum[MEASURE_POTENTIAL];
    memcpy(measures->momentum, all.sum + MEASURE_MOMENTUM, sizeof measures->momentum);
    memcpy(measures->angular_momentum, all.sum + MEASURE_ANGULAR,
           sizeof measures->angular_momentum);
}
