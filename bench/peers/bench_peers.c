/* Riccatree beside other libraries: forward dynamics of the same systems in the same states, in turn in one process.
 *
 *     bench_peers write FOLDER                          all systems as neutral files, their paths to standard output
 *     bench_peers race FILE THREADS ROUNDS SECONDS PEER.so...
 *                                                       one of them: ROUNDS slices of SECONDS of every peer, each after one of
 *                                                       Riccatree, which has THREADS; a JSON object to standard output
 *
 * A peer that cannot be opened, or cannot do the system, is left out with a word. */
#include "bench/peers/families.h"
#include "bench/peers/race.h"

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

static const rlim_t most_memory = (rlim_t)8 << 30; /* bytes; what needs more fails where it asks */

static int fail(const char *reason)
{
    fprintf(stderr, "bench_peers: %s\n", reason);
    return 1;
}

static int write_all(const char *folder)
{
    char reason[BENCH_REASON] = "", path[4096];
    const bench_family *families;
    const int count = bench_families(&families);
    for (int i = 0; i < count; i++) {
        bench_system *system = bench_system_make(&families[i], reason);
        if (system != NULL) {
            snprintf(path, sizeof path, "%s/%s.txt", folder, system->name);
        }
        const int written = system != NULL && bench_system_write(system, path, reason);
        bench_system_free(system);
        if (!written) {
            return fail(reason);
        }
        printf("%s\n", path);
    }
    return 0;
}

/* The peer of a shared object. NULL: `reason` says why. */
static const bench_peer *open_peer(const char *path, char *reason)
{
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    bench_peer_function *here = NULL;
    if (object != NULL) {
        *(void **)&here = dlsym(object, BENCH_PEER_FUNCTION);
    }
    if (here == NULL) {
        snprintf(reason, BENCH_REASON, "%s", dlerror());
        return NULL;
    }
    return here();
}

static int run_race(const char *path, int threads, int rounds, double slice, char *const *objects,
                    int count)
{
    char reason[BENCH_REASON] = "";
    const bench_peer *opened[RACE_PEERS];
    bench_system *system = bench_system_read(path, reason);
    bench_race *race = calloc(1, sizeof *race);
    if (system == NULL || race == NULL) {
        free(race);
        bench_system_free(system);
        return fail(reason);
    }
    system->threads = threads;
    race->rounds = rounds;
    race->slice = slice;
    for (int k = 0; k < count; k++) {
        const bench_peer *peer = open_peer(objects[k], reason);
        if (peer != NULL) {
            opened[race->peers++] = peer;
        } else {
            fprintf(stderr, "bench_peers: left out: %s\n", reason);
        }
    }
    const int begun = race_begin(race, system, opened);
    if (begun) {
        race_run(race);
        race_print(stdout, race);
    } else {
        fail(race->riccatree.reason);
    }
    race_end(race);
    free(race);
    bench_system_free(system);
    return !begun;
}

int main(int count, char **words)
{
    setrlimit(RLIMIT_AS, &(struct rlimit){most_memory, most_memory});
    if (count == 3 && strcmp(words[1], "write") == 0) {
        return write_all(words[2]);
    }
    const int peers = count - 6;
    if (peers >= 0 && peers <= RACE_PEERS && strcmp(words[1], "race") == 0) {
        const long threads = strtol(words[3], NULL, 10), rounds = strtol(words[4], NULL, 10);
        const double slice = strtod(words[5], NULL);
        if (threads >= 1 && threads <= 64 && rounds >= 1 && rounds <= RACE_ROUNDS && slice > 0.0) {
            return run_race(words[2], (int)threads, (int)rounds, slice, words + 6, peers);
        }
    }
    fail("usage: bench_peers write FOLDER | bench_peers race FILE THREADS ROUNDS SECONDS "
         "PEER.so...");
    return 2;
}
