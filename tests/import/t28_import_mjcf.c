/* MJCF: random trees of bodies with joints of every kind, orientations given in every way, default classes and masses
 * from shapes, against masses and places computed with matrices and by slicing the shapes. */
#include "tests/import/import_check.h"
#include "tests/import/random_world.h"

#include "tests/support/cmocka_all.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Joints act one after the other: a hinge rotates about its point, a slide shifts, both in the
 * frame moved so far. */
static frame moved(const random_body *b)
{
    frame f = b->place;
    for (int i = 0; kinds[b->kind][i] != '\0'; i++) {
        const random_joint *j = &b->joint[i];
        const double *p = j->pos, *a = j->axis, by = j->q - j->ref;
        if (kinds[b->kind][i] == 'h') {
            const frame there = frame_shift(p[0], p[1], p[2]), turn = frame_turn(a, by);
            const frame back = frame_shift(-p[0], -p[1], -p[2]);
            f = frame_of(&f, &there);
            f = frame_of(&f, &turn);
            f = frame_of(&f, &back);
        } else if (kinds[b->kind][i] == 's') {
            const frame shift = frame_shift(by * a[0], by * a[1], by * a[2]);
            f = frame_of(&f, &shift);
        }
    }
    return f;
}

/* The joint of each coordinate of the hinge. */
static void coordinates_of(const random_body *b, int joint[3])
{
    const int swapped = b->kind == SLIDE_TURN || b->kind == PLANAR_BACK;
    joint[0] = swapped ? 1 : 0;
    joint[1] = swapped ? 0 : 1;
    joint[2] = 2;
}

/* Part `number` of the chain of hinges, each of one joint. */
static void check_part(const random_body *b, int number, const rct_body *body)
{
    const random_joint *j = &b->joint[number];
    assert_int_equal(body->hinge,
                     kinds[b->kind][number] == 'h' ? RCT_HINGE_REVOLUTE : RCT_HINGE_PRISMATIC);
    assert_true(fabs(body->position[0] - j->ref) < 1e-14);
    assert_true(fabs(body->rest[0] - j->rest) < 1e-14);
    assert_true(body->stiffness[0] == j->stiffness && body->damping[0] == j->damping);
    assert_true(body->armature[0] == j->armature);
    assert_int_equal(body->mass == 0.0, number + 1 < parts_of(b->kind));
}

static void check_hinge(const random_body *b, const rct_body *body)
{
    static const rct_hinge_type hinges[KINDS] = {
        RCT_HINGE_FIXED,  RCT_HINGE_REVOLUTE,  RCT_HINGE_PRISMATIC,   RCT_HINGE_BALL,
        RCT_HINGE_FREE,   RCT_HINGE_UNIVERSAL, RCT_HINGE_CYLINDRICAL, RCT_HINGE_CYLINDRICAL,
        RCT_HINGE_PLANAR, RCT_HINGE_PLANAR,    RCT_HINGE_BALL};
    int joint[3];
    assert_int_equal(body->hinge, hinges[b->kind]);
    coordinates_of(b, joint);
    const int relative = b->kind != FIXED && !is_absolute(b->kind);
    for (int k = 0; relative && k < rct_hinge_freedoms(body->hinge); k++) {
        const random_joint *j = &b->joint[joint[k]];
        assert_true(fabs(body->position[k] - j->ref) < 1e-14);
        assert_true(fabs(body->rest[k] - j->rest) < 1e-14);
        assert_true(body->stiffness[k] == j->stiffness && body->damping[k] == j->damping);
        assert_true(body->armature[k] == j->armature);
    }
    if (b->kind == BALL || b->kind == THREE) {
        assert_true(body->damping[0] == b->joint[0].damping && body->stiffness[0] == 0.0);
    }
}

