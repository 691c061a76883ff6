/* MJCF: the sections of a file. Settings and defaults first, whatever their order, then the bodies. */
#include "import/mjcf.h"

#include "import/readers.h"

#include <string.h>

static const double pi = 3.14159265358979323846;

/* Sections, with and without a meaning here; tendons and the like have one only if they hold something. */
static const char sections[] = "compiler option size statistic asset visual default worldbody "
                               "contact actuator sensor keyframe "
                               "custom extension equality tendon deformable";
static const char forces[] = "equality tendon deformable";

static const char compiler_attributes[] =
    "autolimits boundmass boundinertia settotalmass balanceinertia strippath coordinate angle "
    "fitaabb "
    "eulerseq meshdir texturedir assetdir discardvisual usethread fusestatic inertiafromgeom "
    "inertiagrouprange saveinertial alignfree convexhull exactmeshinertia";

static const char option_attributes[] =
    "timestep apirate impratio gravity wind magnetic density viscosity o_margin o_solref o_solimp "
    "o_friction integrator cone jacobian solver iterations tolerance ls_iterations ls_tolerance "
    "noslip_iterations noslip_tolerance ccd_iterations ccd_tolerance mpr_iterations mpr_tolerance "
    "sdf_iterations sdf_initpoints actuatorgroupdisable collision sleep_tolerance";

/* The number of the word that an attribute holds; `choice` is left as it is if the attribute is missing. */
static rct_status read_word(rct_source *source, int *choice, const rct_xml_element *element,
                            const char *name, const char *const words[])
{
    const char *value = rct_xml_value(element, name);
    for (int i = 0; value != NULL && words[i] != NULL; i++) {
        if (strcmp(value, words[i]) == 0) {
            *choice = i;
            return RCT_OK;
        }
    }
    return value == NULL ? RCT_OK
                         : rct_source_fail(source, element, RCT_ERROR_MODEL,
                                           "%s=\"%.64s\" is not known; give %s or %s", name, value,
                                           words[0], words[1]);
}

static rct_status read_sequence(rct_mjcf *mjcf, const rct_xml_element *compiler)
{
    const char *sequence = rct_xml_value(compiler, "eulerseq");
    if (sequence != NULL && (strlen(sequence) != 3 || strspn(sequence, "xyzXYZ") != 3)) {
        return rct_source_fail(mjcf->source, compiler, RCT_ERROR_MODEL,
                               "eulerseq=\"%.64s\": give three letters of x y z X Y Z", sequence);
    }
    mjcf->sequence = sequence != NULL ? sequence : mjcf->sequence;
    return RCT_OK;
}

/* What would change masses behind the numbers of the file. */
static rct_status check_changes(rct_mjcf *mjcf, const rct_xml_element *compiler)
{
    static const char *const switches[] = {"false", "true", NULL};
    const rct_mjcf_item item = {compiler, -1};
    double total = -1.0;
    int balance = 0;
    rct_status status = rct_mjcf_zero(mjcf, &item, "boundmass");
    if (status == RCT_OK) {
        status = rct_mjcf_zero(mjcf, &item, "boundinertia");
    }
    if (status == RCT_OK) {
        status = rct_mjcf_numbers(mjcf, &total, 1, &item, "settotalmass");
    }
    if (status == RCT_OK && total > 0.0) {
        status = rct_source_unsupported(mjcf->source, compiler, "settotalmass is not supported");
    }
    if (status == RCT_OK) {
        status = read_word(mjcf->source, &balance, compiler, "balanceinertia", switches);
    }
    if (status == RCT_OK && balance) {
        status = rct_source_unsupported(mjcf->source, compiler, "balanceinertia is not supported");
    }
    return status;
}

static rct_status read_compiler(rct_mjcf *mjcf, const rct_xml_element *compiler)
{
    static const char *const angles[] = {"degree", "radian", NULL};
    static const char *const coordinates[] = {"local", "global", NULL};
    static const char *const from_geoms[] = {"auto", "true", "false", NULL};
    rct_source *source = mjcf->source;
    int angle = mjcf->angle == 1.0, global = 0, inertia = (int)mjcf->inertia;
    rct_status status = rct_source_check_attributes(source, compiler, compiler_attributes);
    if (status == RCT_OK) {
        status = rct_source_check_children(source, compiler, "lengthrange");
    }
    if (status == RCT_OK) {
        status = read_word(source, &angle, compiler, "angle", angles);
    }
    if (status == RCT_OK) {
        status = read_word(source, &global, compiler, "coordinate", coordinates);
    }
    if (status == RCT_OK && global) {
        status = rct_source_fail(source, compiler, RCT_ERROR_UNSUPPORTED,
                                 "global coordinates are not supported; give local ones");
    }
    if (status == RCT_OK) {
        status = read_word(source, &inertia, compiler, "inertiafromgeom", from_geoms);
    }
    if (status == RCT_OK) {
        status = rct_source_optional(source, mjcf->groups, 2, compiler, "inertiagrouprange");
    }
    mjcf->angle = angle ? 1.0 : pi / 180.0;
    mjcf->inertia = (rct_mjcf_inertia)inertia;
    if (status == RCT_OK) {
        status = read_sequence(mjcf, compiler);
    }
    return status == RCT_OK ? check_changes(mjcf, compiler) : status;
}

