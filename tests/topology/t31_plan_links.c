/* The plan's constants: mass, centre of mass, inertia, hinge points and places of links made of
 * welded bodies, against sums over single bodies in long double. */
#include "tests/support/cmocka_all.h"

#include "tests/support/dense.h"
#include "tests/support/systems/random_system.h"
#include "tests/topology/slow_tree.h"
#include "topology/plan.h"

#include <stdlib.h>
#include <string.h>

/* A body in the axes of its link's head (ground: inertial), by composing hinges one by one. */
typedef struct place {
    long double at[3], turn[3][3];
} place;

static void place_body(const rct_model *model, const slow_tree *tree, int32_t b, place *p)
{
    const double none[4] = {1.0, 0.0, 0.0, 0.0};
    *p = (place){.at = {0.0L}};
    dense_rotation(none, p->turn);
    while (b != tree->head[b]) { /* from the body inward: p := hinge of b, then p */
        rct_body body;
        long double hinge[3][3], at[3], turn[3][3];
        assert_int_equal(rct_model_body(model, b, &body, NULL), RCT_OK);
        dense_rotation(body.hinge_orientation, hinge);
        dense_apply(hinge, p->at, at);
        dense_product(hinge, p->turn, turn);
        for (int i = 0; i < 3; i++) {
            p->at[i] = body.hinge_at[i] + at[i];
        }
        memcpy(p->turn, turn, sizeof turn);
        if (body.parent == RCT_GROUND) {
            return;
        }
        b = body.parent;
    }
}

/* m, m c and J about the origin of a link. */
typedef struct inertia {
    long double mass, moment[3], j[3][3];
} inertia;

/* m (r.r 1 - r r^T) */
static void add_point(long double j[3][3], long double m, const long double *r)
{
    for (int i = 0; i < 9; i++) {
        const int a = i / 3, b = i % 3;
        j[a][b] += m * ((a == b ? r[0] * r[0] + r[1] * r[1] + r[2] * r[2] : 0.0L) - r[a] * r[b]);
    }
}

static void add_body(const rct_body *body, place *p, inertia *sum)
{
    const double *k = body->inertia;
    long double own[3][3] = {{k[0], k[3], k[4]}, {k[3], k[1], k[5]}, {k[4], k[5], k[2]}};
    long double half[3][3], com[3], r[3], back[3][3];
    const long double c[3] = {body->com[0], body->com[1], body->com[2]};
    for (int i = 0; i < 9; i++) {
        back[i / 3][i % 3] = p->turn[i % 3][i / 3];
    }
    dense_product(p->turn, own, half);
    dense_product(half, back, own);
    dense_apply(p->turn, c, com);
    sum->mass += body->mass;
    for (int i = 0; i < 3; i++) {
        r[i] = p->at[i] + com[i];
        sum->moment[i] += body->mass * r[i];
    }
    add_point(sum->j, body->mass, r);
    for (int i = 0; i < 9; i++) {
        sum->j[i / 3][i % 3] += own[i / 3][i % 3];
    }
}

static void expect_close(long double is, long double should, long double size)
{
    if (!(fabsl(is - should) <= 2e-14L * size)) {
        fail_msg("%.17Lg is not %.17Lg within %.3Lg", is, should, 2e-14L * size);
    }
}

static void expect_inertia(const double *record, long double j[3][3], long double size)
{
    static const int row[6] = {0, 1, 2, 0, 0, 1}, column[6] = {0, 1, 2, 1, 2, 2};
    for (int k = 0; k < 6; k++) {
        expect_close(record[k], j[row[k]][column[k]], size);
    }
}

/* A planned model and the direct sums of its links, by label. */
typedef struct plan_case {
    rct_model *model;
    rct_plan *plan;
    slow_tree *tree;
    inertia *sum;
} plan_case;