/* The hinge point in the body frame of the file: our frame is shifted there. */
static frame hinge_frame(const random_body *b)
{
    static const int pointed[KINDS] = {
        [HINGE] = 1,      [BALL] = 1,       [THREE] = 1,  [UNIVERSAL] = 1,
        [TURN_SLIDE] = 1, [SLIDE_TURN] = 2, [PLANAR] = 3, [PLANAR_BACK] = 3};
    const int last = parts_of(b->kind) - 1;
    const int which = b->kind < APART               ? pointed[b->kind]
                      : kinds[b->kind][last] == 'h' ? last + 1
                                                    : 0;
    const double *p = which > 0 ? b->joint[which - 1].pos : NULL;
    const frame to = p != NULL ? frame_shift(p[0], p[1], p[2]) : frame_none;
    return frame_of(&b->at, &to);
}

/* A lump about the origin of a frame, seen from the outer frame. */
static lump seen(const lump *own, const frame *f)
{
    lump l = {.m = own->m};
    for (int a = 0; a < 3; a++) {
        double turned[3];
        for (int i = 0; i < 3; i++) {
            turned[i] = f->r[i][0] * own->first[0] + f->r[i][1] * own->first[1] +
                        f->r[i][2] * own->first[2];
        }
        l.first[a] = turned[a] + own->m * f->t[a];
        for (int b = 0; b < 3; b++) {
            l.second[a][b] = turned[a] * f->t[b] + f->t[a] * turned[b] + own->m * f->t[a] * f->t[b];
            for (int i = 0; i < 9; i++) {
                l.second[a][b] += f->r[a][i / 3] * own->second[i / 3][i % 3] * f->r[b][i % 3];
            }
        }
    }
    return l;
}

static void check_world(world *w, const rct_model *model)
{
    double q[3 * MOST_BODIES][3] = {{0.0}}, gravity[3];
    int parts = 0;
    rct_model_gravity(model, gravity);
    assert_true(gravity[0] == 1.0 && gravity[1] == -2.0 && gravity[2] == 3.5);
    for (int i = 0; i < w->count; i++) {
        random_body *b = &w->body[i];
        char name[16];
        int joint[3];
        const frame own = moved(b);
        b->at = b->parent >= 0 ? frame_of(&w->body[b->parent].at, &own) : own;
        snprintf(name, sizeof name, "b%d", i);
        const int32_t id = rct_model_find_body(model, name);
        assert_true(id >= 0);
        coordinates_of(b, joint);
        for (int k = 0; k < 3; k++) {
            q[id][k] = b->joint[joint[k]].q;
        }
        for (int k = 0; k < parts_of(b->kind) && b->kind >= APART; k++) {
            q[id + 1 - parts_of(b->kind) + k][0] = b->joint[k].q;
        }
        parts += parts_of(b->kind);
    }
    assert_int_equal(rct_model_body_count(model), parts);
    for (int i = 0; i < w->count; i++) {
        char name[16];
        rct_body body;
        snprintf(name, sizeof name, "b%d", i);
        const int32_t id = rct_model_find_body(model, name);
        rct_model_body(model, id, &body, NULL);
        if (w->body[i].kind < APART) {
            check_hinge(&w->body[i], &body);
        }
        for (int k = 0; k < parts_of(w->body[i].kind) && w->body[i].kind >= APART; k++) {
            rct_model_body(model, id + 1 - parts_of(w->body[i].kind) + k, &body, NULL);
            check_part(&w->body[i], k, &body);
        }
        const frame f = model_frame(model, id, (const double(*)[3])q);
        const frame expected = hinge_frame(&w->body[i]);
        check_frame(&f, &expected, name);
        const lump l = model_lump(model, id, &f), mass = seen(&w->body[i].mass, &w->body[i].at);
        check_lump(&l, &mass, name);
    }
}

static void test_random_worlds(void **state)
{
    (void)state;
    uint64_t s = 28;
    static text t;
    for (int k = 0; k < 400; k++) {
        world w;
        t.size = 0;
        random_world_draw(&s, &w);
        random_world_write(&s, &t, &w);
        rct_model *model = import_text(t.at, NULL);
        check_world(&w, model);
        rct_model_free(model);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_worlds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
