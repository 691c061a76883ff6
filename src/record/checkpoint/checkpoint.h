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

extern const char *const rct_checkpoint_magic[RCT_CHECKPOINT_KINDS];

enum {
    RCT_CHECKPOINT_VERSION = 1,
    RCT_CHECKPOINT_MAGIC_BYTES = 8,
    RCT_FACTS_SIZE = 2048, /* more than any facts need */
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
 * solver was made with, and what came of it. Threads are not among it. */
void rct_checkpoint_facts(const rct_solver *solver, char text[RCT_FACTS_SIZE]);

/* The options in such a text; its backend is one that this library knows, or NULL. */
rct_solver_options rct_checkpoint_options(const char *facts);

/* ---- write.c ---- */

/* The model in JSON, `size` bytes and a zero, as a step; rct_release. */
char *rct_checkpoint_text(rct_call *call, const rct_model *model, int64_t *size);

/* ---- file.c ---- */

/* The names of a checkpoint. */
typedef struct rct_checkpoint_place {
    char *path;      /* symbolic links followed                                                  */
    char *part;      /* while it is written: PATH.<process>-<k>.part                             */
    char *lock;      /* held while its writer lives: PATH.lock                                   */
    char *previous;  /* the one before: PATH.previous                                            */
    char *directory; /* of all these                                                             */
    int locked;      /* descriptor of the lock, or -1                                            */
} rct_checkpoint_place;

/* RCT_ERROR_IO if another process writes this checkpoint. */
void rct_checkpoint_place_open(rct_checkpoint_place *place, rct_call *call);
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
void rct_checkpoint_put(const rct_checkpoint_place *place, rct_call *call, rct_checkpoint_kind kind,
                        double time, int64_t steps, const rct_checkpoint_pieces parts[RCT_PARTS]);

/* Names reach the disk with their directory; -1 and errno on failure. */
int rct_sync_directory(const char *path);

/* ---- read.c ---- */

struct rct_checkpoint {
    char *file; /* all of it */
    const rct_checkpoint_head *head;
    const char *part[RCT_PARTS];
    char *path; /* for messages */
};

/* A file of this kind and this build, read and checked whole; NULL on failure. */
rct_checkpoint *rct_checkpoint_read(const char *path, rct_checkpoint_kind kind, rct_error *error);

#endif
