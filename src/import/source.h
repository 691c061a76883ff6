/* Shared by the readers of a file: errors with lines, ignored or refused elements, attributes as
 * numbers. A source that has failed keeps its first error, and the functions below then do
 * nothing, so a caller need not test after every value. */
#ifndef RCT_IMPORT_SOURCE_H
#define RCT_IMPORT_SOURCE_H

#include "import/xml.h"

#include <riccatree/import.h>

typedef struct rct_source {
    rct_xml_element *root;
    const char *path; /* of the file, NULL: a text */
    int64_t files;    /* further files that were read   */
    int64_t copies;   /* elements that are copies of others */
    const rct_import_options *options;
    rct_import_report *report;
    rct_status status;
    rct_error *error;
} rct_source;

static inline rct_source *rct_source_of(const rct_xml_element *element)
{
    return element->file->source;
}

/* "line 7: <joint> "elbow": TEXT". */
__attribute__((format(printf, 3, 4))) void
rct_source_fail(const rct_xml_element *at, rct_status status, const char *format, ...);

/* Fail with RCT_ERROR_MODEL, in the same form, unless `holds`; returns `holds`. */
__attribute__((format(printf, 3, 4))) int rct_source_demand(const rct_xml_element *at, int holds,
                                                            const char *format, ...);

/* Something given that changes the motion and is not supported: a note if the caller asked for
 * that, else an error. */
__attribute__((format(printf, 3, 4))) void
rct_source_unsupported(const rct_xml_element *at, int given, const char *format, ...);

/* Fail with RCT_ERROR_MEMORY if `memory` is NULL; the error is filled already. */
void rct_source_have(rct_source *source, const void *memory);

/* Put "line N: ", or "FILE: line N: " for a file other than the first, before the text of an
 * error that another layer filled. */
void rct_source_locate(const rct_xml_element *at);

/* Whether `word` is in a list of words separated by single spaces. */
int rct_word_in(const char *list, const char *word);

/* Every attribute, or every child, must be in the list; others are not supported. */
void rct_source_check_attributes(const rct_xml_element *element, const char *known);
void rct_source_check_children(const rct_xml_element *element, const char *known);

/* The only child of that name, or NULL; two are an error. */
const rct_xml_element *rct_source_child(const rct_xml_element *element, const char *name);

enum { RCT_SOURCE_NUMBERS = 7 }; /* the longest list */

/* Exactly `count` <= RCT_SOURCE_NUMBERS finite numbers, separated by white space, from `text`,
 * the value of attribute `name` of `at`. On failure `numbers` stays unchanged. */
void rct_source_parse(double *numbers, int count, const rct_xml_element *at, const char *name,
                      const char *text);

/* The same for up to `most` numbers; returns how many there are. */
int rct_source_parse_some(double *numbers, int most, const rct_xml_element *at, const char *name,
                          const char *text);

/* As rct_source_parse, for an attribute that may be missing (numbers then stay unchanged), or
 * that is required. */
void rct_source_optional(double *numbers, int count, const rct_xml_element *at, const char *name);
void rct_source_required(double *numbers, int count, const rct_xml_element *at, const char *name);

/* The number of the word in an attribute, from a list that ends with NULL; `otherwise` if the
 * attribute is missing. */
int rct_source_word(int otherwise, const rct_xml_element *at, const char *name,
                    const char *const words[]);

#endif
