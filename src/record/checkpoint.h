/* The checkpoint from the inside: the layout of its file, and what its parts are made of.
 *
 *     head | build | facts | model | state | note | checksum
 *
 * Every section begins at a multiple of 8 bytes, zeros between; the checksum is the CRC-32 of all bytes before
 * it. docs/checkpoint-file.md has it in words. */
#ifndef RCT_RECORD_CHECKPOINT_H
#define RCT_RECORD_CHECKPOINT_H

#include "record/call.h"

#include <riccatree/checkpoint.h>

typedef enum rct_checkpoint_part {
    RCT_PART_BUILD, /* text with a zero: rct_build()                                             */
    RCT_PART_FACTS, /* text with a zero: rct_checkpoint_facts                                    */
    RCT_PART_MODEL, /* text with a zero: the model in JSON                                       */
    RCT_PART_STATE, /* doubles: rct_raw_read                                                     */
    RCT_PART_NOTE,  /* the caller's bytes                                                        */
    RCT_PARTS
} rct_checkpoint_part;

#define RCT_CHECKPOINT_MAGIC "RCTCHECK"

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
    double time;        /* s                                                                     */
    int64_t steps;
    int64_t bytes[RCT_PARTS]; /* of each part, without the zeros behind it                       */
} rct_checkpoint_head;

static inline int64_t rct_checkpoint_padded(int64_t bytes)
{
    return (bytes + 7) / 8 * 8;
}

/* ---- checkpoint_facts.c ---- */

/* What must be equal for the same bits besides the model and the build, a line each, "NAME VALUE": what the
 * solver was made with, and what came of it. Threads are not among it. */
void rct_checkpoint_facts(const rct_solver *solver, char text[RCT_FACTS_SIZE]);

/* The options in such a text; its backend is one that this library knows, or NULL. */
rct_solver_options rct_checkpoint_options(const char *facts);

/* ---- checkpoint_write.c ---- */

/* The model in JSON, `size` bytes and a zero, as a step; rct_release. */
char *rct_checkpoint_text(rct_call *call, const rct_model *model, int64_t *size);

/* ---- checkpoint_file.c ---- */

/* The names of a checkpoint. */
typedef struct rct_checkpoint_place {
    char *path;      /* symbolic links of an existing file followed                              */
    char *part;      /* while it is written: PATH.part                                           */
    char *previous;  /* the one before: PATH.previous                                            */
    char *directory; /* of all three                                                             */
} rct_checkpoint_place;

void rct_checkpoint_place_open(rct_checkpoint_place *place, rct_call *call);
void rct_checkpoint_place_close(rct_checkpoint_place *place);

typedef struct rct_bytes {
    const void *at;
    int64_t size;
} rct_bytes;

/* Head, parts and checksum to the disk under PATH.part; the checkpoint there to PATH.previous; the new one to
 * PATH. */
void rct_checkpoint_put(const rct_checkpoint_place *place, rct_call *call,
                        const rct_checkpoint_head *head, const rct_bytes parts[RCT_PARTS]);

/* ---- checkpoint_read.c ---- */

struct rct_checkpoint {
    char *file; /* all of it */
    const rct_checkpoint_head *head;
    const char *part[RCT_PARTS];
    char *path; /* for messages */
};

#endif
