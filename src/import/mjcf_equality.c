/* MJCF: <equality> as closures and relations, exact where the file has them soft; and <tendon>,
 * which has an effect only in those and where it pulls. */
#include "import/mjcf.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef void tie_reader(const rct_mjcf *mjcf, const rct_xml_element *element, rct_tie *tie);

static const char common[] = "name class active solref solimp ";

/* ---- bodies ------------------------------------------------------------------------------- */

static rct_spot ground(void)
{
    return (rct_spot){.part = RCT_GROUND, .place = rct_place_none()};
}

/* The body that an attribute names; the ground if the attribute may be missing and is. */
static rct_spot body_at(const rct_mjcf *mjcf, const rct_xml_element *at, const char *attribute,
                        int needed)
{
    const char *name = rct_xml_value(at, attribute);
    const int world = name == NULL ? !needed : strcmp(name, "world") == 0;
    return world ? ground() : rct_parts_spot(mjcf->parts, RCT_SPOT_BODY, at, attribute);
}

/* Whether the body is a free one without children whose frame becomes that of its inertia;
 * places on it are then given in that frame. */
static int is_aligned(const rct_mjcf *mjcf, const rct_spot *body)
{
    static const char *const words[] = {"false", "true", "auto", NULL};
    if (body->part == RCT_GROUND || mjcf->parts->part[body->part].hinge != RCT_HINGE_FREE) {
        return 0;
    }
    int aligned = rct_mjcf_of(mjcf, body->element)->aligns_free;
    for (const rct_xml_element *c = body->element->child; c != NULL; c = c->next) {
        const int word = rct_xml_is(c, "freejoint") ? rct_source_word(2, c, "align", words) : 2;
        if (rct_xml_is(c, "body")) {
            return 0;
        }
        aligned = word != 2 ? word : aligned;
    }
    return aligned;
}

static void refuse_aligned(const rct_mjcf *mjcf, const rct_xml_element *at, const rct_spot *body)
{
    rct_source_unsupported(at, is_aligned(mjcf, body),
                           "a place on a free body that is aligned with its inertia (align, "
                           "alignfree) is not supported; give sites");
}

/* Move to a point of the body. */
static void shift(rct_spot *spot, const double to[3])
{
    rct_place inner = rct_place_none();
    memcpy(inner.at, to, sizeof inner.at);
    spot->place = rct_place_in(&spot->place, &inner);
}

/* Read both ends as sites. Returns whether they are given as sites. */
static int read_sites(const rct_mjcf *mjcf, const rct_xml_element *element, rct_tie *tie)
{
    if (rct_xml_value(element, "site1") == NULL && rct_xml_value(element, "site2") == NULL) {
        return 0;
    }
    tie->end[0] = rct_parts_spot(mjcf->parts, RCT_SPOT_SITE, element, "site1");
    tie->end[1] = rct_parts_spot(mjcf->parts, RCT_SPOT_SITE, element, "site2");
    return 1;
}

/* The point of the second body is where the anchor of the first body is in the state of the
 * file. */
static void read_connect(const rct_mjcf *mjcf, const rct_xml_element *element, rct_tie *tie)
{
    double anchor[3] = {0.0, 0.0, 0.0};
    tie->type = RCT_LOOP_BALL;
    if (read_sites(mjcf, element, tie)) {
        return;
    }
    tie->end[0] = body_at(mjcf, element, "body1", 1);
    tie->end[1] = body_at(mjcf, element, "body2", 0);
    refuse_aligned(mjcf, element, &tie->end[0]);
    rct_source_required(anchor, 3, element, "anchor");
    shift(&tie->end[0], anchor);
    rct_parts_meet(mjcf->parts, &tie->end[1], &tie->end[0]);
}

/* relpose, if its quaternion is not zero: the place on the first body of `anchor` of the second,
 * and of its axes. */
