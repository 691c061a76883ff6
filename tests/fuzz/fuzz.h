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
    const char *path, *ending; /* files of the folder that end so; NULL: no folder */
} fuzz_folder;

typedef struct fuzz_target {
    const char *name; /* past finds are in tests/fuzz/finds, NAME-*                               */
    int accepted;     /* at least so many of a thousand mutants are accepted                      */
    int text;         /* 1: mutated by tokens and groups, 0: by bytes and words                   */
    fuzz_folder folder[FUZZ_SEED_FOLDERS];
    void (*make)(fuzz_take *take, void *context); /* more seeds; NULL: none                       */
    /* Corrects the checksums of mutated bytes, so that the code behind them is reached; NULL: there
     * are none. */
    void (*seal)(uint8_t *bytes, size_t size);
} fuzz_target;

extern const fuzz_target fuzz_this;

/* Readers count accepted inputs here. If only few are accepted, the code behind the first check is
 * not reached. */
extern int64_t fuzz_accepted;

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

/* All seeds, of FUZZ_MOST_BYTES at most, and one seed from a file. */
void fuzz_take_seeds(fuzz_take *take, void *context);
void fuzz_take_file(const char *path, fuzz_take *take, void *context);

/* Changes `bytes` [size, room] in one to four places, and inserts pieces of `other` among others.
 * Returns the new size. */
size_t fuzz_mutate_text(uint64_t *random, uint8_t *bytes, size_t size, size_t room,
                        const uint8_t *other, size_t other_size);
size_t fuzz_mutate_bytes(uint64_t *random, uint8_t *bytes, size_t size, size_t room,
                         const uint8_t *other, size_t other_size);

/* Mutates as `fuzz_this` asks: by tokens or bytes, mostly sealed. */
size_t fuzz_mutate(uint64_t *random, uint8_t *bytes, size_t size, size_t room, const uint8_t *other,
                   size_t other_size);

/* Does nothing if the condition holds; otherwise prints what was wrong, and aborts. */
void fuzz_must(int holds, const char *what);

/* Checks that an error is useful: one of the statuses (bits 1 << status), its text one line of
 * UTF-8. */
void fuzz_refused(const rct_error *error, int statuses);

/* The path of a file with these bytes, in a folder that is removed with this process; and the path
 * of a file that does not exist. */
const char *fuzz_file(const char *name, const uint8_t *bytes, size_t size);
const char *fuzz_path(const char *name);

#endif
