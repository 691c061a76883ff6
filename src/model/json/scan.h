/* JSON text token by token (RFC 8259). A scan looks at one token; what is none fails with its line and column and what stands
 * there. */
#ifndef RCT_MODEL_JSON_SCAN_H
#define RCT_MODEL_JSON_SCAN_H

#include <riccatree/status.h>

/* Kinds of tokens: {}[]:, are their own, '"' is a string, '0' a number, 't', 'f' and 'n' are true, false and null, '\0' is the
 * end of the text, '?' what is no token: the scan has failed. */
typedef struct rct_json_scan {
    const char *text, *end; /* all of it                                                       */
    const char *token, *at; /* the present token, and the byte behind it                       */
    char kind;              /* of it                                                           */
    int escaped;            /* it is a string with escapes                                     */
    int keep;               /* numbers are asked for, and not only whether they can be doubles */
    double number;
    rct_status status; /* that of the first failure */
    rct_error *error;  /* never NULL                */
} rct_json_scan;

/* The token that starts at a byte that is neither white nor one of {}[]:, or at the end. */
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

/* RCT_ERROR_SYNTAX at the end of the present token, with what is said and, of a short token, what it is; nothing more after the
 * first. The other shows no token. */
void rct_json_scan_fail(rct_json_scan *scan, const char *says);
void rct_json_scan_fail_plain(rct_json_scan *scan, const char *says);

/* The string that is the present token, without its quotes and escapes and with a zero behind it; bytes without that zero.
 * `text` has room for as many bytes as the token. Half a character, by its escape, is an error. */
int64_t rct_json_scan_string(rct_json_scan *scan, char *text);

/* number.c: the number that starts at `from`, with a digit or a minus; the byte behind it. Not `good`: up to there it is none.
 * One too large for a double is infinite. */
const char *rct_json_scan_number(const char *from, const char *end, double *number, int *good);

#endif
