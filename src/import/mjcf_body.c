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

static rct_status read_inertial(const rct_mjcf *mjcf, rct_mass *mass,
                                const rct_xml_element *element)
{
    rct_source *source = mjcf->source;
    const rct_mjcf_item item = {element, -1};
    const int full = rct_xml_value(element, "fullinertia") != NULL;
    rct_place place;
    double unused[3];
    rct_status status = rct_source_check_attributes(
        source, element, "pos quat axisangle euler xyaxes zaxis mass diaginertia fullinertia");
    if (status == RCT_OK) {
        status = rct_source_required(source, unused, 3, element, "pos");
    }
    if (status == RCT_OK) {
        status = rct_mjcf_place(mjcf, &place, &item);
    }
    if (status == RCT_OK) {
        status = rct_source_required(source, &mass->mass, 1, element, "mass");
    }
    if (status == RCT_OK && full && rct_xml_value(element, "diaginertia") != NULL) {
        status = rct_source_fail(source, element, RCT_ERROR_MODEL,
                                 "diaginertia and fullinertia are given; keep one");
    }
    if (status == RCT_OK && full && rct_mjcf_is_turned(element)) {
        status = rct_source_fail(source, element, RCT_ERROR_MODEL,
                                 "fullinertia is in the axes of the body; remove the orientation");
    }
    if (status == RCT_OK) {
        status = full ? rct_source_required(source, mass->inertia, 6, element, "fullinertia")
                      : rct_source_required(source, mass->inertia, 3, element, "diaginertia");
    }
    if (status == RCT_OK && !(mass->mass > 0.0)) {
        status = rct_source_fail(source, element, RCT_ERROR_MODEL,
                                 "the mass is %g kg; it must be positive", mass->mass);
    }
    if (status == RCT_OK) {
        rct_mass_move(mass, &place);
    }
    return status;
}

/* Of what does not move only a mass that is given counts: shapes of the scenery need not be known. */
static rct_status read_mass(const rct_mjcf *mjcf, rct_mass *mass, const rct_xml_element *body,
                            const above *own)
{
    const rct_xml_element *inertial = NULL;
    rct_status status = rct_source_child(mjcf->source, &inertial, body, "inertial");
    if (status == RCT_OK && inertial != NULL) {
        status = read_inertial(mjcf, mass, inertial);
    }
    const int from_geoms = mjcf->inertia == RCT_MJCF_FROM_GEOMS ||
                           (mjcf->inertia == RCT_MJCF_IF_NONE_GIVEN && inertial == NULL);
    if (status == RCT_OK && from_geoms && !own->fixed) {
        *mass = (rct_mass){.mass = 0.0};
        status = rct_mjcf_mass_of_geoms(mjcf, mass, body, own->class);
    }
    return status;
}

static rct_status check_body(const rct_mjcf *mjcf, const rct_xml_element *body)
{
    rct_source *source = mjcf->source;
    const rct_mjcf_item item = {body, -1};
    rct_status status = rct_source_check_attributes(
        source, body,
        "name childclass mocap pos quat axisangle euler xyaxes zaxis gravcomp sleep user");
    if (status == RCT_OK) {
        status = rct_source_check_children(source, body,
                                           "inertial joint freejoint geom body site camera light");
    }
    if (status == RCT_OK) {
        status = rct_mjcf_zero(mjcf, &item, "gravcomp");
    }
    const char *mocap = rct_xml_value(body, "mocap");
    if (status == RCT_OK && mocap != NULL && strcmp(mocap, "false") != 0) {
        status =
            rct_source_unsupported(source, body, "motion from outside (mocap) is not supported");
    }
    return status;
}

/* The part of the body itself; `own` becomes what it passes on. */
static rct_status read_part(const rct_mjcf *mjcf, above *own, const above *parent,
                            const rct_xml_element *body)
{
    const rct_mjcf_item item = {body, -1};
    rct_part part = rct_part_default();
    part.element = body;
    part.parent = parent->part;
    *own = (above){.part = mjcf->parts->count};
    rct_status status = check_body(mjcf, body);
    if (status == RCT_OK) {
        status = rct_mjcf_find_class(mjcf, &own->class, body, "childclass", parent->class);
    }
    if (status == RCT_OK) {
        status = rct_mjcf_place(mjcf, &part.place, &item);
    }
    if (status == RCT_OK) {
        status = rct_mjcf_hinge(mjcf, &part, own->point, body, own->class);
    }
    own->fixed = parent->fixed && part.hinge == RCT_HINGE_FIXED;
    if (status == RCT_OK) {
        status = read_mass(mjcf, &part.mass, body, own);
    }
    double at[3];
    rct_place_point(at, &part.place, own->point);
    for (int i = 0; i < 3; i++) {
        part.place.at[i] = at[i] - parent->point[i];
        part.mass.com[i] -= part.mass.mass > 0.0 ? own->point[i] : 0.0;
    }
    return status == RCT_OK ? rct_parts_append(mjcf->parts, &part, mjcf->source->error) : status;
}

/* As deep as elements may stand within each other. */
static rct_status read_bodies(const rct_mjcf *mjcf, const above *parent,
                              const rct_xml_element *element)
{
    rct_status status = RCT_OK;
    for (const rct_xml_element *c = element->child; c != NULL && status == RCT_OK; c = c->next) {
        above own;
        if (strcmp(c->name, "body") == 0) {
            status = read_part(mjcf, &own, parent, c);
            if (status == RCT_OK) {
                status = read_bodies(mjcf, &own, c);
            }
        }
    }
    return status;
}

rct_status rct_mjcf_read_world(const rct_mjcf *mjcf, const rct_xml_element *world)
{
    const above ground = {.part = RCT_GROUND, .class = mjcf->main, .fixed = 1};
    rct_status status =
        rct_source_check_children(mjcf->source, world, "body geom site camera light");
    return status == RCT_OK ? read_bodies(mjcf, &ground, world) : status;
}
