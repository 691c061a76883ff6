/* XML text as a tree of elements with their attributes and lines; text between elements is dropped.
 * Nothing is loaded, no document type is accepted, so there are no entities but the five of XML. */
#ifndef RCT_IMPORT_XML_H
#define RCT_IMPORT_XML_H

#include "core/memory.h"

#include <string.h>

enum { RCT_XML_DEPTH = 256 }; /* elements within each other, at most */

typedef struct rct_xml_attribute {
    const char *name, *value;
} rct_xml_attribute;

/* Names with a prefix are "prefix:name". */
typedef struct rct_xml_element {
    const char *name;
    int32_t line; /* where its tag begins, from 1 */
    int32_t attribute_count;
    const rct_xml_attribute *attributes;
    struct rct_xml *file;
    const void *mark; /* of the reader of a format, NULL at first */
    struct rct_xml_element *parent, *child, *last,
        *next; /* child: the first, last: of its children */
} rct_xml_element;

typedef struct rct_xml {
    rct_xml_element *root;
    struct rct_source *source;    /* what becomes of it (source.h), set by who reads the tree     */
    const char *name;             /* of a file that another one includes; NULL: the first         */
    const struct rct_xml *within; /* that other file                                           */
    const char *
        folder; /* of a model that another one attaches, from that of the first; NULL: that itself */
    struct rct_xml *next; /* a further file of the same model                              */
    rct_arena memory;     /* of the tree */
} rct_xml;

/* The tree of a text, whose root will stand `depth` deep within other elements. NULL on failure, with `error`, which is not NULL,
 * filled: RCT_ERROR_SYNTAX with line and column, RCT_ERROR_UNSUPPORTED for a document type. */
rct_xml *rct_xml_parse(const char *text, int64_t size, int32_t depth, rct_error *error);
void rct_xml_free(rct_xml *xml); /* and all further files */

/* Put all children of `from`, which keep their lines and files, in the place of the element that a link leads to, `child` of its
 * parent or `next` of the one before; `from` may be that element. The link behind them. */
rct_xml_element **rct_xml_splice(rct_xml_element **link, rct_xml_element *from);

/* The value of an attribute, NULL if it is not there. */
const char *rct_xml_value(const rct_xml_element *element, const char *name);

static inline int rct_xml_is(const rct_xml_element *element, const char *name)
{
    return strcmp(element->name, name) == 0;
}

#endif
