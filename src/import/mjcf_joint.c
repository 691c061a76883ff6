/* MJCF: the joints of a body, which act one after the other, as one hinge: one joint of any type, two
 * hinges at a point (universal), three (ball), a hinge and a slide along it (cylindrical), two slides and a
 * hinge across them (planar). The coordinate of a hinge or slide is `ref` where the body stands as the file has it. */
#include "core/rotation.h"
#include "import/mjcf.h"

#include <math.h>
#include <string.h>

const char rct_mjcf_joint_attributes[] =
    "name class type group pos axis springdamper limited actuatorfrclimited solreflimit "
    "solimplimit solreffriction solimpfriction stiffness range actuatorfrcrange actuatorgravcomp "
    "margin ref springref armature damping frictionloss user align";

enum { MOST_JOINTS = 3 };

static const double same =
    1e-9; /* m, of points, and of sines and cosines of axes, that count as equal */

typedef enum joint_type { HINGE, SLIDE, BALL, FREE } joint_type;

typedef struct joint {
    const rct_xml_element *element;
    joint_type type;
    double pos[3], axis[3];
    double stiffness, rest, damping, armature, ref;
} joint;

static joint_type read_type(const rct_mjcf_item *item)
{
    static const char *const names[] = {"hinge", "slide", "ball", "free"};
    const rct_xml_element *at = item->element;
    const int free_joint = rct_xml_is(item->element, "freejoint");
    const char *type = free_joint ? "free" : rct_mjcf_value(item, "type", &at);
    int i = 0;
    while (type != NULL && i < 4 && strcmp(type, names[i]) != 0) {
        i++;
    }
    rct_source_demand(at, i < 4, "the type \"%.64s\" is not known; give hinge, slide, ball or free",
                      type != NULL ? type : "");
    return i < 4 ? (joint_type)i : HINGE;
}

/* What is not supported, if `number` says that it acts, which it does not any more. */
static void refuse(const rct_mjcf_item *item, double *number, const char *what)
{
    rct_source_unsupported(item->element, *number != 0.0, "%s is not supported", what);
    *number = 0.0;
}

/* Ball joints have damping only, free ones nothing. */
static void check_forces(joint *j, const rct_mjcf_item *item)
{
    double pair[2] = {0.0, 0.0};
    rct_mjcf_zero(item, "frictionloss");
    rct_mjcf_numbers(pair, 2, item, "springdamper");
    rct_source_unsupported(item->element, pair[0] != 0.0 || pair[1] != 0.0,
                           "springdamper is not supported; give stiffness and damping");
    rct_source_demand(item->element, j->stiffness >= 0.0 && j->damping >= 0.0 && j->armature >= 0.0,
                      "stiffness, damping and armature must not be negative");
    if (j->type > SLIDE) {
        refuse(item, &j->stiffness, "stiffness of a ball or free joint");
        refuse(item, &j->armature, "armature of a ball or free joint");
    }
    if (j->type == FREE) {
        refuse(item, &j->damping, "damping of a free joint");
    }
}

static joint read_joint(const rct_mjcf_item *item)
{
    joint j = {.element = item->element, .axis = {0.0, 0.0, 1.0}};
    rct_source_check_attributes(item->element, rct_mjcf_joint_attributes);
    j.type = read_type(item);
    rct_mjcf_numbers(j.pos, 3, item, "pos");
    rct_mjcf_numbers(j.axis, 3, item, "axis");
    rct_mjcf_numbers(&j.stiffness, 1, item, "stiffness");
    rct_mjcf_numbers(&j.damping, 1, item, "damping");
    rct_mjcf_numbers(&j.rest, 1, item, "springref");
    rct_mjcf_numbers(&j.armature, 1, item, "armature");
    rct_mjcf_numbers(&j.ref, 1, item, "ref");
    check_forces(&j, item);
    rct_source_demand(item->element, j.type > SLIDE || rct_unit(j.axis),
                      "the axis has length zero; give a direction, as 0 0 1");
    j.rest *= j.type == HINGE ? item->mjcf->angle : 1.0;
    j.ref *= j.type == HINGE ? item->mjcf->angle : 1.0;
    return j;
}

static void set_coordinate(rct_part *part, int coordinate, const joint *j)
{
    part->position[coordinate] = j->ref;
    part->stiffness[coordinate] = j->stiffness;
    part->rest[coordinate] = j->stiffness != 0.0 ? j->rest : 0.0;
    part->damping[coordinate] = j->damping;
    part->armature[coordinate] = j->armature;
}

static double distance(const double a[3], const double b[3])
{
    const double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return rct_length(d);
}

static void make_one(rct_part *part, double point[3], const joint *j)
{
    static const rct_hinge_type types[] = {RCT_HINGE_REVOLUTE, RCT_HINGE_PRISMATIC, RCT_HINGE_BALL,
                                           RCT_HINGE_FREE};
    part->hinge = types[j->type];
    if (j->type == HINGE || j->type == BALL) {
        memcpy(point, j->pos, sizeof j->pos);
    }
    if (j->type <= SLIDE) {
        memcpy(part->axis, j->axis, sizeof part->axis);
        set_coordinate(part, 0, j);
    }
    part->damping[0] = j->damping;
}

/* A hinge about the axis of a joint, through its point. */
static void set_hinge(rct_part *part, double point[3], rct_hinge_type hinge, const joint *j)
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