static void read_weld(const rct_mjcf *mjcf, const rct_xml_element *element, rct_tie *tie)
{
    double pose[7] = {0.0, 1.0}, anchor[3] = {0.0, 0.0, 0.0};
    tie->type = RCT_LOOP_FIXED;
    if (read_sites(mjcf, element, tie)) {
        return;
    }
    tie->end[0] = body_at(mjcf, element, "body1", 1);
    tie->end[1] = body_at(mjcf, element, "body2", 0);
    rct_source_optional(pose, 7, element, "relpose");
    rct_source_optional(anchor, 3, element, "anchor");
    const double both[3] = {rct_length(pose + 4), pose[3], 0.0}, length = rct_length(both);
    if (length == 0.0) {
        rct_parts_meet(mjcf->parts, &tie->end[1], &tie->end[0]);
        return;
    }
    refuse_aligned(mjcf, element, &tie->end[0]);
    refuse_aligned(mjcf, element, &tie->end[1]);
    rct_place on = rct_place_none();
    for (int i = 0; i < 4; i++) {
        on.turn[i] = pose[3 + i] / length;
    }
    memcpy(on.at, pose, sizeof on.at);
    tie->end[0].place = rct_place_in(&tie->end[0].place, &on);
    shift(&tie->end[1], anchor);
}

/* ---- joints and tendons ------------------------------------------------------------------- */

/* Add `factor` times the coordinate of a joint, counted from its start. */
static void add_joint(const rct_mjcf *mjcf, rct_tie *tie, double factor, const rct_xml_element *at,
                      const char *attribute)
{
    const rct_spot joint = rct_parts_spot(mjcf->parts, RCT_SPOT_JOINT, at, attribute);
    rct_tie_add(tie, at, &joint, factor);
    tie->offset += factor * joint.zero;
}

/* y - y0 = a0 + a1 (x - x0) + higher powers, which are not supported: a0 goes into the offset;
 * returns the factor of x. */
static double read_polynomial(const rct_xml_element *element, rct_tie *tie, int second)
{
    double a[5] = {0.0, 1.0, 0.0, 0.0, 0.0};
    const char *text = rct_xml_value(element, "polycoef");
    tie->type = RCT_LOOP_RELATION;
    if (text != NULL) {
        rct_source_parse_some(a, 5, element, "polycoef", text);
    }
    rct_source_unsupported(element, second && (a[2] != 0.0 || a[3] != 0.0 || a[4] != 0.0),
                           "a relation that is not linear (polycoef) is not supported");
    tie->offset = a[0];
    return second ? a[1] : 0.0;
}

static void read_joint(const rct_mjcf *mjcf, const rct_xml_element *element, rct_tie *tie)
{
    const double factor = read_polynomial(element, tie, rct_xml_value(element, "joint2") != NULL);
    add_joint(mjcf, tie, 1.0, element, "joint1");
    if (factor != 0.0) {
        add_joint(mjcf, tie, -factor, element, "joint2");
    }
}

/* The length of a tendon is the sum of coef times coordinate. */
static void add_tendon(const rct_mjcf *mjcf, rct_tie *tie, double factor,
                       const rct_xml_element *element, const char *attribute)
{
    const rct_xml_element *tendon =
        rct_parts_spot(mjcf->parts, RCT_SPOT_TENDON, element, attribute).element;
    const int fixed = tendon != NULL && rct_xml_is(tendon, "fixed");
    rct_source_unsupported(element, tendon != NULL && !fixed,
                           "a constraint of a tendon that is not <fixed> is not supported");
    for (const rct_xml_element *c = fixed ? tendon->child : NULL; c != NULL; c = c->next) {
        double coef = 0.0;
        rct_source_required(&coef, 1, c, "coef");
        if (coef != 0.0) {
            add_joint(mjcf, tie, factor * coef, c, "joint");
        }
    }
}

static void read_tendon(const rct_mjcf *mjcf, const rct_xml_element *element, rct_tie *tie)
{
    const double factor = read_polynomial(element, tie, rct_xml_value(element, "tendon2") != NULL);
    add_tendon(mjcf, tie, 1.0, element, "tendon1");
    if (factor != 0.0) {
        add_tendon(mjcf, tie, -factor, element, "tendon2");
    }
}

/* ---- all of them -------------------------------------------------------------------------- */

