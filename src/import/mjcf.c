/* MJCF: the sections of a file. Settings and defaults first, whatever their order, then the bodies. */
#include "import/mjcf.h"

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

/* The number of the word that an attribute holds, `otherwise` if the attribute is missing. */
static int read_word(rct_source *source, int otherwise, const rct_xml_element *element,
                     const char *name, const char *const words[])
{
    const char *value = rct_xml_value(element, name);
    for (int i = 0; value != NULL && words[i] != NULL; i++) {
        if (strcmp(value, words[i]) == 0) {
            return i;
        }
    }
    if (value != NULL) {
        rct_source_fail(source, element, RCT_ERROR_MODEL,
                        "%s=\"%.64s\" is not known; give %s or %s", name, value, words[0],
                        words[1]);
    }
    return otherwise;
}

static void read_sequence(rct_mjcf *mjcf, const rct_xml_element *compiler)
{
    const char *sequence = rct_xml_value(compiler, "eulerseq");
    if (sequence != NULL && (strlen(sequence) != 3 || strspn(sequence, "xyzXYZ") != 3)) {
        rct_source_fail(mjcf->source, compiler, RCT_ERROR_MODEL,
                        "eulerseq=\"%.64s\": give three letters of x y z X Y Z", sequence);
    }
    mjcf->sequence = sequence != NULL ? sequence : mjcf->sequence;
}

/* What would change masses behind the numbers of the file. */
static void check_changes(rct_mjcf *mjcf, const rct_xml_element *compiler)
{
    static const char *const switches[] = {"false", "true", NULL};
    const rct_mjcf_item item = {compiler, -1};
    double total = -1.0;
    rct_mjcf_zero(mjcf, &item, "boundmass");
    rct_mjcf_zero(mjcf, &item, "boundinertia");
    rct_mjcf_numbers(mjcf, &total, 1, &item, "settotalmass");
    if (total > 0.0) {
        rct_source_unsupported(mjcf->source, compiler, "settotalmass is not supported");
    }
    if (read_word(mjcf->source, 0, compiler, "balanceinertia", switches)) {
        rct_source_unsupported(mjcf->source, compiler, "balanceinertia is not supported");
    }
}

static void read_compiler(rct_mjcf *mjcf, const rct_xml_element *compiler)
{
    static const char *const angles[] = {"degree", "radian", NULL};
    static const char *const coordinates[] = {"local", "global", NULL};
    static const char *const from_geoms[] = {"auto", "true", "false", NULL};
    rct_source *source = mjcf->source;
    rct_source_check_attributes(source, compiler, compiler_attributes);
    rct_source_check_children(source, compiler, "lengthrange");
    const int radian = read_word(source, mjcf->angle == 1.0, compiler, "angle", angles);
    mjcf->angle = radian ? 1.0 : pi / 180.0;
    if (read_word(source, 0, compiler, "coordinate", coordinates)) {
        rct_source_fail(source, compiler, RCT_ERROR_UNSUPPORTED,
                        "global coordinates are not supported; give local ones");
    }
    mjcf->inertia = (rct_mjcf_inertia)read_word(source, (int)mjcf->inertia, compiler,
                                                "inertiafromgeom", from_geoms);
    rct_source_optional(source, mjcf->groups, 2, compiler, "inertiagrouprange");
    read_sequence(mjcf, compiler);
    check_changes(mjcf, compiler);
}

static int is_disabled(const rct_xml_element *flag, const char *name)
{
    const char *value = rct_xml_value(flag, name);
    return value != NULL && strcmp(value, "disable") == 0;
}

static void read_flags(rct_source *source, double gravity[3], const rct_xml_element *flag)
{
    static const char *const forceful[] = {"passive", "spring", "damper"};
    for (int i = 0; i < 3; i++) {
        if (is_disabled(flag, forceful[i])) {
            rct_source_unsupported(source, flag, "disabling %s is not supported", forceful[i]);
        }
    }
    if (is_disabled(flag, "gravity")) {
        gravity[0] = gravity[1] = gravity[2] = 0.0;
    }
}

static void read_option(rct_mjcf *mjcf, rct_model *model, const rct_xml_element *option)
{
    rct_source *source = mjcf->source;
    const rct_mjcf_item item = {option, -1};
    double gravity[3];
    rct_model_gravity(model, gravity);
    rct_source_check_attributes(source, option, option_attributes);
    rct_source_check_children(source, option, "flag");
    rct_mjcf_zero(mjcf, &item, "density");
    rct_mjcf_zero(mjcf, &item, "viscosity");
    rct_source_optional(source, gravity, 3, option, "gravity");
    const rct_xml_element *flag = rct_source_child(source, option, "flag");
    if (flag != NULL) {
        read_flags(source, gravity, flag);
    }
    if (source->status == RCT_OK) {
        source->status = rct_model_set_gravity(model, gravity, source->error);
    }
}

/* What constrains or pulls bodies, each thing by itself: notes then say which. */
static void refuse(rct_source *source, const rct_xml_element *section)
{
    for (const rct_xml_element *c = section->child; c != NULL; c = c->next) {
        rct_source_unsupported(source, c, "such an element in <%s> is not supported",
                               section->name);
    }
}

static void read_settings(rct_mjcf *mjcf, rct_model *model)
{
    rct_source *source = mjcf->source;
    rct_source_check_attributes(source, source->root, "model");
    rct_source_check_children(source, source->root, sections);
    for (const rct_xml_element *c = source->root->child; c != NULL; c = c->next) {
        if (rct_xml_is(c, "compiler")) {
            read_compiler(mjcf, c);
        } else if (rct_xml_is(c, "option")) {
            read_option(mjcf, model, c);
        } else if (rct_word_in(forces, c->name)) {
            refuse(source, c);
        }
    }
    rct_mjcf_read_defaults(mjcf);
}

void rct_mjcf_read(rct_model *model, rct_parts *parts, rct_source *source)
{
    rct_mjcf mjcf = {.source = source,
                     .parts = parts,
                     .angle = pi / 180.0,
                     .sequence = "xyz",
                     .groups = {0.0, 5.0},
                     .main = -1};
    read_settings(&mjcf, model);
    for (const rct_xml_element *c = source->root->child; c != NULL && source->status == RCT_OK;
         c = c->next) {
        if (rct_xml_is(c, "worldbody")) {
            rct_mjcf_read_world(&mjcf, c);
        }
    }
    rct_mjcf_free_defaults(&mjcf);
}
