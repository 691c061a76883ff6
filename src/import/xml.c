/* XML by libxml2's SAX interface. The tree of libxml2 is not used, because it counts lines only
 * to 65,535 and takes several times the memory. The depth is limited here, so that the error can
 * say so. */
#include "import/xml.h"

#include "core/error.h"

#include <libxml/parser.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlerror.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* libxml2 takes sizes as int. */
static const int64_t most_bytes = (int64_t)1 << 30;

enum { LONGEST_DECLARATION = 256 };

typedef struct reader {
    rct_xml *xml;
    rct_xml_element *open; /* the innermost one */
    int32_t depth;
    xmlParserCtxtPtr parser;
    const char *text;
    int64_t size, counted; /* bytes in which lines have been counted */
    int32_t line, before;  /* before: lines that were skipped      */
    rct_status status;
    rct_error *error;
    char
        beneath[RCT_ERROR_TEXT_SIZE / 2]; /* what went wrong beneath the parser, or ""; the first */
} reader;

static void *take(reader *r, int64_t bytes)
{
    void *memory = rct_arena_take(&r->xml->memory, bytes, "an XML file", r->error);
    r->status = memory != NULL ? r->status : RCT_ERROR_MEMORY;
    return memory;
}

static const char *copy_name(reader *r, const xmlChar *prefix, const xmlChar *name)
{
    const char *before = prefix != NULL ? (const char *)prefix : "";
    const size_t size = strlen(before) + strlen((const char *)name) + 2;
    char *copy = take(r, (int64_t)size);
    if (copy != NULL) {
        snprintf(copy, size, "%s%s%s", before, prefix != NULL ? ":" : "", (const char *)name);
    }
    return copy;
}

/* The parser passes an attribute as five pointers: name, prefix, namespace, value, its end. */
static const rct_xml_attribute *copy_attributes(reader *r, int count, const xmlChar **from)
{
    rct_xml_attribute *attributes = take(r, count * (int64_t)sizeof *attributes);
    for (int i = 0; i < count && attributes != NULL && r->status == RCT_OK; i++) {
        const xmlChar **five = from + 5 * i;
        const int64_t length = five[4] - five[3];
        char *value = take(r, length + 1);
        attributes[i].name = copy_name(r, five[1], five[0]);
        attributes[i].value = value;
        if (value != NULL) {
            memcpy(value, five[3], (size_t)length);
            value[length] = '\0';
        }
    }
    return attributes;
}

/* The line where the tag just read begins. Lines are counted in the text itself, up to the last
 * "<" before the place of the parser, because no tag holds a second one. If the parser converts
 * from another encoding, its places are not those of the text; the line is then that of the end
 * of the tag. */
static int32_t line_of_tag(reader *r)
{
    const xmlParserInput *input = r->parser->input;
    const int converts = input->buf == NULL || input->buf->encoder != NULL;
    int64_t at = converts ? -1 : xmlByteConsumed(r->parser);
    if (at < 0 || at > r->size) {
        return input->line + r->before;
    }
    while (at > r->counted && r->text[at - 1] != '<') {
        at--;
    }
    for (; r->counted < at; r->counted++) {
        r->line += r->text[r->counted] == '\n';
    }
    return r->line;
}

static void stop(reader *r, rct_status status)
{
    r->status = status;
    xmlStopParser(r->parser);
}

/* NOLINTNEXTLINE(readability-function-size): as libxml2 has it */
static void on_start(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri,
                     int namespaces, const xmlChar **namespace_list, int count, int defaulted,
                     const xmlChar **attributes)
{
    (void)uri, (void)namespaces, (void)namespace_list, (void)defaulted;
    reader *r = context;
    if (r->status != RCT_OK) {
        return;
    }
    const int32_t line = line_of_tag(r);
    if (++r->depth > RCT_XML_DEPTH) {
        rct_fail(r->error, RCT_ERROR_UNSUPPORTED,
                 "line %d: elements are nested more than %d deep; make the file flatter", line,
                 RCT_XML_DEPTH);
        r->error->line = line;
        stop(r, RCT_ERROR_UNSUPPORTED);
        return;
    }
    rct_xml_element *element = take(r, sizeof *element);
    if (element != NULL) {
        *element = (rct_xml_element){.name = copy_name(r, prefix, name),
                                     .line = line,
                                     .attribute_count = count,
                                     .attributes = copy_attributes(r, count, attributes),
                                     .file = r->xml,
                                     .parent = r->open};
    }
    if (r->status != RCT_OK) {
        stop(r, r->status);
    } else if (r->open == NULL) {
        r->xml->root = element;
    } else {
        *(r->open->child == NULL ? &r->open->child : &r->open->last->next) = element;
        r->open->last = element;
    }
    r->open = element;
}

