/* What all readers of a file share: errors with lines, what is ignored or refused, attributes as numbers. A source in which
 * something has failed keeps its first error, and nothing below does anything more, so that not every value needs to be asked
 * after. */
#ifndef RCT_IMPORT_SOURCE_H
#define RCT_IMPORT_SOURCE_H

#include "import/xml.h"

#include <riccatree/import.h>

typedef struct rct_source {
    rct_xml_element *root;
    const char *path; /* of the file, NULL: a text */
    int64_t files;    /* further ones that are read     */
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

/* The same with RCT_ERROR_MODEL if something does not hold; gives back whether it does. */
__attribute__((format(printf, 3, 4))) int rct_source_demand(const rct_xml_element *at, int holds,
                                                            const char *format, ...);

/* What changes the motion, if it is given, and is not supported: noted where that was asked for, else an error. */
__attribute__((format(printf, 3, 4))) void
rct_source_unsupported(const rct_xml_element *at, int given, const char *format, ...);

/* RCT_ERROR_MEMORY, of which the error tells, where `memory` is NULL. */
void rct_source_have(rct_source *source, const void *memory);

/* Put "line N: ", of another file than the first "FILE: line N: ", before the text of an error that another layer has filled. */
void rct_source_locate(const rct_xml_element *at);

/* Whether `word` stands in a list of words separated by single spaces. */
int rct_word_in(const char *list, const char *word);

/* Every attribute, every child is in the list, or it is not supported. */
void rct_source_check_attributes(const rct_xml_element *element, const char *known);
void rct_source_check_children(const rct_xml_element *element, const char *known);

/* The only child of that name, or NULL; two are an error. */
const rct_xml_element *rct_source_child(const rct_xml_element *element, const char *name);

enum { RCT_SOURCE_NUMBERS = 7 }; /* the longest list there is */

/* Exactly `count` <= RCT_SOURCE_NUMBERS finite numbers separated by white space: `text`, the value of attribute `name` of `at`. They are left as
 * they are on failure. */
void rct_source_parse(double *numbers, int count, const rct_xml_element *at, const char *name,
                      const char *text);

/* The same for up to `most` numbers: how many there are. */
int rct_source_parse_some(double *numbers, int most, const rct_xml_element *at, const char *name,
                          const char *text);

/* As rct_source_parse, of an attribute that may be missing (numbers are then left as they are), or must be there. */
void rct_source_optional(double *numbers, int count, const rct_xml_element *at, const char *name);
void rct_source_required(double *numbers, int count, const rct_xml_element *at, const char *name);

/* The number of the word that an attribute holds, of a list that ends with NULL; `otherwise` if the attribute is missing. */
int rct_source_word(int otherwise, const rct_xml_element *at, const char *name,
                    const char *const words[]);

#endif
