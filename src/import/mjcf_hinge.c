/* MJCF: the joints of a body, which act one after the other. They become one hinge if such a
 * type exists: one joint of any type, two hinges at a point (universal), three on which nothing
 * acts (ball), a hinge and a slide along it (cylindrical), two slides and a hinge across them
 * (planar). Otherwise they become hinges of parts without mass. The coordinate of a hinge or
 * slide is `ref` where the body stands in the file. */
#include "core/rotation.h"
#include "import/mjcf.h"

#include <math.h>
#include <string.h>

static const double same =
    1e-9; /* m, of points, and of sines and cosines of axes, that count as equal */

static void set_coordinate(rct_part *part, int coordinate, rct_mjcf_joint *j)
{
    j->coordinate = coordinate;
    part->position[coordinate] = j->ref;
    part->stiffness[coordinate] = j->stiffness;
    part->rest[coordinate] = j->stiffness != 0.0 ? j->rest : 0.0;
    part->damping[coordinate] = j->damping;
    part->armature[coordinate] = j->armature;
    part->friction[coordinate] = j->friction;
}

static double distance(const double a[3], const double b[3])
{
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return rct_length(d);
}

static void make_one(rct_part *part, double point[3], rct_mjcf_joint *j)
{
    static const rct_hinge_type types[] = {RCT_HINGE_REVOLUTE, RCT_HINGE_PRISMATIC, RCT_HINGE_BALL,
                                           RCT_HINGE_FREE};
    part->hinge = types[j->type];
    if (j->type == RCT_MJCF_HINGE || j->type == RCT_MJCF_BALL) {
        memcpy(point, j->pos, sizeof j->pos);
    }
    if (j->type <= RCT_MJCF_SLIDE) {
        memcpy(part->axis, j->axis, sizeof part->axis);
        set_coordinate(part, 0, j);
    }
    part->damping[0] = j->damping;
    part->friction[0] = j->friction;
}

/* A hinge about the axis of a joint, through its point. */
static void set_hinge(rct_part *part, double point[3], rct_hinge_type hinge, rct_mjcf_joint *j)
{
    part->hinge = hinge;
    memcpy(point, j->pos, sizeof j->pos);
    memcpy(part->axis, j->axis, sizeof part->axis);
}

/* `v` turned by `angle` about `axis`. */
static void turn_vector(double v[3], const double axis[3], double angle)
{
    rct_place turned = rct_place_none();
    double out[3];
    if (angle != 0.0) {
        rct_turn_about(turned.turn, axis, angle);
        rct_place_vector(out, &turned, v);
        memcpy(v, out, sizeof out);
    }
}

/* The first joint carries the second axis along, as in a universal hinge. The file has both axes
 * at q = ref; the model has them at q = 0, before the second turn. So R1(q1 - r1) R2(q2 - r2) of
 * the file is R2(-r2) R1'(q1 - r1) R2(q2), with the first axis turned by R2(r2). */
static int make_universal(rct_part *part, double point[3], rct_mjcf_joint j[2])
{
    double cross[3];
    rct_cross(j[0].axis, j[1].axis, cross);
    if (j[0].type != RCT_MJCF_HINGE || j[1].type != RCT_MJCF_HINGE ||
        distance(j[0].pos, j[1].pos) > same || rct_length(cross) < 1e-6) {
        return 0;
    }
    set_hinge(part, point, RCT_HINGE_UNIVERSAL, &j[0]);
    memcpy(part->axis2, j[1].axis, sizeof part->axis2);
    turn_vector(part->axis, part->axis2, j[1].ref);
    set_coordinate(part, 0, &j[0]);
    set_coordinate(part, 1, &j[1]);
    return 1;
}

static int make_cylindrical(rct_part *part, double point[3], rct_mjcf_joint j[2])
{
    rct_mjcf_joint *turn = j[0].type == RCT_MJCF_HINGE ? &j[0] : &j[1];
    rct_mjcf_joint *slide = j[0].type == RCT_MJCF_HINGE ? &j[1] : &j[0];
    if (turn->type != RCT_MJCF_HINGE || slide->type != RCT_MJCF_SLIDE ||
        distance(turn->axis, slide->axis) > same) {
        return 0;
    }
    set_hinge(part, point, RCT_HINGE_CYLINDRICAL, turn);
    set_coordinate(part, 0, turn);
    set_coordinate(part, 1, slide);
    return 1;
}

/* x is the slide for which the other one is y: axis x x = y. Both are turned by `ref` of the
 * hinge, as above. */
