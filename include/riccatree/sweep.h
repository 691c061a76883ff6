/* A sweep file: an ensemble and how it is run, in JSON, to be read instead of options. docs/ensemble.md has the keys. */
#ifndef RICCATREE_SWEEP_H
#define RICCATREE_SWEEP_H

#include <riccatree/ensemble.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What a file says; what it does not say is as the functions for the defaults have it, t_end 1 s. Texts and arrays live until
 * it is freed. */
typedef struct rct_sweep {
    rct_ensemble_options ensemble;
    double dt, t_end;   /* s */
    int64_t series;     /* frames */
    int32_t tracked;    /* names in `track` */
    const char **track; /* bodies */
} rct_sweep;

/* NULL on failure: RCT_ERROR_IO, RCT_ERROR_SYNTAX with line and column, RCT_ERROR_ARGUMENT for a key that is unknown or
 * of the wrong kind. */
RCT_API rct_sweep *rct_sweep_read_sized(const char *path, rct_out sizes, rct_error *error);
static inline rct_sweep *rct_sweep_read(const char *path, rct_error *error)
{
    return rct_sweep_read_sized(
        path,
        rct_out_of(NULL, sizeof(rct_sweep), sizeof(rct_ensemble_options), sizeof(rct_variation)),
        error);
}
/* Free a sweep. */
RCT_API void rct_sweep_free(rct_sweep *sweep);

/* A variation as the command line has it, PATH=FROM:TO:COUNT, PATH=normal:MEAN:SD or PATH=uniform:LOW:HIGH. Its path is
 * the beginning of `text`, `path_length` bytes, and stays NULL in `variation`. RCT_ERROR_ARGUMENT. */
RCT_API rct_status rct_variation_parse_sized(const char *text, rct_out variation,
                                             int64_t *path_length, rct_error *error);
static inline rct_status rct_variation_parse(const char *text, rct_variation *variation,
                                             int64_t *path_length, rct_error *error)
{
    return rct_variation_parse_sized(text, rct_out_of(variation, sizeof *variation, 0, 0),
                                     path_length, error);
}

#ifdef __cplusplus
}
#endif
#endif
