/* MJCF: default classes. Nothing is merged: an attribute is looked up in the element itself, in
 * its class, in the class around that, and so on. */
#include "core/memory.h"
#include "import/mjcf.h"
#include "model/names.h"

#include <string.h>

/* Elements that a class may have; only some kinds are read. */
static const char in_default[] =
    "default joint geom mesh material site camera light pair equality tendon general motor "
    "position velocity intvelocity damper cylinder muscle adhesion dcmotor skin";

static int32_t count_classes(const rct_xml_element *element)
{
    int32_t count = 0;
    for (const rct_xml_element *c = element->child; c != NULL; c = c->next) {
        count += rct_xml_is(c, "default") ? 1 + count_classes(c) : 0;
    }
    return count;
}

/* Elements that are kept, and the elements that they may contain, if that is checked. */
static const struct {
    const char *name, *attributes;
} kinds[RCT_MJCF_KINDS] = {[RCT_MJCF_JOINT] = {"joint", rct_mjcf_joint_attributes},
                           [RCT_MJCF_GEOM] = {"geom", rct_mjcf_geom_attributes},
                           [RCT_MJCF_MESH] = {"mesh", NULL},
                           [RCT_MJCF_SITE] = {"site", NULL},
                           [RCT_MJCF_EQUALITY] = {"equality", NULL},
                           [RCT_MJCF_TENDON] = {"tendon", NULL}};

static void read_element(rct_mjcf_class *class, const rct_xml_element *element)
{
    for (int k = 0; k < RCT_MJCF_KINDS; k++) {
        if (rct_xml_is(element, kinds[k].name)) {
            class->element[k] = rct_source_child(element->parent, element->name);
            if (kinds[k].attributes != NULL) {
                rct_source_check_attributes(element, kinds[k].attributes);
            }
        }
    }
}

/* Enter the class of a <default> with its name. The outermost may have no name, or share it with
 * an earlier one. */
static void enter_class(rct_mjcf *mjcf, const rct_xml_element *element, int32_t parent,
                        int outermost)
{
    rct_source *source = mjcf->source;
    const char *name = rct_xml_value(element, "class");
    if (!rct_source_demand(element, name != NULL || outermost,
                           "a default class within another one needs a name; add class=\"...\"")) {
        return;
    }
    const int32_t other = outermost ? -1 : rct_names_find(mjcf->names, name);
    rct_source_demand(element, other < 0, "line %d already has a class \"%.64s\"; rename one",
                      other >= 0 ? mjcf->class[other].section->line : 0, name);
    const int32_t depth = parent >= 0 ? mjcf->class[parent].depth + 1 : 1;
    if (depth > RCT_XML_DEPTH) {
        rct_source_fail(element, RCT_ERROR_UNSUPPORTED,
                        "default classes inherit from more than %d others; join sections "
                        "<default>, each of which inherits from the one before",
                        RCT_XML_DEPTH - 1);
    }
    const int32_t class = mjcf->classes++;
    mjcf->class[class] = (rct_mjcf_class){.section = element, .parent = parent, .depth = depth};
    rct_source_have(source,
                    rct_names_add(mjcf->names, name != NULL ? name : "main", class, source->error));
    rct_source_check_attributes(element, "class");
}

/* Read a class, then the classes within it. */
static void read_class(rct_mjcf *mjcf, const rct_xml_element *element, int32_t parent,
                       int outermost)
{
    rct_source *source = mjcf->source;
    const int32_t class = mjcf->classes;
    enter_class(mjcf, element, parent, outermost);
    rct_source_check_children(element, in_default);
    for (const rct_xml_element *c = element->child; c != NULL && source->status == RCT_OK;
         c = c->next) {
        if (rct_xml_is(c, "default")) {
            read_class(mjcf, c, class, 0);
        } else {
            read_element(&mjcf->class[class], c);
        }
    }
    mjcf->main = outermost ? class : mjcf->main;
}

/* A second section of defaults continues the first. */
void rct_mjcf_read_defaults(rct_mjcf *mjcf)
{
    rct_source *source = mjcf->source;
    const rct_xml_element *root = mjcf->root;
    rct_error *error = source->error;
    if (source->status != RCT_OK) {
        return;
    }
    mjcf->main = -1;
    mjcf->class = rct_allocate(count_classes(root), sizeof *mjcf->class, "default classes", error);
    mjcf->names = mjcf->class != NULL ? rct_names_create(error) : NULL;
    rct_source_have(source, mjcf->names);
    for (const rct_xml_element *c = root->child; c != NULL && source->status == RCT_OK;
         c = c->next) {
        if (rct_xml_is(c, "default")) {
            read_class(mjcf, c, mjcf->main, 1);
        }
    }
}

void rct_mjcf_free_defaults(rct_mjcf *mjcf)
{
    for (rct_mjcf *m = mjcf->attached; m != NULL; m = m->next) {
        rct_mjcf_free_defaults(m);
    }
    rct_names_free(mjcf->names);
    rct_release(mjcf->class);
}

int32_t rct_mjcf_class_around(const rct_xml_element *element, int32_t otherwise)
{
    const rct_mjcf_frame *frame = element->mark;
    return frame != NULL && (frame->class >= 0 || frame->model != NULL) ? frame->class : otherwise;
}

int32_t rct_mjcf_find_class(const rct_mjcf *mjcf, const rct_xml_element *element,
                            const char *attribute, int32_t otherwise)
{
    const char *name = rct_xml_value(element, attribute);
    const int32_t class = name != NULL ? rct_names_find(mjcf->names, name) : otherwise;
    const int known = name == NULL || class >= 0 || strcmp(name, "main") == 0;
    char hint[RCT_ERROR_TEXT_SIZE];
    rct_source_demand(element, known, "no default class is called \"%.64s\"%s", name,
                      known ? "" : rct_names_hint(mjcf->names, name, "correct the name", hint));
    return class;
}

rct_mjcf_item rct_mjcf_item_of(const rct_mjcf *mjcf, const rct_xml_element *element, int32_t class,
                               rct_mjcf_kind kind)
{
    const int32_t around = rct_mjcf_class_around(element, class);
    return (rct_mjcf_item){mjcf, element, rct_mjcf_find_class(mjcf, element, "class", around),
                           kind};
}

const rct_xml_element *rct_mjcf_next_level(rct_mjcf_item *level)
{
    const rct_xml_element *found = level->element;
    level->element = NULL;
    while (found == NULL && level->class >= 0 && level->kind != RCT_MJCF_OTHER) {
        const rct_mjcf_class *class = &level->mjcf->class[level->class];
        found = class->element[level->kind];
        level->class = class->parent;
    }
    return found;
}

const char *rct_mjcf_value(const rct_mjcf_item *item, const char *name, const rct_xml_element **at)
{
    rct_mjcf_item level = *item;
    const char *value = NULL;
    do {
        *at = rct_mjcf_next_level(&level);
        value = *at != NULL ? rct_xml_value(*at, name) : NULL;
    } while (*at != NULL && value == NULL);
    return value;
}

void rct_mjcf_numbers(double *numbers, int count, const rct_mjcf_item *item, const char *name)
{
    const rct_xml_element *at = NULL;
    const char *text = rct_mjcf_value(item, name, &at);
    if (text != NULL) {
        rct_source_parse(numbers, count, at, name, text);
    }
}

void rct_mjcf_zero(const rct_mjcf_item *item, const char *name)
{
    double number = 0.0;
    rct_mjcf_numbers(&number, 1, item, name);
    rct_source_unsupported(item->element, number != 0.0, "%s (%g) is not supported", name, number);
}
