/* MJCF: the sections of a file. Settings and defaults are read first, wherever they stand, then
 * the bodies. */
#include "import/mjcf.h"
#include "core/error.h"

#include <string.h>

static const double pi = 3.14159265358979323846;

/* Sections, both read and ignored ones. */
static const char sections[] =
    "compiler option size statistic asset visual default worldbody contact actuator sensor "
    "keyframe custom extension equality tendon deformable";

static const char compiler_attributes[] =
    "autolimits boundmass boundinertia settotalmass balanceinertia strippath coordinate angle "
    "fitaabb eulerseq meshdir texturedir assetdir discardvisual usethread fusestatic "
    "inertiafromgeom inertiagrouprange saveinertial alignfree convexhull exactmeshinertia";

static const char option_attributes[] =
    "timestep apirate impratio gravity wind magnetic density viscosity o_margin o_solref o_solimp "
    "o_friction integrator cone jacobian solver iterations tolerance ls_iterations ls_tolerance "
    "noslip_iterations noslip_tolerance ccd_iterations ccd_tolerance mpr_iterations mpr_tolerance "
    "sdf_iterations sdf_initpoints actuatorgroupdisable collision sleep_tolerance";

static void read_sequence(rct_mjcf *mjcf, const rct_xml_element *compiler)
{
    const char *given = rct_xml_value(compiler, "eulerseq");
    const char *sequence = given != NULL ? given : mjcf->sequence;
    rct_source_demand(compiler, strlen(sequence) == 3 && strspn(sequence, "xyzXYZ") == 3,
                      "eulerseq=\"%.64s\": give three letters of x y z X Y Z", sequence);
    mjcf->sequence = sequence;
}

/* Settings that would change masses after the numbers of the file. */
static void check_changes(rct_mjcf *mjcf, const rct_xml_element *compiler)
{
    static const char *const switches[] = {"false", "true", NULL};
    const rct_mjcf_item item = {mjcf, compiler, -1, RCT_MJCF_OTHER};
    rct_mjcf_zero(&item, "boundmass");
    rct_mjcf_zero(&item, "boundinertia");
    rct_mjcf_numbers(&mjcf->total, 1, &item, "settotalmass");
    mjcf->aligns_free = rct_source_word(mjcf->aligns_free, compiler, "alignfree", switches);
    mjcf->fuses_static = rct_source_word(mjcf->fuses_static, compiler, "fusestatic", switches);
    rct_source_unsupported(compiler, mjcf->fuses_static && mjcf->total > 0.0,
                           "settotalmass with fusestatic is not supported");
    rct_source_unsupported(compiler, rct_source_word(0, compiler, "balanceinertia", switches),
                           "balanceinertia is not supported");
}

/* The folder of meshes, and how their volume is computed. */
static void read_meshes(rct_mjcf *mjcf, const rct_xml_element *compiler)
{
    static const char *const switches[] = {"false", "true", NULL};
    const char *own = rct_xml_value(compiler, "meshdir"),
               *all = rct_xml_value(compiler, "assetdir");
    mjcf->mesh_folder = own != NULL ? own : all != NULL ? all : mjcf->mesh_folder;
    mjcf->strip_path = rct_source_word(mjcf->strip_path, compiler, "strippath", switches);
    mjcf->exact_meshes =
        rct_source_word(mjcf->exact_meshes, compiler, "exactmeshinertia", switches);
}

static void read_compiler(rct_mjcf *mjcf, const rct_xml_element *compiler)
{
    static const char *const angles[] = {"degree", "radian", NULL};
    static const char *const coordinates[] = {"local", "global", NULL};
    static const char *const from_geoms[] = {"auto", "true", "false", NULL};
    rct_source_check_attributes(compiler, compiler_attributes);
    rct_source_check_children(compiler, "lengthrange");
    const int radian = rct_source_word(mjcf->angle == 1.0, compiler, "angle", angles);
    mjcf->angle = radian ? 1.0 : pi / 180.0;
    if (rct_source_word(0, compiler, "coordinate", coordinates)) {
        rct_source_fail(compiler, RCT_ERROR_UNSUPPORTED,
                        "global coordinates are not supported; give local ones");
    }
    mjcf->inertia = (rct_mjcf_inertia)rct_source_word((int)mjcf->inertia, compiler,
                                                      "inertiafromgeom", from_geoms);
    rct_source_optional(mjcf->groups, 2, compiler, "inertiagrouprange");
    read_sequence(mjcf, compiler);
    read_meshes(mjcf, compiler);
    check_changes(mjcf, compiler);
}

static const char *const flags[RCT_MJCF_FLAGS] = {
    [RCT_MJCF_GRAVITY] = "gravity", [RCT_MJCF_CONSTRAINT] = "constraint",
    [RCT_MJCF_TIES] = "equality",   [RCT_MJCF_FRICTION] = "frictionloss",
    [RCT_MJCF_SPRING] = "spring",   [RCT_MJCF_DAMPER] = "damper",
    [RCT_MJCF_PASSIVE] = "passive",
};

/* The flags that are read, and those that are ignored. */
static const char flag_attributes[] =
    "gravity constraint equality frictionloss spring damper passive limit contact clampctrl "
    "warmstart filterparent actuation refsafe sensor midphase eulerdamp autoreset nativeccd island "
    "override energy fwdinv invdiscrete multiccd sleep diagexact sensornoise solverstat";

