/* MJCF: <frame> and <replicate> are replaced by their content before bodies are read. The place
 * of an element in a frame is a mark on the element (rct_mjcf_frame); replicated elements are
 * copies with their own names. The innermost comes first. Each model replicates by itself;
 * frames, which may be attached, are replaced only after that. */
#include "import/mjcf.h"

#include <stdio.h>
#include <string.h>

enum { MOST_COPIES = 1 << 20 }; /* elements that are copies */

void *rct_mjcf_take(const rct_xml_element *at, int64_t bytes)
{
    rct_source *source = rct_source_of(at);
    void *memory = source->status == RCT_OK ? rct_arena_take(&source->root->file->memory, bytes,
                                                             "copies of elements", source->error)
                                            : NULL;
    rct_source_have(source, memory);
    return memory;
}

/* Put an element into one more frame, outside of those it is in already. */
static void put_in(rct_xml_element *element, const rct_place *outer, int32_t class)
{
    const rct_mjcf_frame *inner = element->mark;
    rct_mjcf_frame *both = rct_mjcf_take(element, sizeof *both);
    if (both != NULL) {
        both->place = inner != NULL ? rct_place_in(outer, &inner->place) : *outer;
        both->class = rct_mjcf_class_around(element, class);
        both->model = inner != NULL ? inner->model : NULL;
        element->mark = both;
    }
}

/* Both return the link behind the elements they leave. */
static rct_xml_element **open_frame(const rct_mjcf *mjcf, rct_xml_element **link)
{
    rct_xml_element *frame = *link;
    const rct_mjcf_item item = {mjcf, frame, -1, RCT_MJCF_OTHER};
    rct_source_check_attributes(frame, "name childclass pos quat axisangle euler xyaxes zaxis");
    const rct_place place = rct_mjcf_place(&item);
    const int32_t class =
        rct_mjcf_find_class(mjcf, frame, "childclass", rct_mjcf_class_around(frame, -1));
    for (rct_xml_element *c = frame->child; c != NULL; c = c->next) {
        put_in(c, &place, class);
    }
    return rct_xml_splice(link, frame);
}

/* The attributes of an element, with names as in a copy. */
static const rct_xml_attribute *renamed(const rct_xml_element *element,
                                        const rct_mjcf_naming *naming)
{
    rct_xml_attribute *own =
        rct_mjcf_take(element, element->attribute_count * (int64_t)sizeof *own);
    for (int32_t i = 0; i < element->attribute_count && own != NULL; i++) {
        own[i] = element->attributes[i];
        const int world = strcmp(own[i].name, "name") != 0 && strcmp(own[i].value, "world") == 0;
        if (rct_word_in(naming->attributes, own[i].name) && !world) {
            const size_t size =
                strlen(naming->before) + strlen(own[i].value) + strlen(naming->after) + 1;
            char *name = rct_mjcf_take(element, (int64_t)size);
            if (name != NULL) {
                snprintf(name, size, "%s%s%s", naming->before, own[i].value, naming->after);
                own[i].value = name;
            }
        }
    }
    return own;
}

rct_xml_element *rct_mjcf_copy(rct_xml_element *parent, const rct_xml_element *element,
                               const rct_mjcf_naming *naming)
{
    rct_source *source = rct_source_of(element);
    if (!rct_source_demand(element, source->copies++ < MOST_COPIES,
                           "more than %d elements are copies; replicate fewer", (int)MOST_COPIES)) {
        return NULL;
    }
    rct_xml_element *own = rct_mjcf_take(element, sizeof *own);
    if (own == NULL) {
        return NULL;
    }
    *own = *element;
    own->attributes = renamed(element, naming);
    own->parent = parent;
    own->child = own->last = own->next = NULL;
    *(parent->child == NULL ? &parent->child : &parent->last->next) = own;
    parent->last = own;
    for (const rct_xml_element *c = element->child; c != NULL && source->status == RCT_OK;
         c = c->next) {
        rct_mjcf_copy(own, c, naming);
    }
    return own;
}

/* How many digits the largest number has. */
static int digits_of(int64_t count)
{
    int digits = 1;
    for (int64_t most = count - 1; most > 9 && digits < 9; most /= 10) {
        digits++;
    }
    return digits;
}

/* The turn of copy number `i`: `i` times the given angles. */
static void turn_copy(rct_place *place, const double angles[3], int64_t i, const rct_mjcf *mjcf)
{
    double own[3];
    for (int k = 0; k < 3; k++) {
        own[k] = (double)i * angles[k] * mjcf->angle;
    }
    rct_turn_thrice(place->turn, own, mjcf->sequence);
}

/* Each copy is offset from the one before, in the axes of that one. */
static rct_xml_element **repeat(const rct_mjcf *mjcf, rct_xml_element **link)
{
    rct_source *source = mjcf->source;
    rct_xml_element *replicate = *link, copies = *replicate;
    double count = 0.0, angles[3] = {0.0, 0.0, 0.0};
    const char *given = rct_xml_value(replicate, "sep"), *sep = given != NULL ? given : "";
    rct_source_check_attributes(replicate, "count sep offset euler");
    rct_source_required(&count, 1, replicate, "count");
    if (!rct_source_demand(
            replicate,
            count >= 1.0 && count <= MOST_COPIES && count == (double)(int64_t)count &&
                strlen(sep) < 32,
            "count=\"%g\": give a whole number from 1 to %d, and a sep of less than 32 bytes",
            count, (int)MOST_COPIES)) {
        return link;
    }
    const int digits = digits_of((int64_t)count);
    rct_place place = rct_place_none(), step = place;
    rct_source_optional(step.at, 3, replicate, "offset");
    rct_source_optional(angles, 3, replicate, "euler");
    copies.child = copies.last = NULL;
    for (int64_t i = 0; i < (int64_t)count && source->status == RCT_OK; i++) {
        char end[64];
        turn_copy(&place, angles, i, mjcf);
        snprintf(end, sizeof end, "%.32s%0*d", sep, digits, (int)i);
        for (const rct_xml_element *c = replicate->child; c != NULL && source->status == RCT_OK;
             c = c->next) {
            const rct_mjcf_naming naming = {"name", "", end};
            rct_xml_element *own = rct_mjcf_copy(&copies, c, &naming);
            if (own != NULL) {
                put_in(own, &place, -1);
            }
        }
        place = rct_place_in(&place, &step);
    }
    return rct_xml_splice(link, &copies);
}

void rct_mjcf_repeat(const rct_mjcf *mjcf, rct_xml_element *parent)
{
    rct_xml_element **link = &parent->child;
    while (*link != NULL && mjcf->source->status == RCT_OK) {
        rct_mjcf_repeat(mjcf, *link);
        link = rct_xml_is(*link, "replicate") ? repeat(mjcf, link) : &(*link)->next;
    }
}

void rct_mjcf_open_frames(const rct_mjcf *mjcf, rct_xml_element *parent)
{
    rct_xml_element **link = &parent->child;
    while (*link != NULL && mjcf->source->status == RCT_OK) {
        rct_mjcf_open_frames(rct_mjcf_of(mjcf, *link), *link);
        link = rct_xml_is(*link, "frame") ? open_frame(mjcf, link) : &(*link)->next;
    }
}

rct_place rct_mjcf_in_frame(const rct_xml_element *element, const rct_place *place)
{
    const rct_mjcf_frame *frame = element->mark;
    return frame != NULL ? rct_place_in(&frame->place, place) : *place;
}
