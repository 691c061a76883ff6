/* Structs that grow: how a program and a library of different versions share them.
 *
 * Every public struct may get new fields at its end. Therefore a function that takes or fills a
 * struct is told its size in the header that the caller was compiled with. Callers need not know
 * this: `rct_model_add_body(model, &body, ...)` is an inline function that passes the struct and
 * its size to the exported `rct_model_add_body_sized`; all such functions work in this way. A
 * program that finds functions by name (dlsym, ctypes) calls the exported ones.
 *
 * If the caller is older than the library, fields that the caller does not have keep their
 * defaults, and none of them is filled. If the caller is newer, fields that the library does not
 * know must be zero, as rct_x_default leaves them, else RCT_ERROR_ARGUMENT; in structs that the
 * library fills they are zero. Zero always means the same as the absence of the field.
 *
 * A struct may hold another struct by value (`held`), and may point to an array of structs
 * (`item`); these grow by the same rule. Structs handed to the caller's functions
 * (rct_member_result) are only read there, as far as the caller's header declares them. These
 * structs are frozen, because they lie in arrays of both sides or in these pairs: rct_error,
 * rct_loop_term, rct_ensemble_begun, rct_in, rct_out.
 */
#ifndef RICCATREE_SIZED_H
#define RICCATREE_SIZED_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* A struct of the caller that is read; `at` NULL: there is none. */
typedef struct rct_in {
    const void *at;
    int64_t size; /* bytes */
    int64_t held; /* bytes of the struct that it holds by value, or 0 */
    int64_t item; /* bytes of one of the structs that it points to, or 0 */
} rct_in;

/* A struct of the caller that is written. */
typedef struct rct_out {
    void *at;
    int64_t size, held, item;
} rct_out;

/* Make the argument for a struct that is read, with the sizes that the caller knows. */
static inline rct_in rct_in_of(const void *at, size_t size, size_t held, size_t item)
{
    rct_in in;
    in.at = at;
    in.size = (int64_t)size;
    in.held = (int64_t)held;
    in.item = (int64_t)item;
    return in;
}

/* Make the argument for a struct that is filled, with the sizes that the caller knows. */
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