/* The second axis is taken along by the first joint, as that of a universal hinge is. The file has both axes
 * as they are at q = ref, the model at q = 0, where the second turn has yet to take the body there: what the
 * file calls R1(q1 - r1) R2(q2 - r2) is R2(-r2) R1'(q1 - r1) R2(q2), with the first axis turned by R2(r2). */
static int make_universal(rct_part *part, double point[3], const joint j[2])
{
    double cross[3];
    rct_cross(j[0].axis, j[1].axis, cross);
    if (j[0].type != HINGE || j[1].type != HINGE || distance(j[0].pos, j[1].pos) > same ||
        rct_length(cross) < 1e-6) {
        return 0;
    }
    set_hinge(part, point, RCT_HINGE_UNIVERSAL, &j[0]);
    memcpy(part->axis2, j[1].axis, sizeof part->axis2);
    turn_vector(part->axis, part->axis2, j[1].ref);
    set_coordinate(part, 0, &j[0]);
    set_coordinate(part, 1, &j[1]);
    return 1;
}

static int make_cylindrical(rct_part *part, double point[3], const joint j[2])
{
    const joint *turn = j[0].type == HINGE ? &j[0] : &j[1];
    const joint *slide = j[0].type == HINGE ? &j[1] : &j[0];
    if (turn->type != HINGE || slide->type != SLIDE || distance(turn->axis, slide->axis) > same) {
        return 0;
    }
    set_hinge(part, point, RCT_HINGE_CYLINDRICAL, turn);
    set_coordinate(part, 0, turn);
    set_coordinate(part, 1, slide);
    return 1;
}

/* x is the slide that makes the other one y: axis x x = y. Both are turned by `ref` of the hinge, as above. */
static int make_planar(rct_part *part, double point[3], const joint j[3])
{
    double across[3];
    if (j[0].type != SLIDE || j[1].type != SLIDE || j[2].type != HINGE) {
        return 0;
    }
    rct_cross(j[2].axis, j[0].axis, across);
    const int in_order = distance(across, j[1].axis) < same;
    rct_cross(j[2].axis, j[1].axis, across);
    if (!in_order && distance(across, j[0].axis) >= same) {
        return 0;
    }
    const joint *x = in_order ? &j[0] : &j[1], *y = in_order ? &j[1] : &j[0];
    set_hinge(part, point, RCT_HINGE_PLANAR, &j[2]);
    memcpy(part->axis2, x->axis, sizeof part->axis2);
    turn_vector(part->axis2, part->axis, j[2].ref);
    set_coordinate(part, 0, x);
    set_coordinate(part, 1, y);
    set_coordinate(part, 2, &j[2]);
    return 1;
}

/* Three turns about axes that are not in one plane lead anywhere, as a ball hinge does. */
static int make_ball(rct_part *part, double point[3], const joint j[3])
{
    double cross[3];
    rct_cross(j[0].axis, j[1].axis, cross);
    for (int i = 0; i < 3; i++) {
        if (j[i].type != HINGE || distance(j[i].pos, j[0].pos) > same) {
            return 0;
        }
    }
    part->hinge = RCT_HINGE_BALL;
    memcpy(point, j[0].pos, sizeof j[0].pos);
    return fabs(rct_dot(cross, j[2].axis)) > 1e-6;
}

static int make_hinge(rct_part *part, double point[3], const joint *j, int count)
{
    switch (count) {
    case 0: return 1;
    case 1: make_one(part, point, j); return 1;
    case 2: return make_universal(part, point, j) || make_cylindrical(part, point, j);
    case 3: return make_planar(part, point, j) || make_ball(part, point, j);
    default: return 0;
    }
}

/* The joints of a body, in order; how many there are, of which those beyond MOST_JOINTS are read and counted. */
static int read_joints(const rct_mjcf *mjcf, joint joints[MOST_JOINTS], const rct_xml_element *body,
                       int32_t class)
{
    int count = 0;
    for (const rct_xml_element *c = body->child; c != NULL; c = c->next) {
        rct_mjcf_item item = {mjcf, c, -1};
        if (rct_xml_is(c, "joint")) {
            item = rct_mjcf_item_of(mjcf, c, class);
        } else if (!rct_xml_is(c, "freejoint")) {
            continue;
        }
        const joint j = read_joint(&item);
        if (count < MOST_JOINTS) {
            joints[count] = j;
        }
        count++;
    }
    return count;
}

/* Their moments are about axes that turn with the body, one after the other. */
static void check_three(const joint joints[3])
{
    for (int i = 0; i < 3; i++) {
        const joint *j = &joints[i];
        rct_source_unsupported(
            j->element, j->stiffness != 0.0 || j->damping != 0.0 || j->armature != 0.0,
            "stiffness, damping and armature of three hinges at a point are not supported");
    }
}

void rct_mjcf_hinge(const rct_mjcf *mjcf, rct_part *part, double point[3],
                    const rct_xml_element *body, int32_t class)
{
    joint joints[MOST_JOINTS];
    const int count = read_joints(mjcf, joints, body, class);
    if (mjcf->source->status != RCT_OK) {
        return;
    }
    if (!make_hinge(part, point, joints, count)) {
        rct_source_fail(body, RCT_ERROR_UNSUPPORTED,
                        "its %d joints together are no hinge that is supported: two or three "
                        "hinges at a point, a hinge and a slide along it, two slides and a hinge "
                        "across them; use a ball joint or bodies with mass between",
                        count);
    }
    if (part->hinge == RCT_HINGE_BALL && count == 3) {
        check_three(joints);
    }
}
