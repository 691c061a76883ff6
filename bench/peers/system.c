/* The neutral file of a system (system.h): `peers 2 NAME BODIES LOOPS`, a line of gravity, a line for each body: parent, hinge,
 * at, axis, mass, com, inertia, and of each state coordinates and rates; a line for each loop: body, other, `ball` or `pin`, at,
 * other_at, axis. */
#include "bench/peers/system.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BODIES = 10000000 };

bench_system *bench_system_create(int32_t bodies, int32_t loops)
{
    bench_system *system = calloc(1, sizeof *system);
    if (system != NULL) {
        system->bodies = bodies;
        system->loops = loops;
        system->threads = 1;
        system->body = calloc((size_t)bodies, sizeof *system->body);
        system->loop = calloc((size_t)loops + 1, sizeof *system->loop);
        if (system->body == NULL || system->loop == NULL) {
            bench_system_free(system);
            system = NULL;
        }
    }
    return system;
}

int bench_system_count(bench_system *system)
{
    for (int32_t i = 0; i < system->bodies; i++) {
        bench_body *body = &system->body[i];
        body->q = system->coordinates;
        body->u = system->freedoms;
        system->coordinates += bench_coordinates(body);
        system->freedoms += bench_freedoms(body);
    }
    int room = 1;
    for (int s = 0; s < BENCH_STATES; s++) {
        system->q[s] = calloc((size_t)system->coordinates, sizeof *system->q[s]);
        system->u[s] = calloc((size_t)system->freedoms, sizeof *system->u[s]);
        room = room && system->q[s] != NULL && system->u[s] != NULL;
    }
    return room;
}

void bench_system_free(bench_system *system)
{
    if (system != NULL) {
        for (int s = 0; s < BENCH_STATES; s++) {
            free(system->q[s]);
            free(system->u[s]);
        }
        free(system->body);
        free(system->loop);
        free(system);
    }
}

static const char *const hinges[] = {"revolute", "ball", "free"};

static void put(FILE *file, const double *x, int count)
{
    for (int i = 0; i < count; i++) {
        fprintf(file, " %.17g", x[i]);
    }
}

static void put_body(FILE *file, const bench_system *system, const bench_body *body)
{
    fprintf(file, "\n%d %s", (int)body->parent, hinges[body->ball + body->free]);
    put(file, body->at, 3);
    put(file, body->axis, 3);
    put(file, &body->mass, 1);
    put(file, body->com, 3);
    put(file, body->inertia, 6);
    for (int s = 0; s < BENCH_STATES; s++) {
        put(file, system->q[s] + body->q, bench_coordinates(body));
        put(file, system->u[s] + body->u, bench_freedoms(body));
    }
}

static void put_loop(FILE *file, const bench_loop *loop)
{
    fprintf(file, "\n%d %d %s", (int)loop->body, (int)loop->other, loop->ball ? "ball" : "pin");
    put(file, loop->at, 3);
    put(file, loop->other_at, 3);
    put(file, loop->axis, 3);
}

int bench_system_write(const bench_system *system, const char *path, char *reason)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        snprintf(reason, BENCH_REASON, "%s: %s", path, strerror(errno));
        return 0;
    }
    fprintf(file, "peers 2 %s %d %d\n", system->name, (int)system->bodies, (int)system->loops);
    put(file, system->gravity, 3);
    for (int32_t i = 0; i < system->bodies; i++) {
        put_body(file, system, &system->body[i]);
    }
    for (int32_t i = 0; i < system->loops; i++) {
        put_loop(file, &system->loop[i]);
    }
    fprintf(file, "\n");
    const int failed = ferror(file);
    if (fclose(file) != 0 || failed) {
        snprintf(reason, BENCH_REASON, "%s: it could not be written", path);
        return 0;
    }
    return 1;
}

/* The next word. 0: there is none. */
static int get_word(FILE *file, char word[BENCH_NAME])
{
    return fscanf(file, "%63s", word) == 1;
}

/* An integer in a range. */
static int get_integer(FILE *file, int32_t *x, long least, long most)
{
    char word[BENCH_NAME], *end = NULL;
    const long value = get_word(file, word) ? strtol(word, &end, 10) : 0;
    *x = (int32_t)value;
    return end != NULL && end != word && *end == '\0' && value >= least && value <= most;
}

static int get(FILE *file, double *x, int count)
{
    char word[BENCH_NAME], *end;
    int found = 0;
    while (found < count && get_word(file, word)) {
        x[found] = strtod(word, &end);
        if (end == word || *end != '\0') {
            break;
        }
        found++;
    }
    return found == count;
}

