/* Energies and momenta: sums over links. */
#include "dynamics/measures.h"
#include "core/rotation.h"
#include "dynamics/rigid.h"
#include "dynamics/solver.h"

#include <string.h>

/* The centre of mass of a link from its origin, and its velocity from that of the origin, inertial axes. */
static void centre_of(const rct_solver *s, int64_t l, double arm[3], double turning[3])
{
    const double *com = rct_link_record(&s->plan->links, l) + LINK_COM;
    double m[3][3], rate[3];
    memcpy(m, s->poses[l].rotation, sizeof m);
    rct_rotate(m, com, arm);
    rct_rotate(m, s->poses[l].rate, rate);
    rct_cross(rate, arm, turning);
}

/* The part of link l in V = -sum m g . r_C, by its lever (topology/plan.h): J. Hinges displace what slides; at roots the ground
 * does, and the place of a free link is all its own. */
static double potential(const rct_solver *s, int64_t l)
{
    const rct_links *links = &s->plan->links;
    const double *gravity = rct_plan_gravity(s->plan, s->plan->head[l]);
    const double *lever = s->plan->levers + l * LEVER_FIELDS;
    const int32_t up = links->parent[l];
    double m[3][3], moment[3], displacement[3] = {0.0, 0.0, 0.0}, sum = 0.0;
    memcpy(m, s->poses[l].rotation, sizeof m);
    rct_rotate(m, lever + LEVER_MOMENT, moment);
    if (up != RCT_GROUND && rct_slides((rct_hinge_type)links->kind[l])) {
        rct_hinge_displacement(links, l, s->state, &s->poses[up], displacement);
    }
    for (int i = 0; i < 3; i++) {
        if (up == RCT_GROUND) {
            displacement[i] = s->poses[l].position[i] - rct_link_record(links, l)[LINK_AT + i];
        }
        sum -= gravity[i] * (moment[i] + lever[LEVER_MASS] * displacement[i]);
    }
    return sum;
}

/* J_C w = J_O w - m c x (w x c), link axes. */
static void spin_of(const double *record, const double rate[3], double spin[3])
{
    double turning[3], orbit[3];
    rct_inertia_times(record + LINK_INERTIA, rate, spin);
    rct_cross(rate, record + LINK_COM, turning);
    rct_cross(record + LINK_COM, turning, orbit);
    for (int i = 0; i < 3; i++) {
        spin[i] -= record[LINK_MASS] * orbit[i];
    }
}

/* sum of 1/2 D u^2 */
static double rotor_energy(const rct_solver *s, int64_t l)
{
    const rct_body *head = &s->plan->bodies[s->plan->head[l]];
    const double *u = s->state + s->plan->links.state_at[l] + rct_hinge_coordinates(head->hinge);
    double sum = 0.0;
    for (int i = 0; i < 3 && s->plan->has_efforts; i++) {
        sum += head->armature[i] != 0.0 ? 0.5 * head->armature[i] * u[i] * u[i] : 0.0;
    }
    return sum;
}

void rct_solver_spring_energies(const rct_solver *s, int32_t systems, double *energy)
{
    memset(energy, 0, (size_t)systems * sizeof *energy);
    for (int32_t l = 0; l < s->plan->links.count && s->plan->has_efforts; l++) {
        const rct_body *head = &s->plan->bodies[s->plan->head[l]];
        const double *q = s->state + s->plan->links.state_at[l];
        for (int i = 0; i < 3; i++) {
            if (head->stiffness[i] != 0.0) { /* none at absolute hinges */
                const double stretch = q[i] - head->rest[i];
                energy[s->plan->head[l] % systems] += 0.5 * head->stiffness[i] * stretch * stretch;
            }
        }
    }
    rct_solver_add_spring_energy(s, systems, energy);
}

void rct_solver_set_reference(rct_solver *s)
{
    rct_solver_read_poses(s);
    for (int64_t l = 0; l < s->plan->links.count; l++) {
        s->reference[l] = potential(s, l);
    }
    rct_solver_spring_energies(s, 1, &s->reference_springs);
}

void rct_solver_link_measures(const rct_solver *s, int64_t l, double *parts)
{
    const double *record = rct_link_record(&s->plan->links, l), mass = record[LINK_MASS];
    const rct_pose_of_link *pose = &s->poses[l];
    double arm[3], turning[3], p[3], at[3], spin[3], spin_out[3], orbit[3], m[3][3];
    centre_of(s, l, arm, turning);
    spin_of(record, pose->rate, spin);
    parts[MEASURE_KINETIC] = 0.0;
    for (int i = 0; i < 3; i++) {
        const double v = pose->velocity[i] + turning[i];
        at[i] = pose->position[i] + arm[i];
        p[i] = mass * v;
        parts[MEASURE_KINETIC] += 0.5 * (p[i] * v + spin[i] * pose->rate[i]);
    }
    parts[MEASURE_KINETIC] += rotor_energy(s, l);
    memcpy(m, pose->rotation, sizeof m);
    rct_rotate(m, spin, spin_out);
    rct_cross(at, p, orbit);
    for (int i = 0; i < 3; i++) {
        parts[MEASURE_MOMENTUM + i] = p[i];
        parts[MEASURE_ANGULAR + i] = orbit[i] + spin_out[i];
    }
    parts[MEASURE_POTENTIAL] = potential(s, l) - s->reference[l];
}

/* The parts of links from `first` on. */
typedef struct measuring {
    const rct_solver *s;
    int64_t first;
} measuring;

static void measure_range(void *context, int64_t begin, int64_t end)
{
    const measuring *m = context;
    for (int64_t k = begin; k < end; k++) {
        rct_solver_link_measures(m->s, m->first + k, m->s->parts + k * MEASURES);
    }
}

/* Parts by threads, sums in the order of links: batches come to the same bits. */
void rct_solver_measure_inside(const rct_solver *s, rct_measures *measures)
{
    const int64_t links = s->plan->links.count, most = rct_measured_at_once(links);
    measuring m = {.s = s};
    exact_sum all[MEASURES] = {{0.0, 0.0}};
    double springs;
    rct_solver_read_poses(s);
    for (; m.first < links; m.first += most) {
        const int64_t count = links - m.first < most ? links - m.first : most;
        rct_solver_share(s, count, measure_range, &m);
        for (int64_t i = 0; i < count * MEASURES; i++) {
            exact_add(&all[i % MEASURES], s->parts[i]);
        }
    }
    rct_solver_spring_energies(s, 1, &springs);
    exact_add(&all[MEASURE_POTENTIAL], springs - s->reference_springs);
    measures->kinetic = exact_total(&all[MEASURE_KINETIC]);
    measures->potential = exact_total(&all[MEASURE_POTENTIAL]);
    for (int i = 0; i < 3; i++) {
        measures->momentum[i] = exact_total(&all[MEASURE_MOMENTUM + i]);
        measures->angular_momentum[i] = exact_total(&all[MEASURE_ANGULAR + i]);
    }
}
