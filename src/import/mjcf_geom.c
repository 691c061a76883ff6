/* MJCF: geoms: their shapes, and the mass of solid primitives and meshes of uniform density. */
#include "import/mjcf.h"

#include <math.h>
#include <string.h>

const char rct_mjcf_geom_attributes[] =
    "name class type contype conaffinity condim group priority size material friction mass density "
    "shellinertia solmix solref solimp margin gap fromto pos quat axisangle euler xyaxes zaxis "
    "rgba hfield mesh fitscale fluidshape fluidcoef user";

static const char *const solids[RCT_SOLIDS] = {"sphere", "capsule", "ellipsoid", "cylinder", "box"};

static const double water = 1000.0; /* kg/m^3, the default density */

enum { WITHOUT_MASS = -1, MESH = -2, UNKNOWN = -3 };

/* A rct_solid, or planes and height fields, which have no mass, or others. */
static int solid_of(const char *type)
{
    int i = RCT_SOLIDS - 1;
    while (i >= 0 && strcmp(type, solids[i]) != 0) {
        i--;
    }
    const int flat = strcmp(type, "plane") == 0 || strcmp(type, "hfield") == 0;
    return i >= 0 ? i : flat ? WITHOUT_MASS : strcmp(type, "mesh") == 0 ? MESH : UNKNOWN;
}

/* Numbers of a size that an element lacks come from its class, one by one. */
static void read_size(double size[3], int needed, const rct_mjcf_item *item)
{
    rct_mjcf_item level = *item;
    int filled = 0;
    const rct_xml_element *at = rct_mjcf_next_level(&level);
    for (; at != NULL && filled < needed; at = rct_mjcf_next_level(&level)) {
        const char *text = rct_xml_value(at, "size");
        double given[3];
        const int count = text != NULL ? rct_source_parse_some(given, 3, at, "size", text) : 0;
        for (; filled < count; filled++) {
            size[filled] = given[filled];
        }
    }
    rct_source_demand(item->element, filled >= needed, "its size needs %d number%s", needed,
                      needed == 1 ? "" : "s");
    for (int i = 0; i < needed; i++) {
        rct_source_demand(item->element, size[i] > 0.0, "a size is %g m; it must be positive",
                          size[i]);
    }
}

/* Both sizes across are the first one. */
static void read_sizes_of_ends(double size[3], rct_solid solid, double half,
                               const rct_mjcf_item *item)
{
    rct_source_demand(item->element, solid != RCT_SOLID_SPHERE,
                      "a sphere does not have two ends; give pos instead of fromto");
    read_size(size, 1, item);
    size[rct_solid_sizes(solid) - 1] = half;
    if (rct_solid_sizes(solid) == 3) {
        size[1] = size[0];
    }
}

static rct_place read_solid(double size[3], rct_solid solid, const rct_mjcf_item *item)
{
    rct_place place;
    const double half = rct_mjcf_between(&place, item);
    if (half > 0.0) {
        read_sizes_of_ends(size, solid, half, item);
        return place;
    }
    read_size(size, rct_solid_sizes(solid), item);
    return rct_mjcf_place(item);
}

static void add_solid(rct_mass *sum, rct_solid solid, double mass, double density,
                      const rct_mjcf_item *item)
{
    double size[3] = {0.0, 0.0, 0.0};
    const rct_xml_element *at = NULL;
    const rct_place place = read_solid(size, solid, item);
    mass = isnan(mass) ? density * rct_solid_volume(solid, size) : mass;
    const char *shell = rct_mjcf_value(item, "shellinertia", &at);
    rct_source_unsupported(item->element, shell != NULL && strcmp(shell, "false") != 0,
                           "shellinertia is not supported");
    rct_mass piece = rct_solid_mass(solid, size, mass);
    rct_mass_move(&piece, &place);
    rct_mass_add(sum, &piece);
}

static void add_mesh(rct_mass *sum, const char *name, double mass, double density,
                     const rct_mjcf_item *item)
{
    char text[RCT_MJCF_PATH];
    rct_mass piece = {.mass = 0.0};
    const char *trouble = rct_mjcf_mesh_mass(&piece, text, item->mjcf, name);
    rct_source_unsupported(item->element, trouble != NULL,
                           "the mass of its mesh is not known: %.400s; give its body an <inertial>",
                           trouble);
    const rct_place place = rct_mjcf_place(item);
    if (trouble == NULL) {
        density = isnan(mass) ? density : mass / piece.mass;
        piece.mass *= density;
        for (int k = 0; k < 6; k++) {
            piece.inertia[k] *= density;
        }
        rct_mass_move(&piece, &place);
        rct_mass_add(sum, &piece);
    }
}