static int make_planar(rct_part *part, double point[3], rct_mjcf_joint j[3])
{
    double across[3];
    if (j[0].type != RCT_MJCF_SLIDE || j[1].type != RCT_MJCF_SLIDE || j[2].type != RCT_MJCF_HINGE) {
        return 0;
    }
    rct_cross(j[2].axis, j[0].axis, across);
    const int in_order = distance(across, j[1].axis) < same;
    rct_cross(j[2].axis, j[1].axis, across);
    if (!in_order && distance(across, j[0].axis) >= same) {
        return 0;
    }
    rct_mjcf_joint *x = in_order ? &j[0] : &j[1], *y = in_order ? &j[1] : &j[0];
    set_hinge(part, point, RCT_HINGE_PLANAR, &j[2]);
    memcpy(part->axis2, x->axis, sizeof part->axis2);
    turn_vector(part->axis2, part->axis, j[2].ref);
    set_coordinate(part, 0, x);
    set_coordinate(part, 1, y);
    set_coordinate(part, 2, &j[2]);
    return 1;
}

/* Three turns about axes not in one plane reach every orientation, as a ball hinge does, if
 * nothing acts about those axes. */
static int make_ball(rct_part *part, double point[3], rct_mjcf_joint j[3])
{
    double cross[3];
    rct_cross(j[0].axis, j[1].axis, cross);
    for (int i = 0; i < 3; i++) {
        const int acts = j[i].stiffness != 0.0 || j[i].damping != 0.0 || j[i].armature != 0.0 ||
                         j[i].friction != 0.0;
        if (j[i].type != RCT_MJCF_HINGE || distance(j[i].pos, j[0].pos) > same || acts) {
            return 0;
        }
    }
    if (!(fabs(rct_dot(cross, j[2].axis)) > 1e-6)) {
        return 0;
    }
    part->hinge = RCT_HINGE_BALL;
    memcpy(point, j[0].pos, sizeof j[0].pos);
    return 1;
}

/* Whether all joints of a body are one hinge. */
static int make_hinge(rct_part *part, double point[3], rct_mjcf_joint *j, int count)
{
    switch (count) {
    case 0: return 1;
    case 1: make_one(part, point, j); return 1;
    case 2: return make_universal(part, point, j) || make_cylindrical(part, point, j);
    case 3: return make_planar(part, point, j) || make_ball(part, point, j);
    default: return 0;
    }
}

int rct_mjcf_is_slides(const rct_mjcf_joint *j)
{
    return j->type == RCT_MJCF_FREE &&
           (j->damping != 0.0 || j->armature != 0.0 || j->friction != 0.0);
}

/* A free joint on which something acts: slides along the axes of the ground, then a ball, each
 * with the damping and armature of the joint. The armature of the ball becomes inertia after
 * masses are scaled. */
static int make_slides(rct_part parts[RCT_MJCF_JOINTS], const rct_mjcf_joint *j,
                       const rct_place *place)
{
    for (int i = 0; i < 3; i++) {
        rct_part *p = &parts[i];
        *p = rct_part_default();
        p->hinge = RCT_HINGE_PRISMATIC;
        for (int k = 0; k < 3; k++) {
            p->axis[k] = i == k;
        }
        p->position[0] = place->at[i];
        p->place.at[i] = place->at[i];
        p->damping[0] = j->damping;
        p->armature[0] = j->armature;
        p->friction[0] = j->friction;
    }
    parts[3] = rct_part_default();
    parts[3].hinge = RCT_HINGE_BALL;
    memcpy(parts[3].place.turn, place->turn, sizeof place->turn);
    parts[3].damping[0] = j->damping;
    parts[3].friction[0] = j->friction;
    parts[3].armature[0] = j->armature;
    return 4;
}

int rct_mjcf_make_hinges(rct_part parts[RCT_MJCF_JOINTS], double point[RCT_MJCF_JOINTS][3],
                         rct_mjcf_joint joints[RCT_MJCF_JOINTS], int count, const rct_place *place)
{
    int made = count;
    memset(point, 0, RCT_MJCF_JOINTS * sizeof *point);
    parts[0] = rct_part_default();
    if (count == 1 && rct_mjcf_is_slides(&joints[0])) {
        return make_slides(parts, &joints[0], place);
    }
    if (make_hinge(&parts[0], point[0], joints, count)) {
        made = 1;
    }
    for (int i = 0; i < count && made > 1; i++) {
        parts[i] = rct_part_default();
        joints[i].link = i;
        make_one(&parts[i], point[i], &joints[i]);
    }
    parts[0].place = *place;
    rct_place_point(parts[0].place.at, place, point[0]);
    for (int i = 1; i < made; i++) { /* in the axes of the body, as all are */
        for (int k = 0; k < 3; k++) {
            parts[i].place.at[k] = point[i][k] - point[i - 1][k];
        }
    }
    return made;
}
