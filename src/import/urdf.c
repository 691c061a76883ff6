/* URDF: links and joints of a file become a tree. Names are looked up in a sorted list, the tree is walked
 * without recursion: a chain may be as long as memory lets it. */
#include "import/urdf.h"

#include "core/memory.h"
#include "import/readers.h"

#include <stdlib.h>
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
        urdf->by_name = rct_allocate(links, sizeof *urdf->by_name, "names of links", error);
    }
    return urdf->by_name != NULL ? RCT_OK : RCT_ERROR_MEMORY;
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

static int compare_names(const void *a, const void *b)
{
    const rct_urdf_link *const *first = a, *const *second = b;
    const int order = strcmp(name_of((*first)->element), name_of((*second)->element));
    return order != 0 ? order : (*first > *second) - (*first < *second);
}

/* Sorted as pointers, so that the comparison sees the names; kept as numbers. */
static rct_status sort_names(rct_urdf *urdf)
{
    rct_source *source = urdf->source;
    const rct_urdf_link **sorted =
        rct_allocate(urdf->links, sizeof *sorted, "names of links", source->error);
    if (sorted == NULL) {
        return RCT_ERROR_MEMORY;
    }
    for (int32_t i = 0; i < urdf->links; i++) {
        sorted[i] = &urdf->link[i];
    }
    qsort(sorted, (size_t)urdf->links, sizeof *sorted, compare_names);
    rct_status status = RCT_OK;
    for (int32_t i = 0; i < urdf->links && status == RCT_OK; i++) {
        urdf->by_name[i] = (int32_t)(sorted[i] - urdf->link);
        if (i > 0 && strcmp(name_of(sorted[i]->element), name_of(sorted[i - 1]->element)) == 0) {
            status = rct_source_fail(source, sorted[i]->element, RCT_ERROR_MODEL,
                                     "line %d has a link of that name already; rename one",
                                     sorted[i - 1]->element->line);
        }
    }
    rct_release(sorted);
    return status;
}

static int32_t find_link(const rct_urdf *urdf, const char *name)
{
    int32_t low = 0, high = urdf->links;
    while (low < high) {
        const int32_t middle = low + (high - low) / 2;
        const int32_t link = urdf->by_name[middle];
        const int order = strcmp(name, name_of(urdf->link[link].element));
        if (order == 0) {
            return link;
        }
        *(order < 0 ? &high : &low) = order < 0 ? middle : middle + 1;
    }
    return -1;
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
    *link = find_link(urdf, name);
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
        status = sort_names(&urdf);
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
    rct_release(urdf.by_name);
    return status;
}
