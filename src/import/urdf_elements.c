/* URDF: what stands in a link or a joint. The joint frame is the frame of the child link, so it is the
 * hinge frame too: nothing has to be shifted. */
#include "core/numbers.h"
#include "import/urdf.h"
#include "model/hinge_types.h"

#include <math.h>
#include <string.h>

static rct_place read_origin(rct_source *source, const rct_xml_element *in)
{
    const rct_xml_element *origin = rct_source_child(source, in, "origin");
    double rpy[3] = {0.0, 0.0, 0.0};
    rct_place place = rct_place_none();
    if (origin != NULL) {
        rct_source_check_attributes(source, origin, "xyz rpy");
        rct_source_optional(source, place.at, 3, origin, "xyz");
        rct_source_optional(source, rpy, 3, origin, "rpy");
        rct_turn_thrice(place.turn, rpy, "XYZ");
    }
    return place;
}

/* The child that must be there; NULL on failure. */
static const rct_xml_element *needed(rct_source *source, const rct_xml_element *in,
                                     const char *name)
{
    const rct_xml_element *child = rct_source_child(source, in, name);
    if (child == NULL) {
        rct_source_fail(source, in, RCT_ERROR_MODEL, "it has no <%s>; add it", name);
    }
    return child;
}

static void read_inertia(rct_source *source, rct_mass *mass, const rct_xml_element *inertia)
{
    static const char *const names[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    rct_source_check_attributes(source, inertia, "ixx iyy izz ixy ixz iyz");
    for (int i = 0; i < 6; i++) {
        if (i < 3) {
            rct_source_required(source, &mass->inertia[i], 1, inertia, names[i]);
        } else {
            rct_source_optional(source, &mass->inertia[i], 1, inertia, names[i]);
        }
    }
    if (mass->mass == 0.0 && !rct_all_zero(mass->inertia, 6)) {
        rct_source_fail(source, inertia, RCT_ERROR_MODEL,
                        "a link of mass 0 has inertia; give it a mass");
    }
}

rct_mass rct_urdf_read_link(rct_source *source, const rct_xml_element *link)
{
    rct_mass mass = {.mass = 0.0};
    rct_source_check_attributes(source, link, "name type");
    rct_source_check_children(source, link,
                              "inertial visual collision contact self_filter collision_checking "
                              "self_collision_checking");
    const rct_xml_element *inertial = rct_source_child(source, link, "inertial");
    if (inertial == NULL) {
        return mass;
    }
    rct_source_check_children(source, inertial, "origin mass inertia");
    const rct_place place = read_origin(source, inertial);
    const rct_xml_element *element = needed(source, inertial, "mass");
    if (element != NULL) {
        rct_source_required(source, &mass.mass, 1, element, "value");
    }
    if (mass.mass < 0.0) {
        rct_source_fail(source, element, RCT_ERROR_MODEL,
                        "the mass is %g kg; it must not be negative", mass.mass);
    }
    element = needed(source, inertial, "inertia");
    if (element != NULL) {
        read_inertia(source, &mass, element);
    }
    rct_mass_move(&mass, &place);
    return mass;
}

static const struct {
    const char *name;
    rct_hinge_type hinge;
} types[] = {{"fixed", RCT_HINGE_FIXED},         {"revolute", RCT_HINGE_REVOLUTE},
             {"continuous", RCT_HINGE_REVOLUTE}, {"prismatic", RCT_HINGE_PRISMATIC},
             {"planar", RCT_HINGE_PLANAR},       {"floating", RCT_HINGE_FREE}};

static void read_type(rct_source *source, rct_part *part, const rct_xml_element *joint)
{
    const char *type = rct_xml_value(joint, "type");
    for (size_t i = 0; type != NULL && i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(type, types[i].name) == 0) {
            part->hinge = types[i].hinge;
            return;
        }
    }
    rct_source_fail(source, joint, type == NULL ? RCT_ERROR_MODEL : RCT_ERROR_UNSUPPORTED,
                    "the type \"%.64s\" of the joint is not known; give fixed, revolute, "
                    "continuous, prismatic, planar or floating",
                    type != NULL ? type : "");
}

static void read_axis(rct_source *source, rct_part *part, const rct_xml_element *joint)
{
    const rct_xml_element *element = rct_source_child(source, joint, "axis");
    double axis[3] = {1.0, 0.0, 0.0};
    if (rct_hinge_uses(part->hinge, RCT_KEY_AXIS) == 0) {
        return;
    }
    if (element != NULL) {
        rct_source_check_attributes(source, element, "xyz");
        rct_source_required(source, axis, 3, element, "xyz");
    }
    if (!rct_unit(axis)) {
        rct_source_fail(source, element, RCT_ERROR_MODEL,
                        "the axis has length zero; give a direction, as 0 0 1");
    }
    memcpy(part->axis, axis, sizeof axis);
    /* planar: x of the plane is the joint's x axis laid into it, or its y axis where that is the normal */
    const int other = fabs(axis[0]) > 0.9 ? 1 : 0;
    for (int i = 0; i < 3; i++) {
        part->axis2[i] = (i == other) - axis[other] * axis[i];
    }
    rct_unit(part->axis2);
}

static void read_dynamics(rct_source *source, rct_part *part, const rct_xml_element *joint)
{
    const rct_xml_element *dynamics = rct_source_child(source, joint, "dynamics");
    double damping = 0.0, friction = 0.0;
    if (dynamics == NULL) {
        return;
    }
    rct_source_check_attributes(source, dynamics, "damping friction");
    rct_source_optional(source, &damping, 1, dynamics, "damping");
    rct_source_optional(source, &friction, 1, dynamics, "friction");
    if (part->hinge == RCT_HINGE_FIXED) {
        return;
    }
    if (friction != 0.0) {
        rct_source_unsupported(source, dynamics, "dry friction (%g) is not supported", friction);
    }
    if (rct_hinge_uses(part->hinge, RCT_KEY_DAMPING) == 1) {
        part->damping[0] = damping;
    } else if (damping != 0.0) {
        rct_source_unsupported(source, dynamics,
                               "damping of a planar or floating joint is not supported");
    }
}

rct_part rct_urdf_read_joint(rct_source *source, const rct_xml_element *joint)
{
    rct_part part = rct_part_default();
    rct_source_check_attributes(source, joint, "name type dont_collapse");
    rct_source_check_children(
        source, joint, "origin parent child axis dynamics limit calibration safety_controller");
    read_type(source, &part, joint);
    part.place = read_origin(source, joint);
    read_axis(source, &part, joint);
    read_dynamics(source, &part, joint);
    return part;
}