static void read_flags(rct_mjcf *mjcf, const rct_xml_element *flag)
{
    static const char *const switches[] = {"enable", "disable", NULL};
    rct_source_check_attributes(flag, flag_attributes);
    for (int i = 0; i < RCT_MJCF_FLAGS; i++) {
        mjcf->disabled[i] = rct_source_word(mjcf->disabled[i], flag, flags[i], switches);
        rct_source_unsupported(flag, i >= RCT_MJCF_SPRING && mjcf->disabled[i],
                               "disabling %s is not supported", flags[i]);
    }
}

int rct_mjcf_constrains(const rct_mjcf *mjcf, rct_mjcf_flag what)
{
    return !mjcf->disabled[what] && !mjcf->disabled[RCT_MJCF_CONSTRAINT];
}

static void read_option(rct_mjcf *mjcf, rct_model *model, const rct_xml_element *option)
{
    rct_source *source = mjcf->source;
    const rct_mjcf_item item = {mjcf, option, -1, RCT_MJCF_OTHER};
    double gravity[3];
    rct_model_gravity(model, gravity);
    rct_source_check_attributes(option, option_attributes);
    rct_source_check_children(option, "flag");
    rct_mjcf_zero(&item, "density");
    rct_mjcf_zero(&item, "viscosity");
    rct_source_optional(gravity, 3, option, "gravity");
    const rct_xml_element *flag = rct_source_child(option, "flag");
    if (flag != NULL) {
        read_flags(mjcf, flag);
    }
    RCT_THEN(source->status, rct_model_set_gravity(model, gravity, source->error));
}

/* Refuse everything that constrains or pulls bodies, one by one, so that notes say which. */
static void refuse(const rct_xml_element *section)
{
    for (const rct_xml_element *c = section->child; c != NULL; c = c->next) {
        rct_source_unsupported(c, 1, "this element is not supported in <%s>", section->name);
    }
}

static void read_settings(rct_mjcf *mjcf, rct_model *model)
{
    static const double none[3] = {0.0, 0.0, 0.0};
    rct_source_check_attributes(mjcf->root, "model");
    rct_source_check_children(mjcf->root, sections);
    for (const rct_xml_element *c = mjcf->root->child; c != NULL; c = c->next) {
        if (rct_xml_is(c, "compiler")) {
            read_compiler(mjcf, c);
        } else if (rct_xml_is(c, "option") && model != NULL) {
            read_option(mjcf, model, c);
        } else if (rct_xml_is(c, "deformable")) {
            refuse(c);
        }
    }
    if (model != NULL && mjcf->disabled[RCT_MJCF_GRAVITY]) {
        RCT_THEN(mjcf->source->status, rct_model_set_gravity(model, none, mjcf->source->error));
    }
    rct_mjcf_read_defaults(mjcf);
}

/* Read all sections of this name, in order. */
static void read_sections(rct_mjcf *mjcf, const char *name,
                          void (*read)(const rct_mjcf *mjcf, const rct_xml_element *section))
{
    for (const rct_xml_element *c = mjcf->source->root->child;
         c != NULL && mjcf->source->status == RCT_OK; c = c->next) {
        if (rct_xml_is(c, name)) {
            read(mjcf, c);
        }
    }
}

/* Scale all masses so that their sum is the one the file asks for. */
static void scale_masses(const rct_mjcf *mjcf)
{
    double sum = 0.0;
    for (int32_t i = 0; i < mjcf->parts->count; i++) {
        sum += mjcf->parts->part[i].mass.mass;
    }
    for (int32_t i = 0; i < mjcf->parts->count && mjcf->total > 0.0 && sum > 0.0; i++) {
        rct_mass *mass = &mjcf->parts->part[i].mass;
        mass->mass *= mjcf->total / sum;
        for (int k = 0; k < 6; k++) {
            mass->inertia[k] *= mjcf->total / sum;
        }
    }
}

/* The armature of a ball, or of the ball of a free joint, is about the axes of the body: add it
 * to the inertia about each axis. */
static void add_rotors(const rct_mjcf *mjcf)
{
    for (int32_t i = 0; i < mjcf->parts->count; i++) {
        rct_part *p = &mjcf->parts->part[i];
        for (int k = 0; k < 3 && p->hinge == RCT_HINGE_BALL; k++) {
            p->mass.inertia[k] += p->armature[0];
        }
        p->armature[0] = p->hinge == RCT_HINGE_BALL ? 0.0 : p->armature[0];
    }
}

rct_mjcf rct_mjcf_none(rct_source *source, rct_parts *parts, rct_xml_element *root)
{
    return (rct_mjcf){.source = source,
                      .parts = parts,
                      .root = root,
                      .angle = pi / 180.0,
                      .sequence = "xyz",
                      .groups = {0.0, 5.0},
                      .main = -1};
}

void rct_mjcf_open(rct_mjcf *mjcf, rct_model *model)
{
    rct_mjcf_include(mjcf->root);
    read_settings(mjcf, model);
    rct_mjcf_attach(mjcf);
    rct_mjcf_repeat(mjcf, mjcf->root);
}

void rct_mjcf_read(rct_model *model, rct_parts *parts, rct_source *source)
{
    rct_mjcf mjcf = rct_mjcf_none(source, parts, source->root);
    rct_mjcf_open(&mjcf, model);
    rct_mjcf_open_frames(&mjcf, mjcf.root);
    read_sections(&mjcf, "worldbody", rct_mjcf_read_world);
    scale_masses(&mjcf);
    add_rotors(&mjcf);
    read_sections(&mjcf, "tendon", rct_mjcf_read_tendons);
    if (rct_mjcf_constrains(&mjcf, RCT_MJCF_TIES)) {
        read_sections(&mjcf, "equality", rct_mjcf_read_equality);
    }
    read_sections(&mjcf, "actuator", rct_mjcf_read_actuators);
    rct_mjcf_free_defaults(&mjcf);
}
