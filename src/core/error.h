/* Filling the caller's rct_error: one line of text, where it happened, and the status returned. */
#ifndef RCT_CORE_ERROR_H
#define RCT_CORE_ERROR_H

#include <riccatree/status.h>

#include <stdarg.h>
#include <stddef.h>

/* The next of several steps, a call that gives a status: left out once one has failed, whose status stays. */
#define RCT_THEN(status, step) ((status) = (status) == RCT_OK ? (step) : (status))

/* Fill `error` (may be NULL) with printf-style text, body = -1, line = 0, step = -1; give `status`
 * back, so that `return rct_fail(...)` reads as what it does. */
__attribute__((format(printf, 3, 4))) rct_status rct_fail(rct_error *error, rct_status status,
                                                          const char *format, ...);

/* The same, naming a body. */
__attribute__((format(printf, 4, 5))) rct_status
rct_fail_body(rct_error *error, rct_status status, int32_t body, const char *format, ...);

/* The same for functions that are given printf-style text themselves. */
__attribute__((format(printf, 4, 0))) rct_status rct_fail_list(rct_error *error, rct_status status,
                                                               int32_t body, const char *format,
                                                               va_list arguments);

/* What a noun ends in behind a count of it. */
static inline const char *rct_plural(int64_t count)
{
    return count == 1 ? "" : "s";
}

/* Put printf-style text before that of `error` (may be NULL). All else stays. */
__attribute__((format(printf, 2, 3))) void rct_error_prefix(rct_error *error, const char *format,
                                                            ...);

/* RCT_ERROR_MEMORY with the number of bytes asked for and what they were for. */
rct_status rct_fail_memory(rct_error *error, int64_t bytes, const char *what);

/* RCT_ERROR_ARGUMENT: an argument of that name is NULL. */
rct_status rct_fail_null(rct_error *error, const char *name);

/* Whether an argument that must not be NULL is there; else it has failed so. The first thing that a public function asks. */
static inline int rct_given(const void *argument, const char *name, rct_error *error)
{
    return argument != NULL || rct_fail_null(error, name) == RCT_OK;
}

/* Put "PATH: " there; of a long path its end. */
void rct_error_name_file(rct_error *error, const char *path);

/* What the user can do about an errno that a file met, to end a line with: "; ...", or "". */
const char *rct_advice(int number);

#endif
