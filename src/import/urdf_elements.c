/* URDF: the content of a link or a joint. The joint frame is the frame of the child link and so
 * the hinge frame: nothing has to be shifted. */
#include "core/numbers.h"
#include "import/urdf.h"
#include "model/hinge_types.h"

#include <math.h>
#include <string.h>

/* The place of <origin>, which may be missing. */
static rct_place place_of(const rct_xml_element *origin)
{
    double rpy[3] = {0.0, 0.0, 0.0};
    rct_place place = rct_place_none();
    if (origin != NULL) {
        rct_source_optional(place.at, 3, origin, "xyz");
        rct_source_optional(rpy, 3, origin, "rpy");
        rct_turn_thrice(place.turn, rpy, "XYZ");
    }
    return place;
}

static rct_place read_origin(const rct_xml_element *in)
{
    const rct_xml_element *origin = rct_source_child(in, "origin");
    if (origin != NULL) {
        rct_source_check_attributes(origin, "xyz rpy");
    }
    return place_of(origin);
}

/* A required child; NULL on failure. */
static const rct_xml_element *needed(const rct_xml_element *in, const char *name)
{
    const rct_xml_element *child = rct_source_child(in, name);
    rct_source_demand(in, child != NULL, "it has no <%s>; add it", name);
    return child;
}

static void read_inertia(rct_mass *mass, const rct_xml_element *inertia)
{
    static const char *const names[6] = {"ixx", "iyy", "izz", "ixy", "ixz", "iyz"};
    rct_source_check_attributes(inertia, "ixx iyy izz ixy ixz iyz iyx izx izy");
    for (int i = 0; i < 6; i++) {
        (i < 3 ? rct_source_required : rct_source_optional)(&mass->inertia[i], 1, inertia,
                                                            names[i]);
    }
}

