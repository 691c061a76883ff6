/* MJCF: <attach> is replaced by a copy of a body or frame of another model, a <model> of
 * <asset>, or of everything in its world; names get a prefix. The copy keeps the settings and
 * classes of its own model (rct_mjcf_frame.model). Tendons, ties and rotors of that model are
 * copied if everything that they name is. */
#include "import/mjcf.h"
#include "model/names.h"

#include <stdio.h>

/* The folder of the file that an element names, from that of the first file, ending with a
 * slash. */
static const char *folder_of(const rct_xml_element *at)
{
    const char *outer = at->file->folder != NULL ? at->file->folder : "";
    const char *file = rct_xml_value(at, "file"), *slash = strrchr(file, '/');
    const int inner = slash != NULL ? (int)(slash - file) + 1 : 0;
    const size_t size = strlen(outer) + (size_t)inner + 1;
    char *folder = rct_mjcf_take(at, (int64_t)size);
    if (folder != NULL) {
        snprintf(folder, size, "%s%.*s", outer, inner, file);
    }
    return folder;
}

/* The model of a <model>, read when it is first asked for. */
static rct_mjcf *load(rct_mjcf *mjcf, const rct_xml_element *asset)
{
    for (rct_mjcf *m = mjcf->attached; m != NULL; m = m->next) {
        if (m->asset == asset) {
            return m;
        }
    }
    rct_source_check_attributes(asset, "name file content_type");
    rct_xml *xml = rct_mjcf_file(asset, 0);
    rct_mjcf *model = xml != NULL ? rct_mjcf_take(asset, sizeof *model) : NULL;
    if (model == NULL ||
        !rct_source_demand(xml->root, rct_xml_is(xml->root, "mujoco"),
                           "the root element of a model that is attached must be <mujoco>")) {
        return NULL;
    }
    xml->folder = folder_of(asset);
    *model = rct_mjcf_none(mjcf->source, mjcf->parts, xml->root);
    memcpy(model->disabled, mjcf->disabled, sizeof model->disabled);
    model->asset = asset;
    model->next = mjcf->attached;
    mjcf->attached = model;
    rct_mjcf_open(model, NULL);
    model->total = 0.0; /* applies only to a model by itself */
    return model;
}

/* A <model> without a name has the name of its model. */
static rct_mjcf *find_model(rct_mjcf *mjcf, const rct_xml_element *attach)
{
    const char *name = rct_xml_value(attach, "model");
    if (!rct_source_demand(attach, name != NULL, "the attribute \"model\" is missing")) {
        return NULL;
    }
    for (const rct_xml_element *s = mjcf->root->child; s != NULL; s = s->next) {
        for (const rct_xml_element *a = rct_xml_is(s, "asset") ? s->child : NULL;
             a != NULL && mjcf->source->status == RCT_OK; a = a->next) {
            const char *given = rct_xml_value(a, "name");
            if (!rct_xml_is(a, "model") || (given != NULL && strcmp(given, name) != 0)) {
                continue;
            }
            rct_mjcf *model = load(mjcf, a);
            const char *own = model != NULL ? rct_xml_value(model->root, "model") : NULL;
            if (given != NULL || (own != NULL && strcmp(own, name) == 0)) {
                return model;
            }
        }
    }
    rct_source_demand(attach, 0, "no <model> of <asset> is called \"%.64s\"; add one", name);
    return NULL;
}

/* The <body>, or another kind of element, of that name inside an element, or NULL. */
static const rct_xml_element *find(const rct_xml_element *parent, const char *kind,
                                   const char *name)
{
    const rct_xml_element *found = NULL;
    for (const rct_xml_element *c = parent->child; c != NULL && found == NULL; c = c->next) {
        const char *own = rct_xml_value(c, "name");
        const int is = rct_xml_is(c, kind) && own != NULL && strcmp(own, name) == 0;
        found = is ? c : find(c, kind, name);
    }
    return found;
}

enum { UNKNOWN = -2 }; /* instead of a class, or of none */

/* The model of an element that is taken out of a model, and the class of its elements that name
 * none. */
