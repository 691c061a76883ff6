/* URDF: links and joints of a file become a tree, which is walked without recursion, so that
 * only memory limits the length of a chain. */
#include "import/urdf.h"

#include "core/memory.h"
#include "model/hinge_types.h"
#include "model/names.h"

/* Elements that a robot may have besides links and joints and that do not affect the motion. */
static const char top_level[] = "link joint material transmission gazebo sensor ros2_control "
                                "mujoco frame schedule_topic_creator_file collision_filter_group "
                                "drake:collision_filter_group create RefLink velocity";

static const char *name_of(const rct_xml_element *element)
{
    return rct_xml_value(element, "name");
}

static void allocate(rct_urdf *urdf)
{
    rct_source *source = urdf->source;
    int32_t links = 0, joints = 0;
    for (const rct_xml_element *e = source->root->child; e != NULL; e = e->next) {
        links += rct_xml_is(e, "link");
        joints += rct_xml_is(e, "joint");
    }
    if (source->status != RCT_OK) {
        return;
    }
    rct_error *error = source->error;
    urdf->link = rct_allocate(links, sizeof *urdf->link, "the links of a file", error);
    if (urdf->link != NULL) {
        urdf->joint = rct_allocate(joints, sizeof *urdf->joint, "the joints of a file", error);
    }
    urdf->names = urdf->joint != NULL ? rct_names_create(error) : NULL;
    rct_source_have(source, urdf->names);
}

static void check_name(const rct_xml_element *element)
{
    const char *name = name_of(element);
    rct_source_demand(element, name != NULL && name[0] != '\0', "it has no name; give it one");
}

static void read_elements(rct_urdf *urdf)
{
    rct_source *source = urdf->source;
    for (const rct_xml_element *e = source->root->child; e != NULL && source->status == RCT_OK;
         e = e->next) {
        if (rct_xml_is(e, "link")) {
            check_name(e);
            urdf->link[urdf->links++] = (rct_urdf_link){.element = e,
                                                        .mass = rct_urdf_read_link(e),
                                                        .joint = -1,
                                                        .first = -1,
                                                        .last = -1,
                                                        .parent = -1,
                                                        .part = -1};
        } else if (rct_xml_is(e, "joint")) {
            check_name(e);
            urdf->joint[urdf->joints++] = (rct_urdf_joint){
                .element = e, .child = -1, .next = -1, .part = rct_urdf_read_joint(e)};
        }
    }
}

static void enter_names(rct_urdf *urdf)
{
    rct_source *source = urdf->source;
    for (int32_t i = 0; i < urdf->links && source->status == RCT_OK; i++) {
        const rct_xml_element *link = urdf->link[i].element;
        const int32_t other = rct_names_find(urdf->names, name_of(link));
        rct_source_demand(link, other < 0, "line %d already has a link of that name; rename one",
                          other >= 0 ? urdf->link[other].element->line : 0);
        rct_source_have(source, rct_names_add(urdf->names, name_of(link), i, source->error));
    }
}

static void check_link(const rct_urdf *urdf, const rct_xml_element *end, const char *name,
                       int32_t link)
{
    char hint[RCT_ERROR_TEXT_SIZE];
    rct_source_demand(end, link >= 0, "no link is called \"%.64s\"%s", name,
                      link >= 0 ? "" : rct_names_hint(urdf->names, name, "correct the name", hint));
}

/* The link that <parent> or <child> of a joint names; -1 on failure. */
static int32_t find_end(const rct_urdf *urdf, const rct_xml_element *joint, const char *which)
{
    const rct_xml_element *end = rct_source_child(joint, which);
    const char *name = end != NULL ? rct_xml_value(end, "link") : NULL;
    const int32_t link = name != NULL ? rct_names_find(urdf->names, name) : -1;
    if (rct_source_demand(end != NULL ? end : joint, name != NULL,
                          "the joint does not name its %s; add <%s link=\"...\"/>", which, which)) {
        check_link(urdf, end, name, link);
    }
    return link;
}

static void join(rct_urdf *urdf, int32_t number)
{
    rct_urdf_joint *joint = &urdf->joint[number];
    const int32_t parent = find_end(urdf, joint->element, "parent");
    joint->child = find_end(urdf, joint->element, "child");
    if (urdf->source->status != RCT_OK) {
        return;
    }
    rct_urdf_link *from = &urdf->link[parent], *to = &urdf->link[joint->child];
    if (to->joint >= 0) {
        rct_source_fail(joint->element, RCT_ERROR_MODEL,
                        "the link \"%.64s\" already hangs on the joint in line %d; closed loops "
                        "are not supported",
                        name_of(to->element), urdf->joint[to->joint].element->line);
    }
    to->joint = number;
    to->parent = parent;
    *(from->first < 0 ? &from->first : &urdf->joint[from->last].next) = number;
    from->last = number;
}

static void find_root(rct_urdf *urdf)
{
    rct_source *source = urdf->source;
    urdf->root = -1;
    for (int32_t i = 0; i < urdf->links; i++) {
        if (urdf->link[i].joint < 0 && urdf->root >= 0) {
            const rct_xml_element *root = urdf->link[urdf->root].element;
            rct_source_fail(urdf->link[i].element, RCT_ERROR_MODEL,
                            "it is not the child of a joint, and neither is \"%.64s\" in line %d; "
                            "join them into one tree",
                            name_of(root), root->line);
        }
        urdf->root = urdf->link[i].joint < 0 ? i : urdf->root;
    }
    rct_source_demand(source->root, urdf->root >= 0,
                      urdf->links > 0 ? "every link is the child of a joint, so none is the root; "
                                        "open the loop of joints"
                                      : "it has no links; a model needs at least one");
}

