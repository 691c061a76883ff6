/* MJCF: the meshes of <asset> from which bodies take their mass. */
#include "core/memory.h"
#include "import/mesh.h"
#include "import/mjcf.h"

#include <stdio.h>
#include <string.h>

static const char harmless_and_read[] =
    "name class content_type file scale inertia smoothnormal maxhullvert material";

/* Whether a mesh has this name; without a name it has that of its file, without folders and
 * ending. */
static int is_called(const rct_xml_element *mesh, const char *name)
{
    const char *own = rct_xml_value(mesh, "name"), *file = rct_xml_value(mesh, "file");
    if (own != NULL || file == NULL) {
        return own != NULL && strcmp(own, name) == 0;
    }
    const char *slash = strrchr(file, '/');
    const char *start = slash != NULL ? slash + 1 : file, *dot = strrchr(start, '.');
    const size_t length = dot != NULL ? (size_t)(dot - start) : strlen(start);
    return strlen(name) == length && strncmp(start, name, length) == 0;
}

static const rct_xml_element *find_mesh(const rct_mjcf *mjcf, const char *name)
{
    const rct_xml_element *found = NULL;
    for (const rct_xml_element *s = mjcf->root->child; s != NULL; s = s->next) {
        for (const rct_xml_element *m = s->child; rct_xml_is(s, "asset") && m != NULL;
             m = m->next) {
            if (rct_xml_is(m, "mesh") && is_called(m, name)) {
                rct_source_demand(m, found == NULL,
                                  "line %d already has a mesh of that name; rename one",
                                  found != NULL ? found->line : 0);
                found = m;
            }
        }
    }
    return found;
}

/* The path of its file, or instead of it why there is none. */
static int path_of(char path[RCT_MJCF_PATH], const rct_mjcf *mjcf, const rct_xml_element *mesh)
{
    char file[RCT_MJCF_PATH];
    const char *given = rct_xml_value(mesh, "file");
    const char *slash = given != NULL && mjcf->strip_path ? strrchr(given, '/') : NULL;
    const char *folder = mjcf->mesh_folder != NULL ? mjcf->mesh_folder : "";
    if (given == NULL) {
        snprintf(path, RCT_MJCF_PATH, "the mesh has no file");
        return 0;
    }
    snprintf(file, sizeof file, "%s%s%s", folder, folder[0] != '\0' ? "/" : "",
             slash != NULL ? slash + 1 : given);
    return rct_mjcf_path(path, mesh, file);
}

/* How its pyramids count, as in rct_mesh_mass; -1: unknown. */
static int is_signed(const rct_mjcf *mjcf, const rct_mjcf_item *mesh)
{
    const rct_xml_element *at = NULL;
    const char *rule = rct_mjcf_value(mesh, "inertia", &at);
    if (rule == NULL || strcmp(rule, "legacy") == 0) {
        return mjcf->exact_meshes;
    }
    return strcmp(rule, "exact") == 0 ? 1 : -1;
}

const char *rct_mjcf_mesh_mass(rct_mass *mass, char text[RCT_MJCF_PATH], const rct_mjcf *mjcf,
                               const char *name)
{
    double scale[3] = {1.0, 1.0, 1.0};
    rct_error error = {.text = ""};
    rct_mesh mesh = {.count = 0};
    const rct_xml_element *element = find_mesh(mjcf, name);
    if (element == NULL) {
        snprintf(text, RCT_MJCF_PATH, "no mesh is called \"%.64s\"", name);
        return text;
    }
    const rct_mjcf_item item = rct_mjcf_item_of(mjcf, element, mjcf->main, RCT_MJCF_MESH);
    const int rule = is_signed(mjcf, &item);
    rct_source_check_attributes(element, harmless_and_read);
    rct_mjcf_numbers(scale, 3, &item, "scale");
    if (rule < 0) {
        return "the mesh has an inertia other than legacy and exact";
    }
    if (!path_of(text, mjcf, element)) {
        return text;
    }
    if (rct_mesh_read(&mesh, text, scale, &error) == RCT_OK) {
        *mass = rct_mesh_mass(&mesh, rule);
    } else {
        snprintf(text, RCT_MJCF_PATH, "%.400s", error.text);
    }
    rct_release(mesh.triangle);
    return error.text[0] != '\0' ? text : mass->mass > 0.0 ? NULL : "the mesh has no volume";
}
