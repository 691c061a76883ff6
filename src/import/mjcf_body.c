/* MJCF: the tree of bodies. A body of the model has its origin at its hinge point, which may be
 * anywhere in the file's body: everything in the body is shifted by it. */
#include "import/mjcf.h"

#include <stdio.h>
#include <string.h>

/* What a body passes on to the bodies in it. */
typedef struct above {
    int32_t part;    /* RCT_GROUND: the world                                    */
    double point[3]; /* the hinge point in its frame of the file                */
    int32_t class;   /* of elements that name none                              */
    int fixed;       /* it does not move: masses in it have no effect           */
} above;

static rct_mass read_inertial(const rct_mjcf *mjcf, const rct_xml_element *element)
{
    const rct_mjcf_item item = {mjcf, element, -1, RCT_MJCF_OTHER};
    const int full = rct_xml_value(element, "fullinertia") != NULL;
    rct_mass mass = {.mass = 0.0};
    double unused[3];
    rct_source_check_attributes(
        element, "pos quat axisangle euler xyaxes zaxis mass diaginertia fullinertia");
    rct_source_required(unused, 3, element, "pos");
    const rct_place place = rct_mjcf_place(&item);
    rct_source_required(&mass.mass, 1, element, "mass");
    rct_source_demand(element, !full || rct_xml_value(element, "diaginertia") == NULL,
                      "both diaginertia and fullinertia are given; keep one");
    rct_source_demand(element, !full || !rct_mjcf_is_turned(element),
                      "fullinertia is in the axes of the body; remove the orientation");
    rct_source_required(mass.inertia, full ? 6 : 3, element, full ? "fullinertia" : "diaginertia");
    rct_source_demand(element, mass.mass >= 0.0, "the mass is %g kg; it must not be negative",
                      mass.mass);
    rct_mass_move(&mass, &place);
    return mass;
}

/* The mass of <inertial> counts if the settings say so, or if the geoms have no mass. For static
 * bodies only <inertial> counts, so that shapes of the scenery need not be known. */
static rct_mass read_mass(const rct_mjcf *mjcf, const rct_xml_element *body, const above *own)
{
    rct_mass mass = {.mass = 0.0}, geoms = {.mass = 0.0};
    const rct_xml_element *inertial = rct_source_child(body, "inertial");
    if (inertial != NULL) {
        mass = read_inertial(mjcf, inertial);
    }
    if (mjcf->inertia == RCT_MJCF_FROM_GEOMS ||
        (mjcf->inertia == RCT_MJCF_IF_NONE_GIVEN && inertial == NULL)) {
        const int counts = !own->fixed || mjcf->total > 0.0;
        geoms = counts ? rct_mjcf_mass_of_geoms(mjcf, body, own->class) : geoms;
    }
    rct_source_unsupported(
        inertial != NULL ? inertial : body,
        inertial != NULL && geoms.mass == 0.0 && mjcf->inertia == RCT_MJCF_FROM_GEOMS &&
            mjcf->fuses_static,
        "inertiafromgeom with fusestatic is not supported if geoms have no mass");
    return geoms.mass > 0.0 ? geoms : mass;
}

/* A body that is moved from outside (mocap) stands still here, because nothing moves it. */
static void check_body(const rct_mjcf *mjcf, const rct_xml_element *body)
{
    const rct_mjcf_item item = {mjcf, body, -1, RCT_MJCF_OTHER};
    const char *name = rct_xml_value(body, "name");
    rct_source_check_attributes(
        body, "name childclass mocap pos quat axisangle euler xyaxes zaxis gravcomp sleep user");
    rct_source_check_children(body, "inertial joint freejoint geom body site camera light");
    rct_mjcf_zero(&item, "gravcomp");
    rct_source_demand(body, name == NULL || strcmp(name, "world") != 0,
                      "\"world\" is the name of the ground; rename it");
}

/* A name for the part without mass that a joint moves: the names of the body and the joint, and
 * an ending. */
static const char *name_of_link(const rct_xml_element *body, const rct_mjcf_joint *joint,
                                const char *end)
{
    rct_source *source = rct_source_of(body);
    const char *outer = rct_xml_value(body, "name"), *inner = rct_xml_value(joint->element, "name");
    if (outer == NULL || inner == NULL) {
        return NULL;
    }
    const size_t size = strlen(outer) + strlen(inner) + strlen(end) + 2;
    char *name = rct_arena_take(&source->root->file->memory, (int64_t)size, "the name of a body",
                                source->error);
    rct_source_have(source, name);
    if (name != NULL) {
        snprintf(name, size, "%s.%s%s", outer, inner, end);
    }
    return name;
}

/* Add the mass of a body, given from its origin in the file, to the mass that its hinges have
 * brought. */
static void add_mass(rct_part *part, rct_mass mass, const double point[3])
{
    for (int k = 0; k < 3; k++) {
        mass.com[k] -= mass.mass > 0.0 ? point[k] : 0.0;
    }
    rct_mass_add(&part->mass, &mass);
}

static void name_joints(const rct_mjcf *mjcf, const rct_mjcf_joint *joints, int count,
                        int32_t first)
{
    for (int i = 0; i < count; i++) {
        const rct_spot spot = {.part = first + joints[i].link,
                               .coordinate = joints[i].coordinate,
                               .zero = joints[i].ref};
        rct_parts_name(mjcf->parts, RCT_SPOT_JOINT, joints[i].element, &spot);
    }
}

