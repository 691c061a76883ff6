/* MJCF: further files. <include file="..."/> is replaced by the elements of that file, which
 * keep their lines and the name of their file. Their paths start in the folder of the first
 * file, or in one of the two above it; only regular files are opened, also through links. */
#include "core/error.h"
#include "core/memory.h"
#include "core/read_file.h"
#include "import/mjcf.h"

#include <stdio.h>
#include <string.h>

enum { FOLDERS_UP = 2, MOST_DEEP = 32, MOST_FILES = 1000 };

/* Whether a relative path leads at most FOLDERS_UP above its start. */
static int stays_near(const char *path)
{
    int depth = 0, least = 0;
    while (*path != '\0') {
        const size_t length = strcspn(path, "/\\");
        if (length == 2 && strncmp(path, "..", 2) == 0) {
            depth--;
        } else if (length > 0 && !(length == 1 && path[0] == '.')) {
            depth++;
        }
        least = depth < least ? depth : least;
        path += length + (path[length] != '\0');
    }
    return least >= -FOLDERS_UP;
}

int rct_mjcf_path(char path[RCT_MJCF_PATH], const rct_xml_element *at, const char *file)
{
    const char *first = rct_source_of(at)->path;
    const char *slash = first != NULL ? strrchr(first, '/') : NULL;
    const char *inner = at->file->folder != NULL ? at->file->folder : "";
    char own[RCT_MJCF_PATH];
    const int folder = slash != NULL ? (int)(slash - first) + 1 : 0;
    if (first == NULL) {
        snprintf(path, RCT_MJCF_PATH,
                 "a model given as text has no folder to look for the file \"%.64s\" in; import "
                 "the model from its file",
                 file);
        return 0;
    }
    if (file[0] == '/' || file[0] == '\\' || strchr(file, ':') != NULL) {
        snprintf(path, RCT_MJCF_PATH,
                 "the file \"%.64s\" has an absolute path; give one relative to the folder of the "
                 "model",
                 file);
        return 0;
    }
    const int long_own = snprintf(own, sizeof own, "%s%s", inner, file);
    if (!stays_near(own)) {
        snprintf(path, RCT_MJCF_PATH,
                 "the file \"%.64s\" is more than %d folders above that of the model; move it",
                 file, FOLDERS_UP);
        return 0;
    }
    if (long_own >= RCT_MJCF_PATH ||
        snprintf(path, RCT_MJCF_PATH, "%.*s%s", folder, first, own) >= RCT_MJCF_PATH) {
        snprintf(path, RCT_MJCF_PATH, "the path of the file is too long");
        return 0;
    }
    return 1;
}

int32_t rct_mjcf_depth(const rct_xml_element *element)
{
    int32_t depth = 0;
    for (; element->parent != NULL; element = element->parent) {
        depth++;
    }
    return depth;
}

/* The file that an element names; it must not be a file around it. */
static const char *file_of(const rct_xml_element *include)
{
    const char *name = rct_xml_value(include, "file");
    int deep = 0;
    if (rct_source_demand(include, name != NULL, "it names no file; add file=\"...\"")) {
        for (const rct_xml *x = include->file; x->name != NULL; x = x->within, deep++) {
            rct_source_demand(include, strcmp(x->name, name) != 0,
                              "the file \"%.64s\" includes itself; remove this include", name);
        }
        rct_source_demand(include, deep < MOST_DEEP,
                          "includes are nested more than %d deep; nest fewer files", MOST_DEEP);
    }
    return name;
}

/* Errors of parsing name the file, and where it is included. */
static rct_xml *parse(const rct_xml_element *include, const char *name, int32_t depth)
{
    rct_source *source = rct_source_of(include);
    char path[RCT_MJCF_PATH];
    int64_t size = 0;
    if (!rct_source_demand(include, rct_mjcf_path(path, include, name), "%s", path)) {
        return NULL;
    }
    char *text = rct_read_regular_file(path, "the file", &size, source->error);
    rct_xml *xml = text != NULL ? rct_xml_parse(text, size, depth, source->error) : NULL;
    if (xml == NULL) {
        source->status = source->error->status;
        rct_error_prefix(source->error, "%.64s: ", name);
        if (text == NULL) {
            rct_source_locate(include);
        }
    }
    rct_release(text);
    return xml;
}

rct_xml *rct_mjcf_file(const rct_xml_element *at, int32_t depth)
{
    rct_source *source = rct_source_of(at);
    const char *name = file_of(at);
    rct_source_demand(at, source->files < MOST_FILES,
                      "more than %d files are included; include fewer", MOST_FILES);
    rct_xml *xml = source->status == RCT_OK ? parse(at, name, depth) : NULL;
    if (xml == NULL) {
        return NULL;
    }
    rct_xml *main = source->root->file;
    xml->source = source;
    xml->next = main->next;
    main->next = xml;
    source->files++;
    xml->name = name; /* in the memory of the including file */
    xml->within = at->file;
    xml->folder = at->file->folder;
    return xml;
}

/* Whether the file was read. */
static int read_file(const rct_xml_element *include)
{
    rct_source_check_attributes(include, "file");
    const rct_xml *xml = rct_mjcf_file(include, rct_mjcf_depth(include));
    return xml != NULL &&
           rct_source_demand(
               xml->root, rct_xml_is(xml->root, "mujoco") || rct_xml_is(xml->root, "mujocoinclude"),
               "the root element of a file that is included must be <mujocoinclude> "
               "or <mujoco>");
}

/* Included elements may include others, so they are searched as if they had always been there. */
void rct_mjcf_include(rct_xml_element *parent)
{
    const rct_source *source = rct_source_of(parent);
    rct_xml_element **link = &parent->child;
    while (*link != NULL && source->status == RCT_OK) {
        if (!rct_xml_is(*link, "include")) {
            rct_mjcf_include(*link);
            link = &(*link)->next;
        } else if (read_file(*link)) {
            rct_xml_splice(link, source->root->file->next->root);
        }
    }
}
