/* MJCF: the joints of a body, read one by one. */
#include "import/mjcf.h"

#include <string.h>

const char rct_mjcf_joint_attributes[] =
    "name class type group pos axis springdamper limited actuatorfrclimited solreflimit "
    "solimplimit solreffriction solimpfriction stiffness range actuatorfrcrange actuatorgravcomp "
    "margin ref springref armature damping frictionloss user align";

static rct_mjcf_joint_type read_type(const rct_mjcf_item *item)
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
    return type != NULL && i < 4 ? (rct_mjcf_joint_type)i : RCT_MJCF_HINGE;
}

/* Refuse an unsupported number if it acts, and set it to 0. */
static void refuse(const rct_mjcf_item *item, double *number, const char *what)
{
    rct_source_unsupported(item->element, *number != 0.0, "%s is not supported", what);
    *number = 0.0;
}

/* Ball and free joints have no stiffness, ball joints no armature; a body aligned with its
 * inertia is damped about the centre of mass. */
static void check_forces(rct_mjcf_joint *j, const rct_mjcf_item *item)
{
    double pair[2] = {0.0, 0.0};
    rct_mjcf_numbers(pair, 2, item, "springdamper");
    rct_source_unsupported(item->element, pair[0] != 0.0 || pair[1] != 0.0,
                           "springdamper is not supported; give stiffness and damping");
    rct_source_demand(item->element,
                      j->stiffness >= 0.0 && j->damping >= 0.0 && j->armature >= 0.0 &&
                          j->friction >= 0.0,
                      "stiffness, damping, armature and frictionloss must not be negative");
    if (j->type > RCT_MJCF_SLIDE) {
        refuse(item, &j->stiffness, "stiffness of a ball or free joint");
    }
    rct_source_unsupported(item->element,
                           j->type == RCT_MJCF_FREE && item->mjcf->aligns_free &&
                               (j->damping != 0.0 || j->armature != 0.0),
                           "damping or armature of a free joint with alignfree is not supported");
    if (j->type == RCT_MJCF_BALL) {
        refuse(item, &j->armature, "armature of a ball joint");
    }
}

/* Move the joint from its frame into the body. */
static void put_in_frame(rct_mjcf_joint *j)
{
    const rct_place none = rct_place_none();
    const rct_place frame = rct_mjcf_in_frame(j->element, &none);
    double pos[3], axis[3];
    if (j->element->mark != NULL) {
        rct_place_point(pos, &frame, j->pos);
        rct_place_vector(axis, &frame, j->axis);
        memcpy(j->pos, pos, sizeof pos);
        memcpy(j->axis, axis, sizeof axis);
    }
}

static rct_mjcf_joint read_joint(const rct_mjcf_item *item)
{
    rct_mjcf_joint j = {.element = item->element, .axis = {0.0, 0.0, 1.0}, .coordinate = -1};
    rct_source_check_attributes(item->element, rct_mjcf_joint_attributes);
    j.type = read_type(item);
    rct_mjcf_numbers(j.pos, 3, item, "pos");
    rct_mjcf_numbers(j.axis, 3, item, "axis");
    rct_mjcf_numbers(&j.stiffness, 1, item, "stiffness");
    rct_mjcf_numbers(&j.damping, 1, item, "damping");
    rct_mjcf_numbers(&j.rest, 1, item, "springref");
    rct_mjcf_numbers(&j.armature, 1, item, "armature");
    rct_mjcf_numbers(&j.friction, 1, item, "frictionloss");
    rct_mjcf_numbers(&j.ref, 1, item, "ref");
    check_forces(&j, item);
    j.friction = rct_mjcf_constrains(item->mjcf, RCT_MJCF_FRICTION) ? j.friction : 0.0;
    rct_source_demand(item->element, j.type > RCT_MJCF_SLIDE || rct_unit(j.axis),
                      "the axis has length zero; give a direction, such as 0 0 1");
    j.rest *= j.type == RCT_MJCF_HINGE ? item->mjcf->angle : 1.0;
    j.ref *= j.type == RCT_MJCF_HINGE ? item->mjcf->angle : 1.0;
    put_in_frame(&j);
    return j;
}

int rct_mjcf_read_joints(const rct_mjcf *mjcf, rct_mjcf_joint joints[RCT_MJCF_JOINTS],
                         const rct_xml_element *body, int32_t class)
{
    int count = 0;
    for (const rct_xml_element *c = body->child; c != NULL; c = c->next) {
        rct_mjcf_item item = {mjcf, c, -1, RCT_MJCF_OTHER};
        if (rct_xml_is(c, "joint")) {
            item = rct_mjcf_item_of(mjcf, c, class, RCT_MJCF_JOINT);
        } else if (!rct_xml_is(c, "freejoint")) {
            continue;
        }
        if (rct_source_demand(c, count < RCT_MJCF_JOINTS,
                              "its body has more than %d joints; distribute them over more bodies",
                              RCT_MJCF_JOINTS)) {
            joints[count++] = read_joint(&item);
        }
    }
    return count;
}