/* Enter a place on a body, given in the body's frame of the file. */
static void name_place(const rct_mjcf *mjcf, rct_spot_kind kind, const rct_xml_element *element,
                       const above *own, const rct_place *place)
{
    rct_spot spot = {.part = own->part, .place = *place, .coordinate = -1};
    for (int k = 0; k < 3; k++) {
        spot.place.at[k] -= own->point[k];
    }
    rct_parts_name(mjcf->parts, kind, element, &spot);
}

/* A free joint on which something acts hangs on the ground itself, because its slides are along
 * the axes of the ground. Returns the parent, and the place of the body there. */
static int32_t hang_slides(const rct_mjcf *mjcf, const above *parent, const rct_xml_element *body,
                           rct_place *place)
{
    int32_t on = parent->part;
    if (!parent->fixed) {
        rct_source_fail(body, RCT_ERROR_UNSUPPORTED,
                        "it is free, but hangs on a body that moves; only what hangs on the ground "
                        "may be free");
    }
    for (; on != RCT_GROUND; on = mjcf->parts->part[on].parent) {
        *place = rct_place_in(&mjcf->parts->part[on].place, place);
    }
    return on;
}

/* Append the parts of a body, each hung on the one before, all in the axes of the body; the last
 * one is the body itself. Returns what it passes on. */
static above append_parts(const rct_mjcf *mjcf, const above *parent, const rct_xml_element *body,
                          int32_t class)
{
    static const char *const slides[RCT_MJCF_JOINTS] = {".x", ".y", ".z", "", "", ""};
    rct_part links[RCT_MJCF_JOINTS];
    rct_mjcf_joint joints[RCT_MJCF_JOINTS];
    double points[RCT_MJCF_JOINTS][3];
    const rct_mjcf_item item = {mjcf, body, -1, RCT_MJCF_OTHER};
    rct_place place = rct_mjcf_place(&item);
    int32_t on = parent->part;
    for (int k = 0; k < 3; k++) {
        place.at[k] -= parent->point[k];
    }
    const int joined = rct_mjcf_read_joints(mjcf, joints, body, class);
    if (joined == 1 && rct_mjcf_is_slides(&joints[0])) {
        on = hang_slides(mjcf, parent, body, &place);
    }
    const int count = rct_mjcf_make_hinges(links, points, joints, joined, &place);
    above own = {.part = mjcf->parts->count + count - 1, .class = class};
    memcpy(own.point, points[count - 1], sizeof own.point);
    own.fixed = parent->fixed && links[count - 1].hinge == RCT_HINGE_FIXED;
    for (int i = 0; i < count; i++) {
        rct_part *link = &links[i];
        link->element = body;
        link->parent = i == 0 ? on : mjcf->parts->count - 1;
        if (i + 1 == count) {
            link->name = rct_xml_value(body, "name");
            add_mass(link, read_mass(mjcf, body, &own), own.point);
        } else {
            link->name = joined == count ? name_of_link(body, &joints[i], "")
                                         : name_of_link(body, &joints[0], slides[i]);
        }
        rct_parts_append(mjcf->parts, link);
    }
    name_joints(mjcf, joints, joined, own.part - count + 1);
    return own;
}

/* Places on the body that ties may name. */
static void read_sites(const rct_mjcf *mjcf, const above *own, const rct_xml_element *body)
{
    for (const rct_xml_element *c = body->child; c != NULL; c = c->next) {
        if (rct_xml_is(c, "site") && rct_xml_value(c, "name") != NULL) {
            const rct_mjcf_item item = rct_mjcf_item_of(mjcf, c, own->class, RCT_MJCF_SITE);
            rct_place place;
            if (rct_mjcf_between(&place, &item) == 0.0) {
                place = rct_mjcf_place(&item);
            }
            name_place(mjcf, RCT_SPOT_SITE, c, own, &place);
        }
    }
}

static above read_body(const rct_mjcf *mjcf, const above *parent, const rct_xml_element *body)
{
    check_body(mjcf, body);
    const int32_t around = rct_mjcf_class_around(body, parent->class);
    const int32_t class = rct_mjcf_find_class(mjcf, body, "childclass", around);
    const above own = append_parts(mjcf, parent, body, class);
    const rct_place none = rct_place_none();
    rct_mjcf_read_shapes(mjcf, own.part, own.point, body, own.class);
    name_place(mjcf, RCT_SPOT_BODY, body, &own, &none);
    read_sites(mjcf, &own, body);
    return own;
}

/* Recursion is as deep as elements may nest. */
static void read_bodies(const rct_mjcf *mjcf, const above *parent, const rct_xml_element *element)
{
    for (const rct_xml_element *c = element->child; c != NULL && mjcf->source->status == RCT_OK;
         c = c->next) {
        if (rct_xml_is(c, "body")) {
            const rct_mjcf *of = rct_mjcf_of(mjcf, c);
            const above own = read_body(of, parent, c);
            read_bodies(of, &own, c);
        }
    }
}

void rct_mjcf_read_world(const rct_mjcf *mjcf, const rct_xml_element *world)
{
    const above ground = {.part = RCT_GROUND, .class = mjcf->main, .fixed = 1};
    rct_source_check_children(world, "body geom site camera light");
    read_sites(mjcf, &ground, world);
    read_bodies(mjcf, &ground, world);
}
