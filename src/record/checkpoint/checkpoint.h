/* Checkpoints from the inside, of runs and of ensembles: the layout of the file, and what its parts are made of.
 *
 *     head | build | facts | model | state | note | checksum
 *
 * Every section begins at a multiple of 8 bytes, zeros between; the checksum is the CRC-32 of all bytes before
 * it. docs/checkpoint-file.md has it in words. */
#ifndef RCT_RECORD_CHECKPOINT_CHECKPOINT_H
#define RCT_RECORD_CHECKPOINT_CHECKPOINT_H

#include "record/file/call.h"

#include <riccatree/checkpoint.h>

typedef enum rct_checkpoint_part {
    RCT_PART_BUILD, /* text with a zero: rct_build()                                             */
    RCT_PART_FACTS, /* text with a zero: rct_checkpoint_facts, rct_ensemble_text                 */
    RCT_PART_MODEL, /* text with a zero: the model in JSON                                       */
    RCT_PART_STATE, /* doubles: rct_raw_read; of an ensemble batches: rct_batch_entry            */
    RCT_PART_NOTE,  /* the caller's bytes                                                        */
    RCT_PARTS
} rct_checkpoint_part;

/* Told by the first bytes of the file, "RCTCHECK" and "RCTBATCH". */
typedef enum rct_checkpoint_kind {
    RCT_CHECKPOINT_RUN,
    RCT_CHECKPOINT_ENSEMBLE,
    RCT_CHECKPOINT_KINDS
} rct_checkpoint_kind;

enum {
    RCT_CHECKPOINT_VERSION = 1,
    RCT_CHECKPOINT_MAGIC_BYTES = 8,
};

typedef struct rct_checkpoint_head {
    char magic[RCT_CHECKPOINT_MAGIC_BYTES];
    uint32_t version;
    uint32_t parts;
    int64_t file_bytes; /* of the whole file                                                     */
    double time;        /* s; of an ensemble 0                                                   */
    int64_t steps;      /* of an ensemble how many batches                                       */
    int64_t bytes[RCT_PARTS]; /* of each part, without the zeros behind it                       */
} rct_checkpoint_head;

static inline int64_t rct_checkpoint_padded(int64_t bytes)
{
    return (bytes + 7) / 8 * 8;
}

/* ---- facts.c ---- */

/* What must be equal for the same bits besides the model and the build, a line each, "NAME VALUE": what the
 * solver was made with, and what came of it. Threads are not among it; rct_release. */
char *rct_checkpoint_facts(rct_call *call, const rct_solver *solver);

/* The options in such a text; its backend is one that this library knows, or NULL. */
rct_solver_options rct_checkpoint_options(const char *facts);

/* ---- file.c ---- */

/* What a file of `size` bytes that begins so is; RCT_CHECKPOINT_KINDS: no checkpoint. */
rct_checkpoint_kind rct_checkpoint_kind_of(const char *bytes, int64_t size);

/* The names of a checkpoint, and what all that are written there have in them. */
typedef struct rct_checkpoint_place {
    char *path;      /* symbolic links followed                                                  */
    char *part;      /* while it is written: PATH.<process>-<k>.part                             */
    char *lock;      /* held while its writer lives: PATH.lock                                   */
    char *previous;  /* the one before: PATH.previous                                            */
    char *directory; /* of all these                                                             */
    int locked;      /* descriptor of the lock, or -1                                            */
    rct_checkpoint_kind kind;
    char *facts, *model; /* texts                                                                */
} rct_checkpoint_place;

/* RCT_ERROR_IO if another process writes this checkpoint. `facts`, NULL after a failure, belong to the place from then on. */
void rct_checkpoint_place_open(rct_checkpoint_place *place, rct_call *call,
                               rct_checkpoint_kind kind, char *facts, const rct_model *model);
void rct_checkpoint_place_close(rct_checkpoint_place *place);

typedef struct rct_bytes {
    const void *at;
    int64_t size;
} rct_bytes;

/* A part in pieces, each from a multiple of 8 on. */
typedef struct rct_checkpoint_pieces {
    int64_t count;
    const rct_bytes *piece;
} rct_checkpoint_pieces;

/* Head, parts and checksum to the disk under a name of its own; the checkpoint there to PATH.previous; the new one to
 * PATH. */
void rct_checkpoint_put(const rct_checkpoint_place *place, rct_call *call, double time,
                        int64_t steps, rct_checkpoint_pieces state, rct_bytes note);

/* Names reach the disk with their directory; -1 and errno on failure. */
int rct_sync_directory(const char *path);

/* ---- read.c ---- */

struct rct_checkpoint {
    char *path;               /* for messages                                                     */
    rct_checkpoint_kind kind; /* that it must be of                                               */
    char *file;               /* all of it                                                        */
    int64_t size;
    const rct_checkpoint_head *head;
    const char *part[RCT_PARTS];
};

/* A file of this kind and this build, read and checked whole; NULL on failure. */
rct_checkpoint *rct_checkpoint_read(const char *path, rct_checkpoint_kind kind, rct_error *error);

#endif
