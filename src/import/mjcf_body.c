/* MJCF: the tree of bodies. A body of ours has its origin at its hinge point, which in the file may be
 * anywhere: everything in the body is shifted by it. */
#include "import/mjcf.h"

#include <string.h>

/* What a body passes on to those in it. */
typedef struct above {
    int32_t part;    /* RCT_GROUND: the world                                    */
    double point[3]; /* its hinge point in its frame of the file                */
    int32_t class;   /* of what names none                                      */
    int fixed;       /* it does not move: masses in it have no meaning          */
} above;

static rct_mass read_inertial(const rct_mjcf *mjcf, const rct_xml_element *element)
{
    const rct_mjcf_item item = {mjcf, element, -1};
    const int full = rct_xml_value(element, "fullinertia") != NULL;
    rct_mass mass = {.mass = 0.0};
    double unused[3];
    rct_source_check_attributes(
        element, "pos quat axisangle euler xyaxes zaxis mass diaginertia fullinertia");
    rct_source_required(unused, 3, element, "pos");
    const rct_place place = rct_mjcf_place(&item);
    rct_source_required(&mass.mass, 1, element, "mass");
    rct_source_demand(element, !full || rct_xml_value(element, "diaginertia") == NULL,
                      "diaginertia and fullinertia are given; keep one");
    rct_source_demand(element, !full || !rct_mjcf_is_turned(element),
                      "fullinertia is in the axes of the body; remove the orientation");
    rct_source_required(mass.inertia, full ? 6 : 3, element, full ? "fullinertia" : "diaginertia");
    rct_source_demand(element, mass.mass > 0.0, "the mass is %g kg; it must be positive",
                      mass.mass);
    rct_mass_move(&mass, &place);
    return mass;
}

/* Of what does not move only a mass that is given counts: shapes of the scenery need not be known. */
static rct_mass read_mass(const rct_mjcf *mjcf, const rct_xml_element *body, const above *own)
{
    rct_mass mass = {.mass = 0.0};
    const rct_xml_element *inertial = rct_source_child(body, "inertial");
    if (inertial != NULL) {
        mass = read_inertial(mjcf, inertial);
    }
    const int from_geoms = mjcf->inertia == RCT_MJCF_FROM_GEOMS ||
                           (mjcf->inertia == RCT_MJCF_IF_NONE_GIVEN && inertial == NULL);
    return from_geoms && !own->fixed ? rct_mjcf_mass_of_geoms(mjcf, body, own->class) : mass;
}

static void check_body(const rct_mjcf *mjcf, const rct_xml_element *body)
{
    const rct_mjcf_item item = {mjcf, body, -1};
    rct_source_check_attributes(
        body, "name childclass mocap pos quat axisangle euler xyaxes zaxis gravcomp sleep user");
    rct_source_check_children(body, "inertial joint freejoint geom body site camera light");
    rct_mjcf_zero(&item, "gravcomp");
    const char *mocap = rct_xml_value(body, "mocap");
    rct_source_unsupported(body, mocap != NULL && strcmp(mocap, "false") != 0,
                           "motion from outside (mocap) is not supported");
}

/* The part of the body itself; what it passes on. */
static above read_part(const rct_mjcf *mjcf, const above *parent, const rct_xml_element *body)
{
    const rct_mjcf_item item = {mjcf, body, -1};
    above own = {.part = mjcf->parts->count};
    rct_part part = rct_part_default();
    part.element = body;
    part.parent = parent->part;
    check_body(mjcf, body);
    own.class = rct_mjcf_find_class(mjcf, body, "childclass", parent->class);
    part.place = rct_mjcf_place(&item);
    rct_mjcf_hinge(mjcf, &part, own.point, body, own.class);
    own.fixed = parent->fixed && part.hinge == RCT_HINGE_FIXED;
    part.mass = read_mass(mjcf, body, &own);
    double at[3];
    rct_place_point(at, &part.place, own.point);
    for (int i = 0; i < 3; i++) {
        part.place.at[i] = at[i] - parent->point[i];
        part.mass.com[i] -= part.mass.mass > 0.0 ? own.point[i] : 0.0;
    }
    rct_parts_append(mjcf->parts, &part);
    rct_mjcf_read_shapes(mjcf, own.part, own.point, body, own.class);
    return own;
}

/* As deep as elements may stand within each other. */
static void read_bodies(const rct_mjcf *mjcf, const above *parent, const rct_xml_element *element)
{
    for (const rct_xml_element *c = element->child; c != NULL && mjcf->source->status == RCT_OK;
         c = c->next) {
        if (rct_xml_is(c, "body")) {
            const above own = read_part(mjcf, parent, c);
            read_bodies(mjcf, &own, c);
        }
    }
}

void rct_mjcf_read_world(const rct_mjcf *mjcf, const rct_xml_element *world)
{
    const above ground = {.part = RCT_GROUND, .class = mjcf->main, .fixed = 1};
    rct_source_check_children(world, "body geom site camera light");
    read_bodies(mjcf, &ground, world);
}
