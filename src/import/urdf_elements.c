/* URDF: what stands in a link or a joint. The joint frame is the frame of the child link, so it is the
 * hinge frame too: nothing has to be shifted. */
#include "import/urdf.h"
#include "model/hinge_types.h"

#include <math.h>
#include <string.h>

static rct_status read_origin(rct_source *source, rct_place *place, const rct_xml_element *in)
{
    const rct_xml_element *origin = NULL;
    double rpy[3] = {0.0, 0.0, 0.0};
    *place = rct_place_none();
    rct_status status = rct_source_child(source, &origin, in, "origin");
    if (status != RCT_OK || origin == NULL) {
        return status;
    }
    status = rct_source_check_attributes(source, origin, "xyz rpy");
    if (status == RCT_OK) {
        status = rct_source_optional(source, place->at, 3, origin, "xyz");
    }
    if (status == RCT_OK) {
        status = rct_source_optional(source, rpy, 3, origin, "rpy");
    }
    rct_turn_rpy(place->turn, rpy);
    return status;
}

/* The child that must be there. */
static rct_status needed(rct_source *source, const rct_xml_element **child,
                         const rct_xml_element *in, const char *name)
{
    rct_status status = rct_source_child(source, child, in, name);
    if (status == RCT_OK && *child == NULL) {
        status = rct_source_fail(source, in, RCT_ERROR_MODEL, "it has no <%s>; add it", name);
    }
    return status;
}

static rct_status read_inertia(rct_source *source, rct_mass *mass, const rct_xml_element *inertial)
{
    static const char *const names[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    const rct_xml_element *inertia = NULL;
    rct_status status = needed(source, &inertia, inertial, "inertia");
    if (status == RCT_OK) {
        status = rct_source_check_attributes(source, inertia, "ixx iyy izz ixy ixz iyz");
    }
    for (int i = 0; i < 6 && status == RCT_OK; i++) {
        status = i < 3 ? rct_source_required(source, &mass->inertia[i], 1, inertia, names[i])
                       : rct_source_optional(source, &mass->inertia[i], 1, inertia, names[i]);
    }
    for (int i = 0; i < 6 && status == RCT_OK && mass->mass == 0.0; i++) {
        if (mass->inertia[i] != 0.0) {
            status = rct_source_fail(source, inertia, RCT_ERROR_MODEL,
                                     "a link of mass 0 has inertia; give it a mass");
        }
    }
    return status;
}

rct_status rct_urdf_read_link(rct_source *source, rct_mass *mass, const rct_xml_element *link)
{
    const rct_xml_element *inertial = NULL, *element = NULL;
    rct_place place;
    *mass = (rct_mass){.mass = 0.0};
    rct_status status = rct_source_check_attributes(source, link, "name type");
    if (status == RCT_OK) {
        status = rct_source_check_children(source, link,
                                           "inertial visual collision contact self_filter "
                                           "collision_checking self_collision_checking");
    }
    if (status == RCT_OK) {
        status = rct_source_child(source, &inertial, link, "inertial");
    }
    if (status != RCT_OK || inertial == NULL) {
        return status;
    }
    status = rct_source_check_children(source, inertial, "origin mass inertia");
    if (status == RCT_OK) {
        status = read_origin(source, &place, inertial);
    }
    if (status == RCT_OK) {
        status = needed(source, &element, inertial, "mass");
    }
    if (status == RCT_OK) {
        status = rct_source_required(source, &mass->mass, 1, element, "value");
    }
    if (status == RCT_OK && mass->mass < 0.0) {
        status = rct_source_fail(source, element, RCT_ERROR_MODEL,
                                 "the mass is %g kg; it must not be negative", mass->mass);
    }
    if (status == RCT_OK) {
        status = read_inertia(source, mass, inertial);
    }
    if (status == RCT_OK) {
        rct_mass_move(mass, &place);
    }
    return status;
}

static const struct {
    const char *name;
    rct_hinge_type hinge;
} types[] = {{"fixed", RCT_HINGE_FIXED},         {"revolute", RCT_HINGE_REVOLUTE},
             {"continuous", RCT_HINGE_REVOLUTE}, {"prismatic", RCT_HINGE_PRISMATIC},
             {"planar", RCT_HINGE_PLANAR},       {"floating", RCT_HINGE_FREE}};

static rct_status read_type(rct_source *source, rct_part *part, const rct_xml_element *joint)
{
    const char *type = rct_xml_value(joint, "type");
    for (size_t i = 0; type != NULL && i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(type, types[i].name) == 0) {
            part->hinge = types[i].hinge;
            return RCT_OK;
        }
    }
    return rct_source_fail(source, joint, type == NULL ? RCT_ERROR_MODEL : RCT_ERROR_UNSUPPORTED,
                           "the type \"%.64s\" of the joint is not known; give fixed, revolute, "
                           "continuous, prismatic, planar or floating",
                           type != NULL ? type : "");
}