static void append(rct_urdf *urdf, rct_parts *parts, int32_t number)
{
    rct_urdf_link *link = &urdf->link[number];
    rct_part part = rct_part_default();
    if (link->joint >= 0) {
        part = urdf->joint[link->joint].part;
        part.parent = urdf->link[link->parent].part;
    } else if (urdf->source->options->floating_root) {
        part.hinge = RCT_HINGE_FREE;
    }
    part.element = link->element;
    part.name = name_of(link->element);
    part.mass = link->mass;
    link->part = parts->count;
    rct_parts_append(parts, &part);
    if (link->joint >= 0) {
        const int one = rct_hinge_freedoms(part.hinge) == 1;
        const rct_spot spot = {.part = link->part, .coordinate = one ? 0 : -1};
        rct_parts_name(parts, RCT_SPOT_JOINT, urdf->joint[link->joint].element, &spot);
    }
    rct_urdf_read_visuals(parts, link->part, link->element);
}

/* The link after this one: its first child, or the next child of the nearest ancestor that has
 * one. */
static int32_t next_link(const rct_urdf *urdf, int32_t number)
{
    int32_t joint = urdf->link[number].first;
    while (joint < 0 && number != urdf->root) {
        joint = urdf->joint[urdf->link[number].joint].next;
        number = urdf->link[number].parent;
    }
    return joint >= 0 ? urdf->joint[joint].child : -1;
}

/* q = multiplier times the coordinate of the other joint, plus offset. Fixed joints follow
 * nothing, and their coordinate is 0 for joints that follow them. */
static void read_mimic(const rct_urdf *urdf, rct_parts *parts, const rct_urdf_joint *joint,
                       const rct_xml_element *mimic)
{
    double factor = 1.0;
    const rct_spot own = {.part = urdf->link[joint->child].part, .coordinate = 0};
    rct_tie tie = {
        .element = mimic, .name = name_of(joint->element), .type = RCT_LOOP_RELATION, .active = 1};
    rct_source_check_attributes(mimic, "joint multiplier offset");
    rct_source_optional(&factor, 1, mimic, "multiplier");
    rct_source_optional(&tie.offset, 1, mimic, "offset");
    const rct_spot other = rct_parts_spot(parts, RCT_SPOT_JOINT, mimic, "joint");
    if (urdf->source->status != RCT_OK || joint->part.hinge == RCT_HINGE_FIXED) {
        return;
    }
    rct_source_demand(mimic, other.part != own.part, "the joint follows itself; name another one");
    const int several = rct_hinge_freedoms(joint->part.hinge) > 1 ||
                        rct_hinge_freedoms(parts->part[other.part].hinge) > 1;
    rct_source_unsupported(mimic, several,
                           "a joint of several coordinates (planar, floating) that follows another "
                           "joint, or that another joint follows, is not supported");
    if (several) {
        return;
    }
    rct_tie_add(&tie, mimic, &own, 1.0);
    if (factor != 0.0 && parts->part[other.part].hinge != RCT_HINGE_FIXED) {
        rct_tie_add(&tie, mimic, &other, -factor);
    }
    rct_parts_append_tie(parts, &tie);
}

static void read_mimics(const rct_urdf *urdf, rct_parts *parts)
{
    for (int32_t i = 0; i < urdf->joints && urdf->source->status == RCT_OK; i++) {
        const rct_xml_element *mimic = rct_source_child(urdf->joint[i].element, "mimic");
        if (mimic != NULL) {
            read_mimic(urdf, parts, &urdf->joint[i], mimic);
        }
    }
}

/* Parents first, limb by limb. Links that the walk does not reach are in a loop. */
static void walk(rct_urdf *urdf, rct_parts *parts)
{
    const rct_status *status = &urdf->source->status;
    for (int32_t i = urdf->root; i >= 0 && *status == RCT_OK; i = next_link(urdf, i)) {
        append(urdf, parts, i);
    }
    for (int32_t i = 0; i < urdf->links && *status == RCT_OK; i++) {
        rct_source_demand(
            urdf->link[i].element, urdf->link[i].part >= 0,
            "its joints form a loop and do not lead to the root link \"%.64s\"; open the loop",
            name_of(urdf->link[urdf->root].element));
    }
}

void rct_urdf_read(rct_model *model, rct_parts *parts, rct_source *source)
{
    (void)model; /* URDF has no gravity */
    rct_urdf urdf = {.source = source};
    rct_source_check_attributes(source->root, "name version");
    rct_source_check_children(source->root, top_level);
    allocate(&urdf);
    read_elements(&urdf);
    enter_names(&urdf);
    for (int32_t i = 0; i < urdf.joints && source->status == RCT_OK; i++) {
        join(&urdf, i);
    }
    find_root(&urdf);
    walk(&urdf, parts);
    read_mimics(&urdf, parts);
    rct_release(urdf.link);
    rct_release(urdf.joint);
    rct_names_free(urdf.names);
}
