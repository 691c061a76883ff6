/* Riccatree beside other libraries: forward dynamics of the same systems in the same states, in
 * turn in one process.
 *
 *     bench_peers write open|closed FOLDER [MOST]       all systems without loops, or with, of at most so many bodies, as neutral
 *                                                       files, their paths to standard output
 *     bench_peers race FILE THREADS ROUNDS SECONDS PEER.so...
 *                                                       one of them: ROUNDS slices of SECONDS of every peer, each after one of
 *                                                       Riccatree, which has THREADS; a JSON object to standard output
 *     bench_peers apart FILE THREADS ROUNDS SECONDS PEER.so...
 *                                                       the same, but peers have a model for each independent part
 *
 * A peer that cannot be opened, or cannot do the system, is left out with a message. */
#include "bench/peers/families.h"
#include "bench/peers/race.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* Bytes of all peers, or less by `ulimit -v`; a larger allocation fails. */
static const rlim_t most_memory = (rlim_t)16 << 30;

static int fail(const char *reason)
{
    fprintf(stderr, "bench_peers: %s\n", reason);
    return 1;
}

static int write_all(int closed, const char *folder, long most)
{
    char reason[BENCH_REASON] = "", path[4096];
    const bench_family *families;
    const int count = bench_families(closed, &families);
    for (int i = 0; i < count; i++) {
        if ((long)families[i].bodies * families[i].systems > most) {
            continue;
        }
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

/* The function of a shared object that gives its peers. NULL: `reason` says why. */
static bench_peer_function *open_object(const char *path, char *reason)
{
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    bench_peer_function *here = NULL;
    if (object != NULL) {
        *(void **)&here = dlsym(object, BENCH_PEER_FUNCTION);
    }
    if (here == NULL) {
        snprintf(reason, BENCH_REASON, "%s", dlerror());
    }
    return here;
}

/* Append the peers of a shared object that can do the system to the `count` others; returns how
 * many there are then. */
static int add_peers(const bench_peer *opened[RACE_PEERS], int count, const char *object, int loops)
{
    char reason[BENCH_REASON] = "";
    bench_peer_function *here = open_object(object, reason);
    const bench_peer *peer = NULL;
    for (int k = 0; here != NULL && count < RACE_PEERS && (peer = here(k)) != NULL; k++) {
        if ((loops > 0 ? peer->closing : peer->call) != NULL) {
            opened[count++] = peer;
        }
    }
    if (here == NULL) {
        fprintf(stderr, "bench_peers: left out: %s\n", reason);
    }
    return count;
}

/* All of `race` except its system and its peers is set. */
static int run_race(bench_race *race, const char *path, int threads, char *const *objects,
                    int count)
{
    char reason[BENCH_REASON] = "";
    const bench_peer *opened[RACE_PEERS];
    bench_system *system = bench_system_read(path, reason);
    if (system == NULL) {
        return fail(reason);
    }
    system->threads = threads;
    for (int k = 0; k < count; k++) {
        race->peers = add_peers(opened, race->peers, objects[k], (int)system->loops);
    }
    const int begun = race_begin(race, system, opened);
    if (begun) {
        race_run(race);
        race_print(stdout, race);
    } else {
        fail(race->riccatree.reason);
    }
    race_end(race);
    bench_system_free(system);
    return !begun;
}

/* Read the arguments of a race. */
static int race_of(bench_race *race, char **words, int peers)
{
    const long threads = strtol(words[3], NULL, 10), rounds = strtol(words[4], NULL, 10);
    race->apart = strcmp(words[1], "apart") == 0;
    race->rounds = (int)rounds;
    race->slice = strtod(words[5], NULL);
    return (race->apart || strcmp(words[1], "race") == 0) && peers <= RACE_PEERS && threads >= 1 &&
           threads <= 64 && rounds >= 1 && rounds <= RACE_ROUNDS && race->slice > 0.0;
}

int main(int count, char **words)
{
    static bench_race race;
    struct rlimit memory;
    getrlimit(RLIMIT_AS, &memory);
    if (memory.rlim_cur > most_memory) {
        setrlimit(RLIMIT_AS, &(struct rlimit){most_memory, most_memory});
    }
    if ((count == 4 || count == 5) && strcmp(words[1], "write") == 0) {
        const int closed = strcmp(words[2], "closed") == 0;
        const long most = count == 5 ? strtol(words[4], NULL, 10) : LONG_MAX;
        if ((closed || strcmp(words[2], "open") == 0) && most > 0) {
            return write_all(closed, words[3], most);
        }
    }
    if (count >= 6 && race_of(&race, words, count - 6)) {
        return run_race(&race, words[2], (int)strtol(words[3], NULL, 10), words + 6, count - 6);
    }
    fail("usage: bench_peers write open|closed FOLDER [MOST] | bench_peers race|apart FILE THREADS "
         "ROUNDS "
         "SECONDS PEER.so...");
    return 2;
}