static rct_status read_axis(rct_source *source, rct_part *part, const rct_xml_element *joint)
{
    const rct_xml_element *element = NULL;
    double axis[3] = {1.0, 0.0, 0.0};
    rct_status status = rct_source_child(source, &element, joint, "axis");
    if (status != RCT_OK || rct_hinge_uses(part->hinge, RCT_KEY_AXIS) == 0) {
        return status;
    }
    if (element != NULL) {
        status = rct_source_check_attributes(source, element, "xyz");
    }
    if (status == RCT_OK && element != NULL) {
        status = rct_source_required(source, axis, 3, element, "xyz");
    }
    if (status == RCT_OK && !rct_unit(axis)) {
        status = rct_source_fail(source, element, RCT_ERROR_MODEL,
                                 "the axis has length zero; give a direction, as 0 0 1");
    }
    memcpy(part->axis, axis, sizeof axis);
    /* planar: x of the plane is the joint's x axis laid into it, or its y axis where that is the normal */
    const int other = fabs(axis[0]) > 0.9 ? 1 : 0;
    for (int i = 0; i < 3; i++) {
        part->axis2[i] = (i == other) - axis[other] * axis[i];
    }
    rct_unit(part->axis2);
    return status;
}

static rct_status read_dynamics(rct_source *source, rct_part *part, const rct_xml_element *joint)
{
    const rct_xml_element *dynamics = NULL;
    double damping = 0.0, friction = 0.0;
    rct_status status = rct_source_child(source, &dynamics, joint, "dynamics");
    if (status != RCT_OK || dynamics == NULL) {
        return status;
    }
    status = rct_source_check_attributes(source, dynamics, "damping friction");
    if (status == RCT_OK) {
        status = rct_source_optional(source, &damping, 1, dynamics, "damping");
    }
    if (status == RCT_OK) {
        status = rct_source_optional(source, &friction, 1, dynamics, "friction");
    }
    if (status == RCT_OK && part->hinge == RCT_HINGE_FIXED) {
        return RCT_OK;
    }
    if (status == RCT_OK && friction != 0.0) {
        status = rct_source_unsupported(source, dynamics, "dry friction (%g) is not supported",
                                        friction);
    }
    const int one = rct_hinge_uses(part->hinge, RCT_KEY_DAMPING) == 1;
    if (status == RCT_OK && damping != 0.0 && !one) {
        return rct_source_unsupported(source, dynamics,
                                      "damping of a planar or floating joint is not supported");
    }
    part->damping[0] = damping;
    return status;
}

rct_status rct_urdf_read_joint(rct_source *source, rct_part *part, const rct_xml_element *joint)
{
    *part = rct_part_default();
    rct_status status = rct_source_check_attributes(source, joint, "name type dont_collapse");
    if (status == RCT_OK) {
        status = rct_source_check_children(
            source, joint, "origin parent child axis dynamics limit calibration safety_controller");
    }
    if (status == RCT_OK) {
        status = read_type(source, part, joint);
    }
    if (status == RCT_OK) {
        status = read_origin(source, &part->place, joint);
    }
    if (status == RCT_OK) {
        status = read_axis(source, part, joint);
    }
    if (status == RCT_OK) {
        status = read_dynamics(source, part, joint);
    }
    return status;
}