static const rct_mjcf_frame *taken_from(const rct_mjcf *model, const rct_xml_element *element)
{
    rct_mjcf_frame *around = rct_mjcf_take(element, sizeof *around);
    if (around == NULL) {
        return NULL;
    }
    *around = (rct_mjcf_frame){rct_place_none(), -1, model};
    for (const rct_xml_element *e = element; e != NULL && around->model == model; e = e->parent) {
        around->model = rct_mjcf_of(model, e);
    }
    around->class = around->model->main;
    for (const rct_xml_element *e = element; e->parent != NULL; e = e->parent) {
        const int32_t near = rct_mjcf_class_around(e, UNKNOWN);
        if (near != UNKNOWN) {
            around->class = near;
            break;
        }
        if (rct_xml_value(e->parent, "childclass") != NULL) {
            around->class = rct_mjcf_find_class(around->model, e->parent, "childclass", -1);
            break;
        }
    }
    return around;
}

/* The levels of an element; 1 if it contains no elements. */
static int32_t height_of(const rct_xml_element *element)
{
    int32_t most = 0;
    for (const rct_xml_element *c = element->child; c != NULL; c = c->next) {
        const int32_t height = height_of(c);
        most = height > most ? height : most;
    }
    return most + 1;
}

static const char references[] =
    "body1 body2 site1 site2 joint1 joint2 tendon1 tendon2 joint jointinparent tendon site geom "
    "sidesite cranksite slidersite";

/* Enter all names in an element except those of frames, to which nothing refers. */
static void enter_names(rct_names *names, const rct_xml_element *element)
{
    rct_source *source = rct_source_of(element);
    const char *name = rct_xml_value(element, "name");
    if (name != NULL && !rct_xml_is(element, "frame") && source->status == RCT_OK) {
        rct_source_have(source, rct_names_add(names, name, 0, source->error));
    }
    for (const rct_xml_element *c = element->child; c != NULL; c = c->next) {
        enter_names(names, c);
    }
}

/* Whether everything that an element refers to is among the names. */
static int is_among(const rct_names *names, const rct_xml_element *element)
{
    int all = 1;
    for (int32_t i = 0; i < element->attribute_count; i++) {
        const rct_xml_attribute *a = &element->attributes[i];
        all = all && (!rct_word_in(references, a->name) || strcmp(a->value, "world") == 0 ||
                      rct_names_find(names, a->value) >= 0);
    }
    for (const rct_xml_element *c = element->child; c != NULL; c = c->next) {
        all = all && is_among(names, c);
    }
    return all;
}

typedef struct attachment {
    const rct_mjcf *model;
    const rct_xml_element *at;
    rct_xml_element *holder; /* holds the copies that replace <attach> */
    rct_names *names;        /* of the copied elements, as in their model    */
    rct_mjcf_naming naming;
} attachment;

/* A body is taken out of its frame; frames in a world are kept. */
static void attach_one(const attachment *a, const rct_xml_element *element)
{
    rct_source_demand(a->at, rct_mjcf_depth(a->at) + height_of(element) <= RCT_XML_DEPTH,
                      "elements are nested more than %d deep", (int)RCT_XML_DEPTH);
    rct_xml_element *own = rct_source_of(element)->status == RCT_OK
                               ? rct_mjcf_copy(a->holder, element, &a->naming)
                               : NULL;
    if (own != NULL) {
        own->name = "body";
        own->mark = taken_from(a->model, element);
        enter_names(a->names, element);
    }
}

/* Whether a joint or inertial in a frame belongs to the body around the frame. */
static int has_joint(const rct_xml_element *frame)
{
    int has = 0;
    for (const rct_xml_element *c = frame->child; c != NULL; c = c->next) {
        has = has || rct_word_in("joint freejoint inertial", c->name) ||
              (rct_xml_is(c, "frame") && has_joint(c));
    }
    return has;
}

/* Attach a frame in a body made for it; the frame loses the frames around it. */
static void attach_frame(const attachment *a, const rct_xml_element *frame)
{
    rct_xml_element own = *frame, body = *frame;
    const int joined = has_joint(frame);
    rct_source_unsupported(a->at, joined,
                           "attaching a frame is not supported if its joints or its inertial are "
                           "not in a body of the frame");
    if (joined) {
        return;
    }
    own.mark = NULL;
    own.next = NULL;
    body.attribute_count = 0;
    body.child = body.last = &own;
    attach_one(a, &body);
}