static void on_end(void *context, const xmlChar *name, const xmlChar *prefix, const xmlChar *uri)
{
    (void)name, (void)prefix, (void)uri;
    reader *r = context;
    if (r->status == RCT_OK) {
        r->depth--;
        r->open = r->open->parent;
    }
}

/* Called before anything that a document type declares is read. */
static void on_document_type(void *context, const xmlChar *name, const xmlChar *external,
                             const xmlChar *system)
{
    (void)name, (void)external, (void)system;
    reader *r = context;
    const int32_t line = r->parser->input->line + r->before;
    rct_fail(r->error, RCT_ERROR_UNSUPPORTED,
             "line %d: document types and their entities are not read; remove <!DOCTYPE ...>",
             line);
    r->error->line = line;
    stop(r, RCT_ERROR_UNSUPPORTED);
}

#if LIBXML_VERSION >= 21200
typedef const xmlError *error_of_parser;
#else
typedef xmlErrorPtr error_of_parser;
#endif

/* Record where the parser stopped and why; only the first time counts. */
static void fail_at(reader *r, int32_t line, int32_t column, const char *why)
{
    if (r->status == RCT_OK) {
        r->status =
            rct_fail(r->error, RCT_ERROR_SYNTAX, "line %d, column %d: not valid XML: %s%s%s", line,
                     column, why, r->beneath[0] != '\0' ? "; " : "", r->beneath);
        r->error->line = line;
        r->error->column = column;
    }
}

/* Fatal errors count. An error without a parser comes from the conversion of another encoding:
 * the parser then stops where its text ends. */
static void on_error(void *context, error_of_parser said)
{
    reader *r = context;
    char message[RCT_ERROR_TEXT_SIZE / 2];
    if (said->code == XML_ERR_NO_MEMORY && r->status == RCT_OK) {
        r->status = rct_fail_memory(r->error, r->size, "an XML file");
    }
    if (said->level != XML_ERR_FATAL) {
        return;
    }
    const char *text = said->message != NULL ? said->message : "unknown error";
    snprintf(message, sizeof message, "%.*s", (int)strcspn(text, "\n"), text);
    if (said->ctxt != NULL) {
        fail_at(r, said->line + r->before, said->int2, message);
    } else if (r->beneath[0] == '\0') {
        snprintf(r->beneath, sizeof r->beneath, "%s", message);
    }
}

/* Parsers of URDF accept white space before the declaration and any version in it, such as <?xml
 * version="0.0"?>; libxml2 does not. So a declaration is skipped if that loses nothing: if it
 * names no encoding other than ASCII or UTF-8. */
static void skip_declaration(reader *r)
{
    static const char open[] = "<?xml";
    int64_t at = 0;
    while (at < r->size && strchr(" \t\r\n", r->text[at]) != NULL && r->text[at] != '\0') {
        at++;
    }
    const int64_t begin = at;
    if (r->size - at < (int64_t)sizeof open || memcmp(r->text + at, open, sizeof open - 1) != 0 ||
        strchr(" \t\r\n", r->text[at + 5]) == NULL) {
        return;
    }
    while (at < r->size && r->text[at] != '>' && at - begin < LONGEST_DECLARATION) {
        at++;
    }
    char text[LONGEST_DECLARATION + 1] = "";
    memcpy(text, r->text + begin, (size_t)(at - begin));
    const char *encoding = strstr(text, "encoding");
    const int plain = encoding == NULL || strstr(encoding, "utf-8") != NULL ||
                      strstr(encoding, "UTF-8") != NULL || strstr(encoding, "ASCII") != NULL;
    if (at + 1 < r->size && r->text[at] == '>' && r->text[at - 1] == '?' && plain) {
        for (int64_t i = 0; i <= at; i++) {
            r->before += r->text[i] == '\n';
        }
        r->text += at + 1;
        r->size -= at + 1;
        r->line += r->before;
    }
}