static plan_case open_case(const random_system *system)
{
    plan_case c = {.model = random_system_create(system)};
    c.plan = rct_plan_create(c.model, NULL);
    c.tree = slow_tree_create(c.model);
    assert_non_null(c.plan);
    c.sum = calloc((size_t)c.tree->links + 1, sizeof *c.sum);
    assert_non_null(c.sum);
    for (int32_t b = 0; b < c.tree->bodies; b++) {
        const int32_t l = c.plan->link_of[b];
        if (l != RCT_GROUND) {
            rct_body body;
            place p;
            assert_int_equal(rct_model_body(c.model, b, &body, NULL), RCT_OK);
            place_body(c.model, c.tree, b, &p);
            add_body(&body, &p, &c.sum[l]);
        }
    }
    return c;
}

static void close_case(plan_case *c)
{
    free(c->sum);
    slow_tree_free(c->tree);
    rct_plan_free(c->plan);
    rct_model_free(c->model);
}

static void check_mass(const plan_case *c, int32_t l)
{
    const double *record = rct_link_record(&c->plan->links, l);
    const inertia *sum = &c->sum[l];
    const long double size = sum->j[0][0] + sum->j[1][1] + sum->j[2][2];
    const long double arm = sqrtl(size / sum->mass);
    long double com[3], j[3][3];
    memcpy(j, sum->j, sizeof j);
    expect_close(record[LINK_MASS], sum->mass, sum->mass);
    for (int i = 0; i < 3; i++) {
        com[i] = sum->moment[i] / sum->mass;
        expect_close(record[LINK_COM + i], com[i], arm);
    }
    expect_inertia(record + LINK_INERTIA, j, size);
}

/* The hinge of link l sits where its head's hinge is on the parent body. */
static void hinge_point(const plan_case *c, int32_t l, long double at[3])
{
    rct_body body;
    assert_int_equal(rct_model_body(c->model, c->plan->places.head[l], &body, NULL), RCT_OK);
    const long double on_parent[3] = {body.hinge_at[0], body.hinge_at[1], body.hinge_at[2]};
    memcpy(at, on_parent, sizeof on_parent);
    if (body.parent != RCT_GROUND) {
        place p;
        place_body(c->model, c->tree, body.parent, &p);
        dense_apply(p.turn, on_parent, at);
        for (int i = 0; i < 3; i++) {
            at[i] += p.at[i];
        }
    }
}

/* The mass of all links beyond and its own; m c + sum over the links beyond of mass * (hinge of the first link on the way
 * there) */
static void check_levers(const plan_case *c, int32_t l)
{
    const rct_links *links = &c->plan->links;
    const double *lever = c->plan->levers + (int64_t)l * LEVER_FIELDS;
    long double moment[3], mass = c->sum[l].mass, size = mass;
    memcpy(moment, c->sum[l].moment, sizeof moment);
    for (int32_t d = l + 1; d < links->count; d++) {
        int32_t at = d;
        while (links->parent[at] != l && links->parent[at] != RCT_GROUND) {
            at = links->parent[at];
        }
        if (links->parent[at] == l) {
            long double hinge[3];
            hinge_point(c, at, hinge);
            for (int i = 0; i < 3; i++) {
                moment[i] += c->sum[d].mass * hinge[i];
            }
            mass += c->sum[d].mass;
            size += c->sum[d].mass * (1.0L + dense_norm(3, hinge));
        }
    }
    expect_close(lever[LEVER_MASS], mass, mass);
    for (int i = 0; i < 3; i++) {
        expect_close(lever[LEVER_MOMENT + i], moment[i], size);
    }
}

/* 400 random trees; with many fixed hinges links are large and bodies are welded to the ground. */
static random_system any_system(int k)
{
    return (random_system){.shape = k % 3 == 0 ? SHAPE_BINARY : SHAPE_TREE,
                           .bodies = 1 + k % 40,
                           .fixed = (k % 11) / 10.0,
                           .shuffled = 1,
                           .spin = 1.0,
                           .seed = (uint64_t)(1000 + k)};
}

/* No mass is lost: links have the total mass of the bodies that are not on the ground. */
static void check_whole_mass(const plan_case *c)
{
    long double links = 0.0L, bodies = 0.0L;
    for (int32_t l = 0; l < c->tree->links; l++) {
        links += rct_link_record(&c->plan->links, l)[LINK_MASS];
    }
    for (int32_t b = 0; b < c->tree->bodies; b++) {
        bodies += c->tree->head[b] != RCT_GROUND ? rct_bodies_at(c->plan->bodies, b)->mass : 0.0;
    }
    expect_close(links, bodies, bodies);
}

