/* Runs a reader on its seeds, on past finds, and on COUNT mutants of these. The random numbers of
 * the mutations have a fixed start, so mutants are the same everywhere. An input that crashes the
 * reader, or takes too long, is kept in a file.
 * usage: PROGRAM [COUNT [FIRST]]   mutants FIRST to FIRST + COUNT - 1
 *        PROGRAM FILE              that file alone */
#include "tests/fuzz/fuzz.h"
#include "tests/support/draw.h"

#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_SEEDS = 1000, USUAL_COUNT = 2000, LONGEST_SECONDS = 30 };

typedef struct seed {
    uint8_t *bytes;
    size_t size;
} seed;

static seed seeds[MOST_SEEDS];
static size_t seed_count;

/* Most mutants come from seeds that are accepted as they are. */
static const seed *good[MOST_SEEDS];
static size_t good_count;

/* What is being read, for the handler. */
static const uint8_t *current;
static size_t current_size;
static char find_path[128];

static void keep_find(int signal_number)
{
    const int file = open(find_path, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    if (file >= 0 && write(file, current, current_size) == (ssize_t)current_size) {
        static const char told[] = "fuzz: the bytes are kept in ";
        (void)!write(STDERR_FILENO, told, sizeof told - 1);
        (void)!write(STDERR_FILENO, find_path, strlen(find_path));
        (void)!write(STDERR_FILENO, "\n", 1);
    }
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static void take_seed(void *context, const uint8_t *bytes, size_t size)
{
    (void)context;
    if (seed_count < MOST_SEEDS) {
        seed *s = &seeds[seed_count++];
        s->bytes = malloc(size + 1);
        s->size = size;
        memcpy(s->bytes, bytes, size);
    }
}

/* A copy of exactly its size, so that reading past the end is found by AddressSanitizer. */
static void run(const uint8_t *bytes, size_t size)
{
    uint8_t *copy = malloc(size > 0 ? size : 1);
    memcpy(copy, bytes, size);
    current = copy;
    current_size = size;
    alarm(LONGEST_SECONDS);
    LLVMFuzzerTestOneInput(copy, size);
    alarm(0);
    free(copy);
}

static void run_seeds(void)
{
    for (size_t i = 0; i < seed_count; i++) {
        fuzz_accepted = 0;
        run(seeds[i].bytes, seeds[i].size);
        if (fuzz_accepted > 0) {
            good[good_count++] = &seeds[i];
        }
    }
}

static void run_mutant(int64_t number)
{
    static uint8_t bytes[FUZZ_MOST_BYTES];
    uint64_t random = (uint64_t)number;
    const int of_good = good_count > 0 && draw_bits(&random) % 4 > 0;
    const seed *one =
        of_good ? good[draw_bits(&random) % good_count] : &seeds[draw_bits(&random) % seed_count];
    const seed *other = &seeds[draw_bits(&random) % seed_count];
    memcpy(bytes, one->bytes, one->size);
    run(bytes, fuzz_mutate(&random, bytes, one->size, sizeof bytes, other->bytes, other->size));
}

int main(int count, char **words)
{
    const int by_file = count > 1 && access(words[1], R_OK) == 0;
    const int64_t mutants = count > 1 ? atoll(words[1]) : USUAL_COUNT;
    const int64_t first = count > 2 ? atoll(words[2]) : 1;
    snprintf(find_path, sizeof find_path, "/tmp/fuzz-%s-%ld", fuzz_this.name, (long)getpid());
    const int told[] = {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGALRM};
    for (size_t i = 0; i < sizeof told / sizeof told[0]; i++) {
        signal(told[i], keep_find);
    }
    if (by_file) {
        fuzz_take_file(words[1], take_seed, NULL);
    } else {
        fuzz_take_seeds(take_seed, NULL);
    }
    fuzz_must(seed_count > 0, "there are no seeds");
    run_seeds();
    fuzz_accepted = 0;
    for (int64_t k = 0; k < mutants && !by_file; k++) {
        run_mutant(first + k);
    }
    if (!by_file) {
        printf("%s: %zu seeds and finds, %" PRId64 " mutants, %" PRId64 " accepted\n",
               fuzz_this.name, seed_count, mutants, fuzz_accepted);
        fuzz_must(fuzz_accepted * 1000 >= mutants * fuzz_this.accepted, "too few are accepted");
    }
    for (size_t i = 0; i < seed_count; i++) {
        free(seeds[i].bytes);
    }
    return 0;
}