/* Only the five entities of XML are replaced: without a document type there are no others, and
 * without replacement the parser would leave "&#38;" for "&" in attributes. */
static void parse(reader *r)
{
    r->parser = xmlCreateMemoryParserCtxt(r->text, (int)r->size);
    if (r->parser == NULL) {
        r->status = rct_fail_memory(r->error, r->size, "an XML file");
        return;
    }
    *r->parser->sax = (xmlSAXHandler){.initialized = XML_SAX2_MAGIC,
                                      .startElementNs = on_start,
                                      .endElementNs = on_end,
                                      .internalSubset = on_document_type,
                                      .serror = on_error};
    r->parser->userData = r;
    xmlCtxtUseOptions(r->parser, XML_PARSE_NONET | XML_PARSE_NOENT | XML_PARSE_NOWARNING);
    xmlParseDocument(r->parser);
    if (r->parser->wellFormed == 0 || r->xml->root == NULL || r->beneath[0] != '\0') {
        fail_at(r, 1, 1, "it cannot be read");
    }
    if (r->parser->myDoc != NULL) {
        xmlFreeDoc(r->parser->myDoc);
        r->parser->myDoc = NULL;
    }
    xmlFreeParserCtxt(r->parser);
}

/* libxml2 reports errors below the parser to a handler of the calling thread, which prints by
 * default. So our handler is set meanwhile; handlers of other threads stay. */
static void parse_quietly(reader *r)
{
    void *context = xmlStructuredErrorContext;
    const xmlStructuredErrorFunc handler = xmlStructuredError;
    xmlSetStructuredErrorFunc(r, on_error);
    parse(r);
    xmlSetStructuredErrorFunc(context, handler);
}

rct_xml *rct_xml_parse(const char *text, int64_t size, int32_t depth, rct_error *error)
{
    if (size > most_bytes) {
        rct_fail(error, RCT_ERROR_UNSUPPORTED, "the file has %lld bytes; at most %lld are read",
                 (long long)size, (long long)most_bytes);
        return NULL;
    }
    if (size <= 0) {
        rct_fail(error, RCT_ERROR_SYNTAX, "line 1, column 1: not valid XML: the file is empty");
        error->line = error->column = 1;
        return NULL;
    }
    rct_xml *xml = rct_allocate(1, sizeof *xml, "an XML file", error);
    if (xml == NULL) {
        return NULL;
    }
    reader r = {.xml = xml, .text = text, .size = size, .line = 1, .depth = depth, .error = error};
    skip_declaration(&r);
    parse_quietly(&r);
    if (r.status != RCT_OK) {
        rct_xml_free(xml);
        xml = NULL;
    }
    return xml;
}

void rct_xml_free(rct_xml *xml)
{
    while (xml != NULL) {
        rct_xml *next = xml->next;
        rct_arena_free(&xml->memory);
        rct_release(xml);
        xml = next;
    }
}

rct_xml_element **rct_xml_splice(rct_xml_element **link, rct_xml_element *from)
{
    rct_xml_element *element = *link, *parent = element->parent, *after = element->next;
    rct_xml_element *last = from->last;
    if (from->child == NULL) {
        *link = after;
        last = link == &parent->child
                   ? NULL
                   : (rct_xml_element *)((char *)link - offsetof(rct_xml_element, next));
    } else {
        *link = from->child;
        for (rct_xml_element *c = from->child; c != NULL; c = c->next) {
            c->parent = parent;
        }
        last->next = after;
        link = &last->next;
    }
    parent->last = after == NULL ? last : parent->last;
    from->child = from->last = NULL;
    return link;
}

const char *rct_xml_value(const rct_xml_element *element, const char *name)
{
    for (int32_t i = 0; i < element->attribute_count; i++) {
        if (strcmp(element->attributes[i].name, name) == 0) {
            return element->attributes[i].value;
        }
    }
    return NULL;
}