static void test_masses_hinges_and_moments(void **state)
{
    (void)state;
    for (int k = 0; k < 400; k++) {
        const random_system system = any_system(k);
        plan_case c = open_case(&system);
        check_whole_mass(&c);
        for (int32_t l = 0; l < c.tree->links; l++) {
            const double *at = rct_link_record(&c.plan->links, l) + LINK_AT;
            long double hinge[3];
            hinge_point(&c, l, hinge);
            for (int i = 0; i < 3; i++) {
                expect_close(at[i], hinge[i], 1.0L + dense_norm(3, hinge));
            }
            check_levers(&c, l);
            check_mass(&c, l);
        }
        close_case(&c);
    }
}

/* Inertial place of a body: from hinge to hinge along its ancestors. */
static void walk(const rct_model *model, int32_t b, place *p)
{
    const double none[4] = {1.0, 0.0, 0.0, 0.0};
    rct_body body;
    place up = {.at = {0.0L}};
    long double at[3];
    dense_rotation(none, up.turn);
    assert_int_equal(rct_model_body(model, b, &body, NULL), RCT_OK);
    if (body.parent != RCT_GROUND) {
        walk(model, body.parent, &up); /* at most 40 deep */
    }
    const long double hinge[3] = {body.hinge_at[0], body.hinge_at[1], body.hinge_at[2]};
    dense_apply(up.turn, hinge, at);
    for (int i = 0; i < 3; i++) {
        p->at[i] = up.at[i] + at[i];
    }
    dense_rotation(body.orientation, p->turn); /* ball: absolute */
    if (body.hinge == RCT_HINGE_FIXED) {
        long double turn[3][3];
        dense_rotation(body.hinge_orientation, turn);
        dense_product(up.turn, turn, p->turn);
    }
}

/* Axes of a link in inertial axes. */
static void link_turn(const rct_plan *plan, int32_t l, long double turn[3][3])
{
    const double none[4] = {1.0, 0.0, 0.0, 0.0};
    dense_rotation(
        l == RCT_GROUND ? none : rct_bodies_start(plan->bodies, plan->places.head[l])->orientation,
        turn);
}

/* The same by the plan: the placement in the link, then hinge points link after link. */
static void walk_plan(const rct_plan *plan, int32_t b, place *p)
{
    const rct_seat *own = rct_plan_seat(plan, b);
    const long double position[3] = {own->position[0], own->position[1], own->position[2]};
    long double turn[3][3], link[3][3];
    dense_rotation(own->orientation, turn);
    link_turn(plan, plan->link_of[b], link);
    dense_product(link, turn, p->turn);
    dense_apply(link, position, p->at);
    for (int32_t l = plan->link_of[b]; l != RCT_GROUND; l = plan->links.parent[l]) {
        const double *at = rct_link_record(&plan->links, l) + LINK_AT;
        const long double hinge[3] = {at[0], at[1], at[2]};
        long double turned[3];
        link_turn(plan, plan->links.parent[l], link);
        dense_apply(link, hinge, turned);
        for (int i = 0; i < 3; i++) {
            p->at[i] += turned[i];
        }
    }
}

static void test_placements_compose(void **state)
{
    (void)state;
    for (int k = 0; k < 400; k++) {
        const random_system system = any_system(k);
        plan_case c = open_case(&system);
        for (int32_t b = 0; b < c.tree->bodies; b++) {
            place is, should;
            walk_plan(c.plan, b, &is);
            walk(c.model, b, &should);
            for (int i = 0; i < 9; i++) {
                expect_close(is.turn[i / 3][i % 3], should.turn[i / 3][i % 3], 1.0L);
            }
            for (int i = 0; i < 3; i++) {
                expect_close(is.at[i], should.at[i], 1.0L + dense_norm(3, should.at));
            }
        }
        close_case(&c);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_masses_hinges_and_moments),
        cmocka_unit_test(test_placements_compose),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
