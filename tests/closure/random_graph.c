/* Random trees with loops as graphs (random_graph.h). */
#include "tests/closure/random_graph.h"

#include "tests/support/cmocka_all.h"

#include "tests/support/draw.h"

#include <string.h>

static int32_t draw_id(uint64_t *random, int32_t count)
{
    return (int32_t)(draw_bits(random) % (uint64_t)count);
}

/* Parents are random ids; `deep`: mostly the body before. */
static void draw_tree(graph *g, uint64_t *random, int deep)
{
    int32_t id[MOST_BODIES];
    for (int32_t i = 0; i < g->n; i++) { /* shuffle */
        const int32_t k = draw_id(random, i + 1);
        id[i] = id[k];
        id[k] = i;
    }
    for (int32_t i = 0; i < g->n; i++) {
        const int32_t up = deep && draw_id(random, 4) > 0 ? i - 1 : draw_id(random, i + 1) - 1;
        g->parent[id[i]] = up < 0 ? RCT_GROUND : id[up];
    }
    for (int32_t i = 0; i < g->n; i++) {
        g->first[i + 1] = g->first[i] + draw_id(random, 4);
    }
    int32_t count = 0;
    for (int32_t depth = 0; count < g->n; depth++) {
        for (int32_t i = 0; i < g->n; i++) {
            int32_t up = 0;
            for (int32_t b = g->parent[i]; b != RCT_GROUND; b = g->parent[b]) {
                up++;
            }
            if (up == depth) {
                g->order[count++] = i;
            }
        }
    }
}

/* Terms of a relation: up to three hinges with rates. */
static void draw_terms(graph *g, uint64_t *random, int32_t row)
{
    int64_t at = g->rates_at[row];
    const int32_t terms = 1 + draw_id(random, 3);
    for (int32_t k = 0; k < terms; k++) {
        g->rates[at++].rate = (int64_t)(draw_bits(random) % (uint64_t)g->first[g->n]);
    }
    g->rates_at[row + 1] = at;
    g->ends_at[row + 1] = g->ends_at[row];
}

static void draw_ends(graph *g, int32_t row, int32_t one, int32_t other)
{
    int32_t at = g->ends_at[row];
    g->ends[at++].body = one;
    if (other != RCT_GROUND) {
        g->ends[at++].body = other;
    }
    g->ends_at[row + 1] = at;
    g->rates_at[row + 1] = g->rates_at[row];
}

void draw_graph(graph *g, uint64_t seed)
{
    uint64_t random = seed;
    memset(g, 0, sizeof *g);
    g->n = 2 + draw_id(&random, MOST_BODIES - 2);
    g->loops = draw_id(&random, 1 + (g->n < MOST_LOOPS ? g->n : MOST_LOOPS) / 2);
    draw_tree(g, &random, (int)(seed % 2));
    int32_t row = 0;
    for (int32_t i = 0; i < g->loops; i++) {
        if (draw_id(&random, 3) == 0 && g->first[g->n] > 0) {
            g->loop[row] = i;
            draw_terms(g, &random, row++);
            continue;
        }
        const int32_t one = draw_id(&random, g->n), other = draw_id(&random, g->n + 1) - 1;
        for (int32_t k = 1 + draw_id(&random, 3); k > 0 && one != other; k--) {
            g->loop[row] = i;
            draw_ends(g, row++, one, other);
        }
    }
    g->tree = (rct_operator_tree){.n = g->n, .parent = g->parent, .first = g->first};
    g->rows = (rct_closure_rows){.count = row,
                                 .loop = g->loop,
                                 .ends_at = g->ends_at,
                                 .ends = g->ends,
                                 .rates_at = g->rates_at,
                                 .rates = g->rates};
}