/* The type of an item, a sphere by default, and the mesh it names, or NULL. */
static const char *type_of(const rct_mjcf_item *item, const char **mesh)
{
    const rct_xml_element *at = NULL;
    const char *type = rct_mjcf_value(item, "type", &at);
    *mesh = rct_mjcf_value(item, "mesh", &at);
    return type != NULL ? type : "sphere";
}

/* The mass is `mass` if given, else `density` times volume. A primitive that names a mesh takes
 * its size from it. */
static void add_geom(rct_mass *sum, const rct_mjcf_item *item)
{
    const double *groups = item->mjcf->groups;
    const char *mesh = NULL;
    double group = 0.0, mass = NAN, density = water;
    rct_source_check_attributes(item->element, rct_mjcf_geom_attributes);
    rct_mjcf_numbers(&group, 1, item, "group");
    rct_mjcf_numbers(&mass, 1, item, "mass");
    rct_mjcf_numbers(&density, 1, item, "density");
    rct_source_demand(item->element, !(mass < 0.0), "its mass is %g kg; it must not be negative",
                      mass);
    rct_source_demand(item->element, density >= 0.0,
                      "its density is %g kg/m^3; it must not be negative", density);
    const char *type = type_of(item, &mesh);
    const int solid = solid_of(type), empty = isnan(mass) ? density == 0.0 : mass == 0.0;
    if (rct_source_of(item->element)->status != RCT_OK || group < groups[0] || group > groups[1] ||
        empty || solid == WITHOUT_MASS) {
        return;
    }
    if (solid >= 0 && mesh == NULL) {
        add_solid(sum, (rct_solid)solid, mass, density, item);
    } else if (solid == MESH && mesh != NULL) {
        add_mesh(sum, mesh, mass, density, item);
    } else {
        rct_source_unsupported(item->element, 1,
                               "the mass of a geom of type %.32s%s is not known; give its body an "
                               "<inertial>",
                               type, mesh != NULL ? " with a mesh" : "");
    }
}

rct_mass rct_mjcf_mass_of_geoms(const rct_mjcf *mjcf, const rct_xml_element *body, int32_t class)
{
    rct_mass mass = {.mass = 0.0};
    for (const rct_xml_element *c = body->child; c != NULL; c = c->next) {
        if (rct_xml_is(c, "geom")) {
            const rct_mjcf_item item = rct_mjcf_item_of(mjcf, c, class, RCT_MJCF_GEOM);
            add_geom(&mass, &item);
        }
    }
    return mass;
}

/* ---- shapes of bodies --------------------------------------------------------------------- */

/* A geom of a class, the hinge point of its body. */
typedef struct looks {
    const rct_mjcf *mjcf;
    const rct_xml_element *geom;
    int32_t class;
    const double *point;
} looks;

/* Sizes are halves in the file. */
static int read_looks(rct_shape *shape, rct_place *place, const void *from)
{
    static const int types[RCT_SOLIDS] = {RCT_SHAPE_SPHERE, RCT_SHAPE_CAPSULE, -1,
                                          RCT_SHAPE_CYLINDER, RCT_SHAPE_BOX};
    const looks *own = from;
    const rct_mjcf_item item = rct_mjcf_item_of(own->mjcf, own->geom, own->class, RCT_MJCF_GEOM);
    double size[3] = {0.0, 0.0, 0.0};
    const char *mesh = NULL;
    const int solid = solid_of(type_of(&item, &mesh));
    if (solid < 0 || types[solid] < 0 || mesh != NULL) {
        return 0;
    }
    *place = read_solid(size, (rct_solid)solid, &item);
    shape->type = (rct_shape_type)types[solid];
    for (int i = 0; i < 3; i++) {
        place->at[i] -= own->point[i];
        shape->size[i] = shape->type == RCT_SHAPE_BOX ? 2.0 * size[i] : 0.0;
    }
    shape->radius = shape->type != RCT_SHAPE_BOX ? size[0] : 0.0;
    shape->length = rct_solid_sizes((rct_solid)solid) == 2 ? 2.0 * size[1] : 0.0;
    return 1;
}

void rct_mjcf_read_shapes(const rct_mjcf *mjcf, int32_t part, const double point[3],
                          const rct_xml_element *body, int32_t class)
{
    for (const rct_xml_element *c = body->child; c != NULL; c = c->next) {
        if (rct_xml_is(c, "geom")) {
            const looks own = {mjcf, c, class, point};
            rct_parts_append_shape(mjcf->parts, mjcf->source, part, read_looks, &own);
        }
    }
}
