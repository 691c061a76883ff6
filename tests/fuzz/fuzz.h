/* The interface between a reader under attack and its driver.
 *
 * A program of tests/fuzz has LLVMFuzzerTestOneInput, which gives bytes to one reader and aborts if
 * a requirement fails, and `fuzz_target`, which says where its seeds are. driver.c runs the program
 * on seeds and on the mutants of mutate.c, the same everywhere. In builds of the preset fuzz
 * libFuzzer runs it instead (engine.c), as scripts/fuzz.sh does. */
#ifndef RCT_TESTS_FUZZ_H
#define RCT_TESTS_FUZZ_H

#include <stddef.h>
#include <stdint.h>

#include <riccatree/status.h>

enum { FUZZ_MOST_BYTES = 1 << 16, FUZZ_SEED_FOLDERS = 3 };

/* Takes a seed. */
typedef void fuzz_take(void *context, const uint8_t *bytes, size_t size);

typedef struct fuzz_folder {
    const char *path, *ending; /* files of it that end so; NULL: no folder */
} fuzz_folder;

typedef struct fuzz_target {
    const char *name; /* past finds are in tests/fuzz/finds, NAME-*                               */
    int accepted;     /* of a thousand mutants that many at least are accepted                    */
    int text;         /* 1: mutated by tokens and groups, 0: by bytes and words                   */
    fuzz_folder folder[FUZZ_SEED_FOLDERS];
    void (*make)(fuzz_take *take, void *context); /* more seeds; NULL: none                       */
    /* Makes the checksums of mutated bytes right, so that what is behind them is reached; NULL: it has none. */
    void (*seal)(uint8_t *bytes, size_t size);
} fuzz_target;

extern const fuzz_target fuzz_this;

/* Counted by the readers: inputs that were accepted. Where only few are, what is behind the first check is not reached. */
extern int64_t fuzz_accepted;

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* All seeds, of FUZZ_MOST_BYTES at most, and one from a file. */
void fuzz_take_seeds(fuzz_take *take, void *context);
void fuzz_take_file(const char *path, fuzz_take *take, void *context);

/* Change `bytes` [size, room] in one to four places, with pieces of `other` among what is put there. Gives the new size. */
size_t fuzz_mutate_text(uint64_t *random, uint8_t *bytes, size_t size, size_t room,
                        const uint8_t *other, size_t other_size);
size_t fuzz_mutate_bytes(uint64_t *random, uint8_t *bytes, size_t size, size_t room,
                         const uint8_t *other, size_t other_size);

/* As `fuzz_this` asks for: by tokens or bytes, mostly sealed. */
size_t fuzz_mutate(uint64_t *random, uint8_t *bytes, size_t size, size_t room, const uint8_t *other,
                   size_t other_size);

/* Nothing unless it holds; else prints what was wrong, and aborts. */
void fuzz_must(int holds, const char *what);

/* An error that a user can work with: one of the statuses (bits 1 << status), its text one line of UTF-8. */
void fuzz_refused(const rct_error *error, int statuses);

/* The path of a file of these bytes, in a folder of this process that goes with it; and of one that is not there. */
const char *fuzz_file(const char *name, const uint8_t *bytes, size_t size);
const char *fuzz_path(const char *name);

#endif
