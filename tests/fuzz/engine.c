/* The functions that libFuzzer calls besides the reader: our mutations in turn with its own, and
 * two inputs crossed. Seeds go into the folder that RICCATREE_FUZZ_SEEDS names, if it is set. */
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerInitialize(int *count, char ***words);
size_t LLVMFuzzerMutate(uint8_t *bytes, size_t size, size_t room);
size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t room, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *other,
                                 size_t other_size, uint8_t *out, size_t room, unsigned seed);

typedef struct corpus {
    const char *folder;
    int files;
} corpus;

static void write_seed(void *context, const uint8_t *bytes, size_t size)
{
    corpus *c = context;
    char path[1024];
    snprintf(path, sizeof path, "%s/seed-%d", c->folder, c->files++);
    FILE *file = fopen(path, "wb");
    fuzz_must(file != NULL && fwrite(bytes, 1, size, file) == size && fclose(file) == 0, path);
}

int LLVMFuzzerInitialize(int *count, char ***words)
{
    (void)count;
    (void)words;
    corpus c = {.folder = getenv("RICCATREE_FUZZ_SEEDS")};
    if (c.folder != NULL) {
        fuzz_take_seeds(write_seed, &c);
    }
    return 0;
}

static size_t sealed(uint8_t *bytes, size_t size)
{
    if (fuzz_this.seal != NULL) {
        fuzz_this.seal(bytes, size);
    }
    return size;
}

size_t LLVMFuzzerCustomMutator(uint8_t *bytes, size_t size, size_t room, unsigned seed)
{
    static uint8_t other[FUZZ_MOST_BYTES];
    uint64_t random = seed;
    if (seed % 4 == 0 || size == 0 || size > sizeof other) {
        return sealed(bytes, LLVMFuzzerMutate(bytes, size, room));
    }
    memcpy(other, bytes, size);
    return fuzz_mutate(&random, bytes, size, room, other, size);
}

size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t one_size, const uint8_t *other,
                                 size_t other_size, uint8_t *out, size_t room, unsigned seed)
{
    uint64_t random = seed;
    const size_t size = one_size < room ? one_size : room;
    memcpy(out, one, size);
    return fuzz_mutate(&random, out, size, room, other, other_size);
}
