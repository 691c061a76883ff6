/* Filling the rct_error of the caller: one line of text, where it happened, and the status
 * returned. */
#ifndef RCT_CORE_ERROR_H
#define RCT_CORE_ERROR_H

#include <riccatree/status.h>

#include <stdarg.h>
#include <stddef.h>

/* The next of several steps, a call that gives a status: skipped once a step has failed, whose
 * status stays. */
#define RCT_THEN(status, step) ((status) = (status) == RCT_OK ? (step) : (status))

/* Fill `error` (may be NULL) with printf-style text, body = -1, line = 0, step = -1; returns
 * `status`, for `return rct_fail(...)`. */
__attribute__((format(printf, 3, 4))) rct_status rct_fail(rct_error *error, rct_status status,
                                                          const char *format, ...);

/* The same, naming a body. */
__attribute__((format(printf, 4, 5))) rct_status
rct_fail_body(rct_error *error, rct_status status, int32_t body, const char *format, ...);

/* The same for functions that take printf-style text themselves. */
__attribute__((format(printf, 4, 0))) rct_status rct_fail_list(rct_error *error, rct_status status,
                                                               int32_t body, const char *format,
                                                               va_list arguments);

/* The ending of a noun after this count. */
static inline const char *rct_plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

/* Put printf-style text before that of `error` (may be NULL); the rest stays. */
__attribute__((format(printf, 2, 3))) void rct_error_prefix(rct_error *error, const char *format,
                                                            ...);

/* RCT_ERROR_MEMORY, with the number of bytes asked for and their purpose. */
rct_status rct_fail_memory(rct_error *error, int64_t bytes, const char *what);

/* RCT_ERROR_ARGUMENT: the argument `name` is NULL. */
rct_status rct_fail_null(rct_error *error, const char *name);

/* Whether a required argument is given; if not, `error` says so. Public functions call this
 * first. */
static inline int rct_given(const void *argument, const char *name, rct_error *error)
{
    return argument != NULL || rct_fail_null(error, name) == RCT_OK;
}

/* Put "PATH: " before the text; of a long path only its end. */
void rct_error_name_file(rct_error *error, const char *path);

/* Advice on an errno of a file operation, to end a line with: "; ...", or "". */
const char *rct_advice(int number);

#endif