static int is_disabled(const rct_xml_element *flag, const char *name)
{
    const char *value = rct_xml_value(flag, name);
    return value != NULL && strcmp(value, "disable") == 0;
}

static rct_status read_flags(rct_source *source, double gravity[3], const rct_xml_element *flag)
{
    static const char *const forceful[] = {"passive", "spring", "damper"};
    rct_status status = RCT_OK;
    for (int i = 0; i < 3 && status == RCT_OK; i++) {
        if (is_disabled(flag, forceful[i])) {
            status =
                rct_source_unsupported(source, flag, "disabling %s is not supported", forceful[i]);
        }
    }
    if (is_disabled(flag, "gravity")) {
        gravity[0] = gravity[1] = gravity[2] = 0.0;
    }
    return status;
}

static rct_status read_option(rct_mjcf *mjcf, rct_model *model, const rct_xml_element *option)
{
    rct_source *source = mjcf->source;
    const rct_mjcf_item item = {option, -1};
    const rct_xml_element *flag = NULL;
    double gravity[3];
    rct_model_gravity(model, gravity);
    rct_status status = rct_source_check_attributes(source, option, option_attributes);
    if (status == RCT_OK) {
        status = rct_source_check_children(source, option, "flag");
    }
    if (status == RCT_OK) {
        status = rct_mjcf_zero(mjcf, &item, "density");
    }
    if (status == RCT_OK) {
        status = rct_mjcf_zero(mjcf, &item, "viscosity");
    }
    if (status == RCT_OK) {
        status = rct_source_optional(source, gravity, 3, option, "gravity");
    }
    if (status == RCT_OK) {
        status = rct_source_child(source, &flag, option, "flag");
    }
    if (status == RCT_OK && flag != NULL) {
        status = read_flags(source, gravity, flag);
    }
    return status == RCT_OK ? rct_model_set_gravity(model, gravity, source->error) : status;
}

/* What constrains or pulls bodies, each thing by itself: notes then say which. */
static rct_status refuse(rct_source *source, const rct_xml_element *section)
{
    rct_status status = RCT_OK;
    for (const rct_xml_element *c = section->child; c != NULL && status == RCT_OK; c = c->next) {
        status = rct_source_unsupported(source, c, "such an element in <%s> is not supported",
                                        section->name);
    }
    return status;
}

static rct_status read_settings(rct_mjcf *mjcf, rct_model *model)
{
    rct_source *source = mjcf->source;
    rct_status status = rct_source_check_attributes(source, source->root, "model");
    if (status == RCT_OK) {
        status = rct_source_check_children(source, source->root, sections);
    }
    for (const rct_xml_element *c = source->root->child; c != NULL && status == RCT_OK;
         c = c->next) {
        if (strcmp(c->name, "compiler") == 0) {
            status = read_compiler(mjcf, c);
        } else if (strcmp(c->name, "option") == 0) {
            status = read_option(mjcf, model, c);
        } else if (rct_word_in(forces, c->name)) {
            status = refuse(source, c);
        }
    }
    return status == RCT_OK ? rct_mjcf_read_defaults(mjcf) : status;
}

rct_status rct_mjcf_read(rct_model *model, rct_parts *parts, rct_source *source)
{
    rct_mjcf mjcf = {.source = source,
                     .parts = parts,
                     .angle = pi / 180.0,
                     .sequence = "xyz",
                     .groups = {0.0, 5.0},
                     .main = -1};
    rct_status status = read_settings(&mjcf, model);
    for (const rct_xml_element *c = source->root->child; c != NULL && status == RCT_OK;
         c = c->next) {
        if (strcmp(c->name, "worldbody") == 0) {
            status = rct_mjcf_read_world(&mjcf, c);
        }
    }
    rct_mjcf_free_defaults(&mjcf);
    return status;
}