/* The number of the next word in a list. -1: not in the list. */
static int32_t get_choice(FILE *file, const char *const *words, int32_t count)
{
    char word[BENCH_NAME] = "";
    int32_t k = get_word(file, word) ? count - 1 : -1;
    while (k >= 0 && strcmp(word, words[k]) != 0) {
        k--;
    }
    return k;
}

enum { BODY_STATE = 13 };

/* A body; its states go to `state`: for each state coordinates, then rates. */
static int get_body(FILE *file, bench_body *body, int32_t number,
                    double state[BENCH_STATES * BODY_STATE])
{
    const int placed = get_integer(file, &body->parent, -1, number - 1);
    const int32_t hinge = placed ? get_choice(file, hinges, 3) : -1;
    body->ball = hinge > 0;
    body->free = hinge > 1;
    return hinge >= 0 && (!body->free || body->parent < 0) && get(file, body->at, 3) &&
           get(file, body->axis, 3) && get(file, &body->mass, 1) && get(file, body->com, 3) &&
           get(file, body->inertia, 6) &&
           get(file, state, BENCH_STATES * (bench_coordinates(body) + bench_freedoms(body)));
}

static int get_loop(FILE *file, bench_loop *loop, int32_t bodies)
{
    static const char *const loops[] = {"pin", "ball"};
    const int read = get_integer(file, &loop->body, 0, bodies - 1) &&
                     get_integer(file, &loop->other, 0, bodies - 1) && loop->body != loop->other &&
                     (loop->ball = get_choice(file, loops, 2)) >= 0;
    return read && get(file, loop->at, 3) && get(file, loop->other_at, 3) &&
           get(file, loop->axis, 3);
}

/* Move the states of all bodies to their places. */
static void spread(bench_system *system, double (*states)[BENCH_STATES * BODY_STATE])
{
    for (int32_t i = 0; i < system->bodies; i++) {
        const bench_body *body = &system->body[i];
        const int count = bench_coordinates(body), rates = bench_freedoms(body);
        const double *from = states[i];
        for (int s = 0; s < BENCH_STATES; s++, from += count + rates) {
            memcpy(system->q[s] + body->q, from, (size_t)count * sizeof *from);
            memcpy(system->u[s] + body->u, from + count, (size_t)rates * sizeof *from);
        }
    }
}

/* All bodies and loops. 0: `reason` says why not. */
static int get_all(FILE *file, bench_system *system, const char *path, char *reason)
{
    double(*states)[BENCH_STATES * BODY_STATE] = calloc((size_t)system->bodies, sizeof *states);
    int32_t read = 0, closed = 0;
    while (states != NULL && read < system->bodies &&
           get_body(file, &system->body[read], read, states[read])) {
        read++;
    }
    const int whole = states != NULL && read == system->bodies;
    while (whole && closed < system->loops &&
           get_loop(file, &system->loop[closed], system->bodies)) {
        closed++;
    }
    const int good = whole && closed == system->loops;
    const int done = good && bench_system_count(system);
    if (done) {
        spread(system, states);
    } else if (states == NULL || good) {
        snprintf(reason, BENCH_REASON, "no memory for %d bodies", (int)system->bodies);
    } else {
        snprintf(reason, BENCH_REASON, "%s: %s %d is not as it should be", path,
                 whole ? "loop" : "body", (int)(whole ? closed : read));
    }
    free(states);
    return done;
}

bench_system *bench_system_read(const char *path, char *reason)
{
    FILE *file = fopen(path, "r");
    bench_system *system = NULL;
    char peers[BENCH_NAME], name[BENCH_NAME];
    double gravity[3];
    int32_t version, bodies, loops;
    if (file == NULL) {
        snprintf(reason, BENCH_REASON, "%s: %s", path, strerror(errno));
        return NULL;
    }
    if (!get_word(file, peers) || strcmp(peers, "peers") != 0 ||
        !get_integer(file, &version, 2, 2) || !get_word(file, name) ||
        !get_integer(file, &bodies, 1, MOST_BODIES) || !get_integer(file, &loops, 0, MOST_BODIES) ||
        !get(file, gravity, 3)) {
        snprintf(reason, BENCH_REASON, "%s: not a file of peers, version 2", path);
    } else if ((system = bench_system_create(bodies, loops)) == NULL) {
        snprintf(reason, BENCH_REASON, "no memory for %d bodies", (int)bodies);
    } else {
        memcpy(system->name, name, sizeof name);
        memcpy(system->gravity, gravity, sizeof gravity);
        if (!get_all(file, system, path, reason)) {
            bench_system_free(system);
            system = NULL;
        }
    }
    fclose(file);
    return system;
}
