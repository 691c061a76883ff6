/* MJCF: the armature and damping of actuators, which are added to joints although actuators do
 * not pull here. The joint sees them through the gear, by its square. All types of actuators of
 * a default class share one element: the value given last counts. */
#include "import/mjcf.h"

#include <string.h>

static const char types[] =
    "general motor position velocity intvelocity damper cylinder muscle adhesion dcmotor";

/* The value of an attribute, own or inherited, and the element that has it; NULL if there is
 * none. */
static const char *value_of(const rct_mjcf_item *item, const char *name, const rct_xml_element **at)
{
    const char *value = rct_xml_value(item->element, name);
    *at = item->element;
    for (int32_t k = item->class; k >= 0 && value == NULL; k = item->mjcf->class[k].parent) {
        const rct_xml_element *c = item->mjcf->class[k].section->child;
        for (; c != NULL; c = c->next) {
            const char *given = rct_word_in(types, c->name) ? rct_xml_value(c, name) : NULL;
            *at = given != NULL ? c : *at;
            value = given != NULL ? given : value;
        }
    }
    return value;
}

static double number_of(const rct_mjcf_item *item, const char *name)
{
    const rct_xml_element *at = NULL;
    const char *text = value_of(item, name, &at);
    double number = 0.0;
    if (text != NULL) {
        rct_source_parse(&number, 1, at, name, text);
    }
    rct_source_demand(at, !(number < 0.0), "%s must not be negative", name);
    return number;
}

/* The first number of the gear is that of hinges and slides. */
static double gear_of(const rct_mjcf_item *item)
{
    const rct_xml_element *at = NULL;
    const char *text = value_of(item, "gear", &at);
    double gear[6] = {1.0};
    if (text != NULL) {
        rct_source_parse_some(gear, 6, at, "gear", text);
    }
    return gear[0];
}

static rct_mjcf_item item_of(const rct_mjcf *mjcf, const rct_xml_element *actuator)
{
    return rct_mjcf_item_of(mjcf, actuator, mjcf->main, RCT_MJCF_OTHER);
}

int rct_mjcf_is_rotor(const rct_mjcf *mjcf, const rct_xml_element *actuator)
{
    const rct_mjcf_item item = item_of(mjcf, actuator);
    return number_of(&item, "armature") != 0.0 || number_of(&item, "damping") != 0.0;
}

static void read_rotor(const rct_mjcf *mjcf, const rct_xml_element *actuator)
{
    const rct_mjcf_item item = item_of(mjcf, actuator);
    const double gear = gear_of(&item);
    const rct_spot joint = rct_xml_value(actuator, "joint") != NULL
                               ? rct_parts_spot(mjcf->parts, RCT_SPOT_JOINT, actuator, "joint")
                               : (rct_spot){.coordinate = -1};
    rct_source_unsupported(
        actuator, joint.coordinate < 0,
        "armature or damping of an actuator is not supported if it has no joint, or if its joint "
        "has no coordinate of its own (free, ball, or one of three hinges that form a ball)");
    if (mjcf->source->status == RCT_OK && joint.coordinate >= 0) {
        rct_part *part = &mjcf->parts->part[joint.part];
        part->armature[joint.coordinate] += gear * gear * number_of(&item, "armature");
        part->damping[joint.coordinate] += gear * gear * number_of(&item, "damping");
    }
}

void rct_mjcf_read_actuators(const rct_mjcf *mjcf, const rct_xml_element *section)
{
    for (const rct_xml_element *c = section->child; c != NULL && mjcf->source->status == RCT_OK;
         c = c->next) {
        if (rct_mjcf_is_rotor(rct_mjcf_of(mjcf, c), c)) {
            read_rotor(rct_mjcf_of(mjcf, c), c);
        }
    }
}
