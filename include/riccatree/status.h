/* Status codes, and the error record that every fallible function of Riccatree fills.
 *
 * A fallible function returns rct_status (or NULL from a `create`). If its rct_error argument is
 * not NULL, the function describes the error there: what went wrong, where, and what to do. The
 * library never prints, exits or aborts, and keeps no global state.
 *
 * A pointer may be NULL only where its function says so. Elsewhere NULL is RCT_ERROR_ARGUMENT with
 * the name of the argument, and so is a number or an enumerator outside its domain. Functions
 * without a status that are handed NULL return 0 or NULL, NaN for a time, -1 for a search; they
 * fill a struct with zeros, with NaN where its numbers are results, and leave an array alone.
 * Functions that free or close accept NULL.
 */
#ifndef RICCATREE_STATUS_H
#define RICCATREE_STATUS_H

#include <stdint.h>

#if defined(__GNUC__)
#define RCT_API __attribute__((visibility("default")))
#else
#define RCT_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The result of a call. */
typedef enum rct_status {
    RCT_OK = 0,
    RCT_ERROR_ARGUMENT,    /* an argument outside its documented domain */
    RCT_ERROR_MEMORY,      /* an allocation failed */
    RCT_ERROR_IO,          /* a file could not be opened, read or written */
    RCT_ERROR_SYNTAX,      /* a model file that is not JSON, or not XML */
    RCT_ERROR_MODEL,       /* a model that describes no valid system */
    RCT_ERROR_SINGULAR,    /* a pivot of the elimination vanished: accelerations undetermined */
    RCT_ERROR_DIVERGED,    /* the state is no longer finite */
    RCT_ERROR_UNSUPPORTED, /* valid, but not available in this build */
    RCT_ERROR_DEVICE,      /* an accelerator, or the communication of ranks, failed while it
                            * worked */
    RCT_ERROR_LOOP,        /* loops that cannot be closed, or that contradict one another */
} rct_status;

enum { RCT_ERROR_TEXT_SIZE = 512 };

/* The error record, filled by the first failing function. It is frozen: it never gets another
 * field. Fields that do not apply hold -1 (body, step) or 0. */
typedef struct rct_error {
    rct_status status;
    int32_t body;                   /* id of the body concerned, or -1 */
    int32_t line;                   /* line in the model file, from 1, or 0 */
    int32_t column;                 /* column in the model file, from 1, or 0 */
    int64_t step;                   /* time step during which the error happened, or -1 */
    char text[RCT_ERROR_TEXT_SIZE]; /* one line: what, where, what to do */
} rct_error;

/* The name of a status ("ok", "model", ...), never NULL. */
RCT_API const char *rct_status_name(rct_status status);

/* Write the end of an error message about a `name` that is not one of `names` (with NULL at the
 * end): `; did you mean "X"? Advice` if one of them, X, is close enough, else `; advice`. `advice`
 * may be NULL. Returns `text`. */
RCT_API const char *rct_did_you_mean(const char *name, const char *const *names, const char *advice,
                                     char text[RCT_ERROR_TEXT_SIZE]);

#ifdef __cplusplus
}
#endif
#endif
