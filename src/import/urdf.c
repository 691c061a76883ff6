/* URDF: links and joints of a file become a tree, which is walked without recursion: a chain may be as long as
 * memory lets it. */
#include "import/urdf.h"

#include "core/memory.h"
#include "import/readers.h"
#include "model/names.h"

#include <string.h>

/* What a robot may have besides links and joints, without a meaning for the motion. */
static const char top_level[] = "link joint material transmission gazebo sensor ros2_control";

static const char *name_of(const rct_xml_element *element)
{
    return rct_xml_value(element, "name");
}

static rct_status allocate(rct_urdf *urdf)
{
    int32_t links = 0, joints = 0;
    for (const rct_xml_element *e = urdf->source->root->child; e != NULL; e = e->next) {
        links += strcmp(e->name, "link") == 0;
        joints += strcmp(e->name, "joint") == 0;
    }
    rct_error *error = urdf->source->error;
    urdf->link = rct_allocate(links, sizeof *urdf->link, "the links of a file", error);
    if (urdf->link != NULL) {
        urdf->joint = rct_allocate(joints, sizeof *urdf->joint, "the joints of a file", error);
    }
    if (urdf->joint != NULL) {
        urdf->names = rct_names_create(error);
    }
    return urdf->names != NULL ? RCT_OK : RCT_ERROR_MEMORY;
}

static rct_status check_name(rct_source *source, const rct_xml_element *element)
{
    const char *name = name_of(element);
    return name != NULL && name[0] != '\0'
               ? RCT_OK
               : rct_source_fail(source, element, RCT_ERROR_MODEL, "it has no name; give it one");
}

static rct_status read_elements(rct_urdf *urdf)
{
    rct_source *source = urdf->source;
    rct_status status = RCT_OK;
    for (const rct_xml_element *e = source->root->child; e != NULL && status == RCT_OK;
         e = e->next) {
        if (strcmp(e->name, "link") == 0) {
            rct_urdf_link *link = &urdf->link[urdf->links++];
            *link = (rct_urdf_link){
                .element = e, .joint = -1, .first = -1, .last = -1, .parent = -1, .part = -1};
            status = check_name(source, e);
            if (status == RCT_OK) {
                status = rct_urdf_read_link(source, &link->mass, e);
            }
        } else if (strcmp(e->name, "joint") == 0) {
            rct_urdf_joint *joint = &urdf->joint[urdf->joints++];
            *joint = (rct_urdf_joint){.element = e, .child = -1, .next = -1};
            status = check_name(source, e);
            if (status == RCT_OK) {
                status = rct_urdf_read_joint(source, &joint->part, e);
            }
        }
    }
    return status;
}

static rct_status enter_names(rct_urdf *urdf)
{
    rct_source *source = urdf->source;
    for (int32_t i = 0; i < urdf->links; i++) {
        const rct_xml_element *link = urdf->link[i].element;
        const int32_t other = rct_names_find(urdf->names, name_of(link));
        if (other >= 0) {
            return rct_source_fail(source, link, RCT_ERROR_MODEL,
                                   "line %d has a link of that name already; rename one",
                                   urdf->link[other].element->line);
        }
        if (rct_names_add(urdf->names, name_of(link), i, source->error) == NULL) {
            return RCT_ERROR_MEMORY;
        }
    }
    return RCT_OK;
}

/* The link that <parent> or <child> of a joint names. */
static rct_status find_end(const rct_urdf *urdf, int32_t *link, const rct_xml_element *joint,
                           const char *which)
{
    const rct_xml_element *end = NULL;
    rct_status status = rct_source_child(urdf->source, &end, joint, which);
    if (status != RCT_OK) {
        return status;
    }
    const char *name = end != NULL ? rct_xml_value(end, "link") : NULL;
    if (name == NULL) {
        return rct_source_fail(urdf->source, end != NULL ? end : joint, RCT_ERROR_MODEL,
                               "the joint names no %s; add <%s link=\"...\"/>", which, which);
    }
    *link = rct_names_find(urdf->names, name);
    if (*link < 0) {
        status = rct_source_fail(urdf->source, end, RCT_ERROR_MODEL,
                                 "no link is called \"%.64s\"; correct the name", name);
    }
    return status;
}

