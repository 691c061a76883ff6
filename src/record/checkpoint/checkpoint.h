/* Checkpoints of runs and of ensembles from the inside: the layout of the file and its parts.
 *
 *     head | build | facts | model | state | note | checksum
 *
 * Every section begins at a multiple of 8 bytes, with zeros between; the checksum is the CRC-32
 * of all bytes before it. docs/checkpoint-file.md describes it. */
#ifndef RCT_RECORD_CHECKPOINT_CHECKPOINT_H
#define RCT_RECORD_CHECKPOINT_CHECKPOINT_H

#include "record/file/call.h"

#include <riccatree/checkpoint.h>

typedef enum rct_checkpoint_part {
    RCT_PART_BUILD, /* text with a zero: rct_build()                                             */
    RCT_PART_FACTS, /* text with a zero: rct_checkpoint_facts, rct_ensemble_text                 */
    RCT_PART_MODEL, /* text with a zero: the model in JSON                                       */
    RCT_PART_STATE, /* doubles: rct_raw_read; for an ensemble batches: rct_batch_entry           */
    RCT_PART_NOTE,  /* the caller's bytes                                                        */
    RCT_PARTS
} rct_checkpoint_part;

/* The first bytes of the file tell the kind: "RCTCHECK" and "RCTBATCH". */
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
    double time;        /* s; 0 for an ensemble                                                  */
    int64_t steps;      /* for an ensemble the number of batches                                 */
    int64_t bytes[RCT_PARTS]; /* of each part, without the zeros that follow it                  */
} rct_checkpoint_head;

static inline int64_t rct_checkpoint_padded(int64_t bytes)
{
    return (bytes + 7) / 8 * 8;
}

/* ---- facts.c ---- */

/* Lines "NAME VALUE" of all that must be equal for equal bits, besides the model and the build:
 * the options of the solver and what was chosen. Threads are not among them. Free by
 * rct_release. */
char *rct_checkpoint_facts(rct_call *call, const rct_solver *solver);

/* The options in such a text; the backend is one that this library knows, or NULL. */
rct_solver_options rct_checkpoint_options(const char *facts);

/* ---- file.c ---- */

/* The kind of a file of `size` bytes that begins with `bytes`; RCT_CHECKPOINT_KINDS: no
 * checkpoint. */
rct_checkpoint_kind rct_checkpoint_kind_of(const char *bytes, int64_t size);

/* The names of a checkpoint, and the texts that all checkpoints written there share. */
typedef struct rct_checkpoint_place {
    char *path;      /* symbolic links followed                                                  */
    char *part;      /* name while it is written: PATH.<process>-<k>.part                        */
    char *lock;      /* held as long as its writer lives: PATH.lock                              */
    char *previous;  /* the previous checkpoint: PATH.previous                                   */
    char *directory; /* of all these files                                                       */
    int locked;      /* descriptor of the lock, or -1                                            */
    rct_checkpoint_kind kind;
    char *facts, *model; /* texts                                                                */
} rct_checkpoint_place;

/* RCT_ERROR_IO if another process writes this checkpoint. The place owns `facts` from then on;
 * they are NULL after a failure. */
void rct_checkpoint_place_open(rct_checkpoint_place *place, rct_call *call,
                               rct_checkpoint_kind kind, char *facts, const rct_model *model);
void rct_checkpoint_place_close(rct_checkpoint_place *place);

typedef struct rct_bytes {
    const void *at;
    int64_t size;
} rct_bytes;

/* A part in pieces, each starting at a multiple of 8. */
typedef struct rct_checkpoint_pieces {
    int64_t count;
    const rct_bytes *piece;
} rct_checkpoint_pieces;

/* Write head, parts and checksum to the disk under a temporary name; rename the checkpoint there
 * to PATH.previous and the new one to PATH. */
void rct_checkpoint_put(const rct_checkpoint_place *place, rct_call *call, double time,
                        int64_t steps, rct_checkpoint_pieces state, rct_bytes note);

/* Bring the names in a directory to the disk; -1 and errno on failure. */
int rct_sync_directory(const char *path);

/* ---- read.c ---- */

struct rct_checkpoint {
    char *path;               /* for messages                                                     */
    rct_checkpoint_kind kind; /* the kind it must have                                            */
    char *file;               /* the whole file                                                   */
    int64_t size;
    const rct_checkpoint_head *head;
    const char *part[RCT_PARTS];
};

/* Read and check a whole file of this kind and this build; NULL on failure. */
rct_checkpoint *rct_checkpoint_read(const char *path, rct_checkpoint_kind kind, rct_error *error);

#endif
