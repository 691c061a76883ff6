/* JSON text token by token (RFC 8259). A scan looks at one token; an invalid token fails with
 * its line, column and text. */
#ifndef RCT_MODEL_JSON_SCAN_H
#define RCT_MODEL_JSON_SCAN_H

#include <riccatree/status.h>

/* Kinds of tokens: {}[]:, are their own kind, '"' is a string, '0' a number, 't', 'f' and 'n'
 * are true, false and null, '\0' is the end of the text, '?' is no token: the scan has failed. */
typedef struct rct_json_scan {
    const char *text, *end; /* the whole text                                                  */
    const char *token, *at; /* the present token, and the byte behind it                       */
    char kind;              /* kind of the token                                               */
    int escaped;            /* the token is a string with escapes                              */
    int keep;               /* find the values of numbers, not only whether they can be doubles */
    double number;
    rct_status status; /* status of the first failure */
    rct_error *error;  /* never NULL                */
} rct_json_scan;

/* Scan the token at a byte that is neither white space nor one of {}[]:, or at the end. */
void rct_json_scan_token(rct_json_scan *scan);

/* Go on to the next token. */
static inline void rct_json_scan_next(rct_json_scan *scan)
{
    const char *at = scan->at;
    while (at < scan->end && (*at == ' ' || *at == '\n' || *at == '\r' || *at == '\t')) {
        at++;
    }
    scan->token = scan->at = at;
    const char c = at < scan->end ? *at : '\0';
    if (c == ',' || c == ':' || c == '[' || c == ']' || c == '{' || c == '}') {
        scan->kind = c;
        scan->at++;
    } else {
        rct_json_scan_token(scan);
    }
}

/* RCT_ERROR_SYNTAX at the end of the present token, with `says` and, if the token is short, the
 * token; later failures add nothing. The second function does not show the token. */
void rct_json_scan_fail(rct_json_scan *scan, const char *says);
void rct_json_scan_fail_plain(rct_json_scan *scan, const char *says);

/* The string of the present token, without quotes and escapes, with a zero behind it. Returns
 * its bytes without that zero. `text` has room for as many bytes as the token. An escape that is
 * half a character is an error. */
int64_t rct_json_scan_string(rct_json_scan *scan, char *text);

/* number.c: the number that starts at `from` with a digit or a minus. Returns the byte behind
 * it. If not `good`, the text up to there is no number. A number too large for a double is
 * infinite. */
const char *rct_json_scan_number(const char *from, const char *end, double *number, int *good);

#endif