/* Append the elements of a section that name only attached elements to the end of the model. */
static void attach_section(const attachment *a, rct_xml_element *root, const char *name)
{
    for (const rct_xml_element *s = a->model->root->child; s != NULL; s = s->next) {
        if (!rct_xml_is(s, name)) {
            continue;
        }
        rct_xml_element empty = *s, *own = NULL;
        empty.child = empty.last = NULL;
        for (const rct_xml_element *c = s->child; c != NULL && rct_source_of(c)->status == RCT_OK;
             c = c->next) {
            const int idle =
                rct_xml_is(s, "actuator") && !rct_mjcf_is_rotor(rct_mjcf_of(a->model, c), c);
            if (idle || !is_among(a->names, c)) {
                continue;
            }
            own = own != NULL ? own : rct_mjcf_copy(root, &empty, &a->naming);
            rct_xml_element *tie = own != NULL ? rct_mjcf_copy(own, c, &a->naming) : NULL;
            if (tie != NULL) {
                tie->mark = tie->mark != NULL ? tie->mark : taken_from(a->model, s);
                enter_names(a->names, c);
            }
        }
    }
}

static int is_repeated(const rct_xml_element *element)
{
    while (element != NULL && !rct_xml_is(element, "replicate")) {
        element = element->parent;
    }
    return element != NULL;
}

/* Put the attached elements into the holder, and ties at the end of the model. */
static void fill(const attachment *a, rct_xml_element *root)
{
    const char *frame = rct_xml_value(a->at, "frame"), *body = rct_xml_value(a->at, "body");
    const char *kind = frame != NULL ? "frame" : "body", *name = frame != NULL ? frame : body;
    const rct_xml_element *last = root->last;
    const int world = frame == NULL && (body == NULL || strcmp(body, "world") == 0);
    const rct_xml_element *found = world ? NULL : find(a->model->root, kind, name);
    rct_source_demand(a->at, frame == NULL || body == NULL,
                      "both body and frame are given; keep one");
    rct_source_demand(a->at, world || found != NULL,
                      "no %s of the model is called \"%.64s\"; correct the name", kind, name);
    for (const rct_xml_element *s = world ? a->model->root->child : NULL; s != NULL; s = s->next) {
        if (rct_xml_is(s, "worldbody")) {
            attach_one(a, s);
        }
    }
    if (found != NULL) {
        (frame != NULL ? attach_frame : attach_one)(a, found);
    }
    attach_section(a, root, "tendon");
    attach_section(a, root, "equality");
    attach_section(a, root, "actuator");
    rct_source_unsupported(a->at, root->last != last && is_repeated(a->at),
                           "attaching tendons, constraints or rotors of actuators in <replicate> "
                           "is not supported");
}

/* Replace an <attach>. Returns the link behind the replacement. */
static rct_xml_element **attach(rct_mjcf *mjcf, rct_xml_element **link)
{
    const rct_xml_element *at = *link;
    rct_source *source = mjcf->source;
    rct_xml_element holder = *at;
    const char *prefix = rct_xml_value(at, "prefix");
    holder.child = holder.last = NULL;
    rct_source_check_attributes(at, "model body frame prefix");
    rct_source_demand(at, prefix != NULL, "the attribute \"prefix\" is missing");
    attachment a = {find_model(mjcf, at), at, &holder, NULL, {NULL, prefix, ""}};
    char attributes[sizeof references + 8];
    snprintf(attributes, sizeof attributes, "name %s", references);
    a.naming.attributes = attributes;
    if (source->status == RCT_OK) {
        a.names = rct_names_create(source->error);
        rct_source_have(source, a.names);
    }
    if (a.names != NULL) {
        fill(&a, mjcf->root);
    }
    rct_names_free(a.names);
    return rct_xml_splice(link, &holder);
}

static void attach_in(rct_mjcf *mjcf, rct_xml_element *parent)
{
    rct_xml_element **link = &parent->child;
    while (*link != NULL && mjcf->source->status == RCT_OK) {
        if (rct_xml_is(*link, "attach")) {
            link = attach(mjcf, link);
        } else {
            attach_in(mjcf, *link);
            link = &(*link)->next;
        }
    }
}

void rct_mjcf_attach(rct_mjcf *mjcf)
{
    for (rct_xml_element *c = mjcf->root->child; c != NULL; c = c->next) {
        if (rct_xml_is(c, "worldbody")) {
            attach_in(mjcf, c);
        }
    }
}

const rct_mjcf *rct_mjcf_of(const rct_mjcf *mjcf, const rct_xml_element *element)
{
    const rct_mjcf_frame *frame = element->mark;
    return frame != NULL && frame->model != NULL ? frame->model : mjcf;
}
