/* Structs that grow: how a program and a library of different versions share them.
 *
 * Every public struct may get fields at its end. So a function that takes or fills one is told how long it is in the
 * header that its caller was compiled with. Callers need not know: `rct_model_add_body(model, &body, ...)` is an inline
 * function that passes the struct with its size to the exported `rct_model_add_body_sized`, and so are all of them. A
 * program that finds functions by name (dlsym, ctypes) calls the exported ones.
 *
 * A caller older than the library: fields that it does not have keep their defaults, and none of them is filled.
 * A caller newer than the library: fields that the library does not know must be zero, as they are in what rct_x_default
 * gives, else RCT_ERROR_ARGUMENT; in what is filled they are zero. Zero always means what the field's absence meant.
 *
 * A struct may hold another by value (`held`), and may point to structs of which it has several (`item`); these grow by
 * the same rule. Structs handed to the caller's functions (rct_member_result) are only read there, as far as its own
 * header has them. Frozen, for they lie in arrays of both sides or in these pairs: rct_error, rct_loop_term,
 * rct_ensemble_begun, rct_in, rct_out.
 */
#ifndef RICCATREE_SIZED_H
#define RICCATREE_SIZED_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A struct of the caller's that is read; `at` NULL: there is none. */
typedef struct rct_in {
    const void *at;
    int64_t size; /* bytes                                                                       */
    int64_t held; /* of the struct that it holds by value, or 0                                  */
    int64_t item; /* of one of the structs that it points to, or 0                               */
} rct_in;

/* A struct of the caller's that is written. */
typedef struct rct_out {
    void *at;
    int64_t size, held, item;
} rct_out;

/* What is handed to a function: an argument and the sizes that its caller knows. */
static inline rct_in rct_in_of(const void *at, size_t size, size_t held, size_t item)
{
    rct_in in;
    in.at = at;
    in.size = (int64_t)size;
    in.held = (int64_t)held;
    in.item = (int64_t)item;
    return in;
}

/* What a function fills: room and the sizes that its caller knows. */
static inline rct_out rct_out_of(void *at, size_t size, size_t held, size_t item)
{
    rct_out out;
    out.at = at;
    out.size = (int64_t)size;
    out.held = (int64_t)held;
    out.item = (int64_t)item;
    return out;
}

#ifdef __cplusplus
}
#endif
#endif