rct_mass rct_urdf_read_link(const rct_xml_element *link)
{
    rct_mass mass = {.mass = 0.0};
    rct_source_check_attributes(link, "name type");
    rct_source_check_children(link,
                              "inertial visual collision contact self_filter collision_checking "
                              "self_collision_checking sensor gazebo origin");
    const rct_xml_element *inertial = rct_source_child(link, "inertial");
    if (inertial == NULL) {
        return mass;
    }
    rct_source_check_children(inertial, "origin mass inertia friction");
    const rct_place place = read_origin(inertial);
    const rct_xml_element *element = needed(inertial, "mass");
    if (element != NULL) {
        rct_source_required(&mass.mass, 1, element, "value");
    }
    rct_source_demand(element, !(mass.mass < 0.0), "the mass is %g kg; it must not be negative",
                      mass.mass);
    element = needed(inertial, "inertia");
    if (element != NULL) {
        read_inertia(&mass, element);
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

static void read_type(rct_part *part, const rct_xml_element *joint)
{
    const char *type = rct_xml_value(joint, "type");
    for (size_t i = 0; type != NULL && i < sizeof types / sizeof types[0]; i++) {
        if (strcmp(type, types[i].name) == 0) {
            part->hinge = types[i].hinge;
            return;
        }
    }
    rct_source_fail(joint, type == NULL ? RCT_ERROR_MODEL : RCT_ERROR_UNSUPPORTED,
                    "the type \"%.64s\" of the joint is not known; give fixed, revolute, "
                    "continuous, prismatic, planar or floating",
                    type != NULL ? type : "");
}

static void read_axis(rct_part *part, const rct_xml_element *joint)
{
    const rct_xml_element *element = rct_source_child(joint, "axis");
    double axis[3] = {1.0, 0.0, 0.0};
    if (rct_hinge_uses(part->hinge, RCT_KEY_AXIS) == 0) {
        return;
    }
    if (element != NULL) {
        rct_source_check_attributes(element, "xyz rpy");
        rct_source_required(axis, 3, element, "xyz");
    }
    rct_source_demand(element, rct_unit(axis),
                      "the axis has length zero; give a direction, such as 0 0 1");
    memcpy(part->axis, axis, sizeof axis);
    /* planar: x of the plane is the joint's x axis projected into it, or its y axis if x is the
     * normal */
    const int other = fabs(axis[0]) > 0.9 ? 1 : 0;
    for (int i = 0; i < 3; i++) {
        part->axis2[i] = (i == other) - axis[other] * axis[i];
    }
    rct_unit(part->axis2);
}

/* <joint_properties> is the old name of <dynamics>. */
static void read_dynamics(rct_part *part, const rct_xml_element *joint)
{
    const rct_xml_element *given = rct_source_child(joint, "dynamics");
    const rct_xml_element *older = rct_source_child(joint, "joint_properties");
    const rct_xml_element *dynamics = given != NULL ? given : older;
    double damping = 0.0, friction = 0.0;
    if (dynamics == NULL) {
        return;
    }
    rct_source_check_attributes(dynamics, "damping friction D K mu_coulomb mu_viscous");
    rct_source_optional(&damping, 1, dynamics, "damping");
    rct_source_optional(&friction, 1, dynamics, "friction");
    if (part->hinge == RCT_HINGE_FIXED) {
        return;
    }
    const int damped = rct_hinge_uses(part->hinge, RCT_KEY_DAMPING) == 1;
    rct_source_demand(dynamics, !(friction < 0.0) && !(damping < 0.0),
                      "damping and friction must not be negative");
    rct_source_unsupported(dynamics, !damped && (damping != 0.0 || friction != 0.0),
                           "damping or friction of a planar or floating joint is not supported");
    part->damping[0] = damped ? damping : 0.0;
    part->friction[0] = damped ? friction : 0.0;
}

rct_part rct_urdf_read_joint(const rct_xml_element *joint)
{
    rct_part part = rct_part_default();
    rct_source_check_attributes(joint, "name type dont_collapse");
    rct_source_check_children(
        joint, "origin parent child axis dynamics mimic limit calibration safety_controller "
               "joint_properties traits controller_gains anchor");
    read_type(&part, joint);
    part.place = read_origin(joint);
    read_axis(&part, joint);
    read_dynamics(&part, joint);
    return part;
}

/* ---- shapes of links ---------------------------------------------------------------------- */

static const struct {
    const char *name;
    rct_shape_type type;
} forms[] = {
    {"box", RCT_SHAPE_BOX}, {"sphere", RCT_SHAPE_SPHERE}, {"cylinder", RCT_SHAPE_CYLINDER}};

/* Read a <visual>; 0 for a mesh. */
static int read_visual(rct_shape *shape, rct_place *place, const void *from)
{
    const rct_xml_element *visual = from;
    const rct_xml_element *geometry = rct_source_child(visual, "geometry");
    const rct_xml_element *form = geometry != NULL ? geometry->child : NULL;
    *place = place_of(rct_source_child(visual, "origin"));
    for (size_t i = 0; form != NULL && i < sizeof forms / sizeof forms[0]; i++) {
        if (rct_xml_is(form, forms[i].name)) {
            shape->type = forms[i].type;
            if (shape->type == RCT_SHAPE_BOX) {
                rct_source_required(shape->size, 3, form, "size");
            } else {
                rct_source_required(&shape->radius, 1, form, "radius");
            }
            if (shape->type == RCT_SHAPE_CYLINDER) {
                rct_source_required(&shape->length, 1, form, "length");
            }
            return 1;
        }
    }
    return 0;
}

void rct_urdf_read_visuals(rct_parts *parts, int32_t part, const rct_xml_element *link)
{
    for (const rct_xml_element *c = link->child; c != NULL; c = c->next) {
        if (rct_xml_is(c, "visual")) {
            rct_parts_append_shape(parts, rct_source_of(link), part, read_visual, c);
        }
    }
}