static rct_status join(rct_urdf *urdf, int32_t number)
{
    rct_urdf_joint *joint = &urdf->joint[number];
    int32_t parent = -1;
    rct_status status = find_end(urdf, &parent, joint->element, "parent");
    if (status == RCT_OK) {
        status = find_end(urdf, &joint->child, joint->element, "child");
    }
    if (status != RCT_OK) {
        return status;
    }
    rct_urdf_link *from = &urdf->link[parent], *to = &urdf->link[joint->child];
    if (to->joint >= 0) {
        return rct_source_fail(urdf->source, joint->element, RCT_ERROR_MODEL,
                               "the link \"%.64s\" hangs on the joint in line %d already; closed "
                               "loops are not supported",
                               name_of(to->element), urdf->joint[to->joint].element->line);
    }
    to->joint = number;
    to->parent = parent;
    *(from->first < 0 ? &from->first : &urdf->joint[from->last].next) = number;
    from->last = number;
    return RCT_OK;
}

static rct_status find_root(rct_urdf *urdf)
{
    urdf->root = -1;
    for (int32_t i = 0; i < urdf->links; i++) {
        if (urdf->link[i].joint < 0 && urdf->root >= 0) {
            return rct_source_fail(urdf->source, urdf->link[i].element, RCT_ERROR_MODEL,
                                   "it is the child of no joint, and neither is \"%.64s\" in line "
                                   "%d; join them to one tree",
                                   name_of(urdf->link[urdf->root].element),
                                   urdf->link[urdf->root].element->line);
        }
        urdf->root = urdf->link[i].joint < 0 ? i : urdf->root;
    }
    return urdf->root >= 0
               ? RCT_OK
               : rct_source_fail(urdf->source, urdf->source->root, RCT_ERROR_MODEL,
                                 urdf->links > 0 ? "every link is the child of a joint, so none is "
                                                   "the root; open the loop of joints"
                                                 : "it has no links; a model needs one at least");
}

static rct_status append(rct_urdf *urdf, rct_parts *parts, int32_t number)
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
    part.mass = link->mass;
    link->part = parts->count;
    return rct_parts_append(parts, &part, urdf->source->error);
}

/* The link after this one: its first child, or the next child of the nearest ancestor that has one. */
static int32_t next_link(const rct_urdf *urdf, int32_t number)
{
    int32_t joint = urdf->link[number].first;
    while (joint < 0 && number != urdf->root) {
        joint = urdf->joint[urdf->link[number].joint].next;
        number = urdf->link[number].parent;
    }
    return joint >= 0 ? urdf->joint[joint].child : -1;
}

/* Parents first, limb after limb. What the walk does not meet hangs on itself. */
static rct_status walk(rct_urdf *urdf, rct_parts *parts)
{
    rct_status status = RCT_OK;
    for (int32_t i = urdf->root; i >= 0 && status == RCT_OK; i = next_link(urdf, i)) {
        status = append(urdf, parts, i);
    }
    for (int32_t i = 0; i < urdf->links && status == RCT_OK; i++) {
        if (urdf->link[i].part < 0) {
            status = rct_source_fail(urdf->source, urdf->link[i].element, RCT_ERROR_MODEL,
                                     "its joints lead round in a loop and not to the root link "
                                     "\"%.64s\"; open the loop",
                                     name_of(urdf->link[urdf->root].element));
        }
    }
    return status;
}

rct_status rct_urdf_read(rct_model *model, rct_parts *parts, rct_source *source)
{
    (void)model; /* URDF has no gravity */
    rct_urdf urdf = {.source = source};
    rct_status status = rct_source_check_attributes(source, source->root, "name version");
    if (status == RCT_OK) {
        status = rct_source_check_children(source, source->root, top_level);
    }
    if (status == RCT_OK) {
        status = allocate(&urdf);
    }
    if (status == RCT_OK) {
        status = read_elements(&urdf);
    }
    if (status == RCT_OK) {
        status = enter_names(&urdf);
    }
    for (int32_t i = 0; i < urdf.joints && status == RCT_OK; i++) {
        status = join(&urdf, i);
    }
    if (status == RCT_OK) {
        status = find_root(&urdf);
    }
    if (status == RCT_OK) {
        status = walk(&urdf, parts);
    }
    rct_release(urdf.link);
    rct_release(urdf.joint);
    rct_names_free(urdf.names);
    return status;
}
