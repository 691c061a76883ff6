/* The neutral file of a system (system.h): `peers 1 NAME BODIES`, a line of gravity, and a line for each body: parent, hinge,
 * at, axis, mass, com, inertia, coordinates, rates. */
#include "bench/peers/system.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BODIES = 10000000 };

bench_system *bench_system_create(int32_t bodies)
{
    bench_system *system = calloc(1, sizeof *system);
    if (system != NULL) {
        system->bodies = bodies;
        system->threads = 1;
        system->body = calloc((size_t)bodies, sizeof *system->body);
        if (system->body == NULL) {
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
        system->coordinates += body->ball ? 4 : 1;
        system->freedoms += body->ball ? 3 : 1;
    }
    system->q = calloc((size_t)system->coordinates, sizeof *system->q);
    system->u = calloc((size_t)system->freedoms, sizeof *system->u);
    return system->q != NULL && system->u != NULL;
}

void bench_system_free(bench_system *system)
{
    if (system != NULL) {
        free(system->body);
        free(system->q);
        free(system->u);
        free(system);
    }
}

static void put(FILE *file, const double *x, int count)
{
    for (int i = 0; i < count; i++) {
        fprintf(file, " %.17g", x[i]);
    }
}

int bench_system_write(const bench_system *system, const char *path, char *reason)
{
    FILE *file = fopen(path, "w");
    if (file == NULL) {
        snprintf(reason, BENCH_REASON, "%s: %s", path, strerror(errno));
        return 0;
    }
    fprintf(file, "peers 1 %s %d\n", system->name, (int)system->bodies);
    put(file, system->gravity, 3);
    for (int32_t i = 0; i < system->bodies; i++) {
        const bench_body *body = &system->body[i];
        fprintf(file, "\n%d %s", (int)body->parent, body->ball ? "ball" : "revolute");
        put(file, body->at, 3);
        put(file, body->axis, 3);
        put(file, &body->mass, 1);
        put(file, body->com, 3);
        put(file, body->inertia, 6);
        put(file, system->q + body->q, body->ball ? 4 : 1);
        put(file, system->u + body->u, body->ball ? 3 : 1);
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

/* An integer of a range. */
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

/* A body but for its state, which goes to `state`: coordinates, then rates. */
static int get_body(FILE *file, bench_body *body, int32_t number, double state[7])
{
    char hinge[BENCH_NAME];
    if (!get_integer(file, &body->parent, -1, number - 1) || !get_word(file, hinge)) {
        return 0;
    }
    body->ball = strcmp(hinge, "ball") == 0;
    return (body->ball || strcmp(hinge, "revolute") == 0) && get(file, body->at, 3) &&
           get(file, body->axis, 3) && get(file, &body->mass, 1) && get(file, body->com, 3) &&
           get(file, body->inertia, 6) && get(file, state, body->ball ? 7 : 2);
}

/* All bodies. 0: `reason` says why not. */
static int get_bodies(FILE *file, bench_system *system, const char *path, char *reason)
{
    double(*states)[7] = calloc((size_t)system->bodies, sizeof *states);
    int32_t read = 0;
    while (states != NULL && read < system->bodies &&
           get_body(file, &system->body[read], read, states[read])) {
        read++;
    }
    const int whole = states != NULL && read == system->bodies;
    const int done = whole && bench_system_count(system);
    for (int32_t i = 0; done && i < read; i++) {
        const bench_body *body = &system->body[i];
        const int count = body->ball ? 4 : 1;
        memcpy(system->q + body->q, states[i], (size_t)count * sizeof **states);
        memcpy(system->u + body->u, states[i] + count, (body->ball ? 3 : 1) * sizeof **states);
    }
    if (states != NULL && !whole) {
        snprintf(reason, BENCH_REASON, "%s: body %d is not as it should be", path, (int)read);
    } else if (!done) {
        snprintf(reason, BENCH_REASON, "no memory for %d bodies", (int)system->bodies);
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
    int32_t version, bodies;
    if (file == NULL) {
        snprintf(reason, BENCH_REASON, "%s: %s", path, strerror(errno));
        return NULL;
    }
    if (!get_word(file, peers) || strcmp(peers, "peers") != 0 ||
        !get_integer(file, &version, 1, 1) || !get_word(file, name) ||
        !get_integer(file, &bodies, 1, MOST_BODIES) || !get(file, gravity, 3)) {
        snprintf(reason, BENCH_REASON, "%s: not a file of peers, version 1", path);
    } else if ((system = bench_system_create(bodies)) == NULL) {
        snprintf(reason, BENCH_REASON, "no memory for %d bodies", (int)bodies);
    } else {
        memcpy(system->name, name, sizeof name);
        memcpy(system->gravity, gravity, sizeof gravity);
        if (!get_bodies(file, system, path, reason)) {
            bench_system_free(system);
            system = NULL;
        }
    }
    fclose(file);
    return system;
}
