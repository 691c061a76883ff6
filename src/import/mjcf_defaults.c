/* MJCF: default classes. Nothing is merged; an attribute is looked for where it may stand, the element
 * itself, its class, the class around that, and so on. */
#include "core/memory.h"
#include "import/mjcf.h"

#include <string.h>

/* Elements a class may hold; only those of joints and geoms are read. */
static const char in_default[] =
    "default joint geom mesh material site camera light pair equality tendon general motor "
    "position "
    "velocity intvelocity damper cylinder muscle adhesion dcmotor skin";

static int is(const rct_xml_element *element, const char *name)
{
    return strcmp(element->name, name) == 0;
}

static int32_t count_classes(const rct_xml_element *element)
{
    int32_t count = 0;
    for (const rct_xml_element *c = element->child; c != NULL; c = c->next) {
        count += is(c, "default") ? 1 + count_classes(c) : 0;
    }
    return count;
}

static int32_t find(const rct_mjcf *mjcf, const char *name)
{
    int32_t i = mjcf->classes - 1;
    while (i >= 0 && strcmp(mjcf->class[i].name, name) != 0) {
        i--;
    }
    return i;
}

static rct_status check_element(rct_source *source, const rct_xml_element *element)
{
    const rct_xml_element *only = NULL;
    const char *known = is(element, "joint")  ? rct_mjcf_joint_attributes
                        : is(element, "geom") ? rct_mjcf_geom_attributes
                                              : NULL;
    if (known == NULL) {
        return RCT_OK;
    }
    rct_status status = rct_source_child(source, &only, element->parent, element->name);
    return status == RCT_OK ? rct_source_check_attributes(source, element, known) : status;
}

/* The class of a <default>, then those within it. The outermost has no name, or any. */
static rct_status read_class(rct_mjcf *mjcf, const rct_xml_element *element, int32_t parent,
                             int outermost)
{
    rct_source *source = mjcf->source;
    const char *name = rct_xml_value(element, "class");
    if (name == NULL && !outermost) {
        return rct_source_fail(source, element, RCT_ERROR_MODEL,
                               "a default class within another needs a name; add class=\"...\"");
    }
    if (!outermost && find(mjcf, name) >= 0) {
        return rct_source_fail(source, element, RCT_ERROR_MODEL,
                               "line %d has a class \"%.64s\" already; rename one",
                               mjcf->class[find(mjcf, name)].element->line, name);
    }
    const int32_t class = mjcf->classes++;
    mjcf->class[class] = (rct_mjcf_class){name != NULL ? name : "main", element, parent};
    rct_status status = rct_source_check_attributes(source, element, "class");
    if (status == RCT_OK) {
        status = rct_source_check_children(source, element, in_default);
    }
    for (const rct_xml_element *c = element->child; c != NULL && status == RCT_OK; c = c->next) {
        status = is(c, "default") ? read_class(mjcf, c, class, 0) : check_element(source, c);
    }
    mjcf->main = outermost ? class : mjcf->main;
    return status;
}

/* A second section of defaults goes on where the first ended. */
rct_status rct_mjcf_read_defaults(rct_mjcf *mjcf)
{
    const rct_xml_element *root = mjcf->source->root;
    mjcf->main = -1;
    mjcf->class = rct_allocate(count_classes(root), sizeof *mjcf->class, "default classes",
                               mjcf->source->error);
    rct_status status = mjcf->class != NULL ? RCT_OK : RCT_ERROR_MEMORY;
    for (const rct_xml_element *c = root->child; c != NULL && status == RCT_OK; c = c->next) {
        if (is(c, "default")) {
            status = read_class(mjcf, c, mjcf->main, 1);
        }
    }
    return status;
}

rct_status rct_mjcf_find_class(const rct_mjcf *mjcf, int32_t *class, const rct_xml_element *element,
                               const char *attribute, int32_t otherwise)
{
    const char *name = rct_xml_value(element, attribute);
    *class = name != NULL ? find(mjcf, name) : otherwise;
    if (name != NULL && *class < 0 && strcmp(name, "main") != 0) {
        return rct_source_fail(mjcf->source, element, RCT_ERROR_MODEL,
                               "no default class is called \"%.64s\"; correct the name", name);
    }
    return RCT_OK;
}

rct_status rct_mjcf_item_of(const rct_mjcf *mjcf, rct_mjcf_item *item,
                            const rct_xml_element *element, int32_t class)
{
    item->element = element;
    return rct_mjcf_find_class(mjcf, &item->class, element, "class", class);
}

const rct_xml_element *rct_mjcf_next_level(const rct_mjcf *mjcf, rct_mjcf_item *level,
                                           const rct_xml_element *element)
{
    const rct_xml_element *found = level->element;
    level->element = NULL;
    while (found == NULL && level->class >= 0) {
        for (found = mjcf->class[level->class].element->child;
             found != NULL && !is(found, element->name); found = found->next) {
        }
        level->class = mjcf->class[level->class].parent;
    }
    return found;
}

const char *rct_mjcf_value(const rct_mjcf *mjcf, const rct_mjcf_item *item, const char *name,
                           const rct_xml_element **at)
{
    rct_mjcf_item level = *item;
    const char *value = NULL;
    do {
        *at = rct_mjcf_next_level(mjcf, &level, item->element);
        value = *at != NULL ? rct_xml_value(*at, name) : NULL;
    } while (*at != NULL && value == NULL);
    return value;
}

rct_status rct_mjcf_numbers(const rct_mjcf *mjcf, double *numbers, int count,
                            const rct_mjcf_item *item, const char *name)
{
    const rct_xml_element *at = NULL;
    const char *text = rct_mjcf_value(mjcf, item, name, &at);
    return text != NULL ? rct_source_parse(mjcf->source, numbers, count, at, name, text) : RCT_OK;
}

rct_status rct_mjcf_zero(const rct_mjcf *mjcf, const rct_mjcf_item *item, const char *name)
{
    double number = 0.0;
    rct_status status = rct_mjcf_numbers(mjcf, &number, 1, item, name);
    if (status == RCT_OK && number != 0.0) {
        status = rct_source_unsupported(mjcf->source, item->element, "%s (%g) is not supported",
                                        name, number);
    }
    return status;
}