static const struct {
    const char *name, *attributes;
    tie_reader *read;
} types[] = {{"connect", "body1 body2 anchor site1 site2", read_connect},
             {"weld", "body1 body2 anchor relpose torquescale site1 site2", read_weld},
             {"joint", "joint1 joint2 polycoef", read_joint},
             {"tendon", "tendon1 tendon2 polycoef", read_tendon}};

/* Nothing is tied to itself; a body without a second one is tied to the world. */
static void check_ends(const rct_xml_element *element)
{
    static const char *const ends[][2] = {
        {"body1", "body2"}, {"site1", "site2"}, {"joint1", "joint2"}, {"tendon1", "tendon2"}};
    for (size_t i = 0; i < sizeof ends / sizeof ends[0]; i++) {
        const char *first = rct_xml_value(element, ends[i][0]);
        const char *second = rct_xml_value(element, ends[i][1]);
        second = second == NULL && i == 0 ? "world" : second;
        rct_source_demand(element, first == NULL || second == NULL || strcmp(first, second) != 0,
                          "\"%.64s\" is tied to itself; name another one in %s", first, ends[i][1]);
    }
}

static void read_tie(const rct_mjcf *mjcf, const rct_xml_element *element, size_t type)
{
    rct_tie tie = {.element = element, .name = rct_xml_value(element, "name")};
    const rct_mjcf_item item = rct_mjcf_item_of(mjcf, element, mjcf->main, RCT_MJCF_EQUALITY);
    static const char *const switches[] = {"false", "true", NULL};
    const rct_xml_element *at = NULL;
    char known[192];
    snprintf(known, sizeof known, "%s%s", common, types[type].attributes);
    rct_source_check_attributes(element, known);
    check_ends(element);
    rct_mjcf_value(&item, "active", &at);
    tie.active = at == NULL || rct_source_word(1, at, "active", switches);
    types[type].read(mjcf, element, &tie);
    rct_parts_append_tie(mjcf->parts, &tie);
}

void rct_mjcf_read_equality(const rct_mjcf *mjcf, const rct_xml_element *section)
{
    for (const rct_xml_element *c = section->child; c != NULL && mjcf->source->status == RCT_OK;
         c = c->next) {
        size_t i = 0;
        while (i < sizeof types / sizeof types[0] && !rct_xml_is(c, types[i].name)) {
            i++;
        }
        rct_source_unsupported(c, i == sizeof types / sizeof types[0],
                               "this element is not supported in <equality>");
        if (i < sizeof types / sizeof types[0]) {
            read_tie(rct_mjcf_of(mjcf, c), c, i);
        }
    }
}

/* A tendon that is used only by ties, actuators, sensors and limits has no effect by itself. */
void rct_mjcf_read_tendons(const rct_mjcf *mjcf, const rct_xml_element *section)
{
    static const char *const pulls[] = {"stiffness", "damping", "armature", "frictionloss"};
    const int count = rct_mjcf_constrains(mjcf, RCT_MJCF_FRICTION) ? 4 : 3;
    const rct_spot spot = {.part = RCT_GROUND, .coordinate = -1};
    for (const rct_xml_element *c = section->child; c != NULL && mjcf->source->status == RCT_OK;
         c = c->next) {
        const rct_mjcf_item item =
            rct_mjcf_item_of(rct_mjcf_of(mjcf, c), c, mjcf->main, RCT_MJCF_TENDON);
        const int known = rct_xml_is(c, "fixed") || rct_xml_is(c, "spatial");
        rct_source_unsupported(c, !known, "this element is not supported in <tendon>");
        rct_parts_name(mjcf->parts, RCT_SPOT_TENDON, c, &spot);
        for (int i = 0; i < count && known; i++) {
            const rct_xml_element *at = NULL;
            const char *text = rct_mjcf_value(&item, pulls[i], &at);
            double all[6] = {0.0};
            const int given = text != NULL ? rct_source_parse_some(all, 6, at, pulls[i], text) : 0;
            double most = 0.0;
            for (int k = 0; k < given; k++) {
                most = fmax(most, fabs(all[k]));
            }
            rct_source_unsupported(c, most != 0.0, "%s of a tendon (%g) is not supported", pulls[i],
                                   most);
        }
    }
}
