/* XML text as a tree of elements with their attributes and lines; text between elements is
 * dropped. Nothing is loaded and no document type is accepted, so there are only the five
 * entities of XML. */
#ifndef RCT_IMPORT_XML_H
#define RCT_IMPORT_XML_H

#include "core/memory.h"

#include <string.h>

enum { RCT_XML_DEPTH = 256 }; /* deepest nesting of elements */

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
    const void *mark; /* for the reader of a format; NULL at first */
    struct rct_xml_element *parent, *child, *last,
        *next; /* child: the first child; last: the last child */
} rct_xml_element;

typedef struct rct_xml {
    rct_xml_element *root;
    struct rct_source *source;    /* errors and notes (source.h), set by the reader of the tree   */
    const char *name;             /* of an included file; NULL: the first file                    */
    const struct rct_xml *within; /* the file that includes it                                 */
    const char *
        folder; /* of a model that another model attaches, from that of the first; NULL: that folder itself */
    struct rct_xml *next; /* a further file of the same model                              */
    rct_arena memory;     /* of the tree */
} rct_xml;

/* The tree of a text, whose root gets depth `depth`. NULL on failure, with `error`, which is not
 * NULL, filled: RCT_ERROR_SYNTAX with line and column, RCT_ERROR_UNSUPPORTED for a document
 * type. */
rct_xml *rct_xml_parse(const char *text, int64_t size, int32_t depth, rct_error *error);
void rct_xml_free(rct_xml *xml); /* and all further files */

/* Replace the element to which a link leads, `child` of its parent or `next` of the one before,
 * by all children of `from`, which keep their lines and files; `from` may be that element.
 * Returns the link behind them. */
rct_xml_element **rct_xml_splice(rct_xml_element **link, rct_xml_element *from);

/* The value of an attribute, NULL if it is missing. */
const char *rct_xml_value(const rct_xml_element *element, const char *name);

static inline int rct_xml_is(const rct_xml_element *element, const char *name)
{
    return strcmp(element->name, name) == 0;
}

#endif
