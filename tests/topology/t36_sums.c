/* Sums of listed places against sums made term by term: random lists, lists of systems side by side,
 * which are laid as few runs, lists that look alike but are not, and none at all. */
#include "tests/support/cmocka_all.h"

#include "tests/support/draw.h"
#include "topology/sums.h"

#include <string.h>

enum { MOST = 400, TERMS = 6, PLACES = 900 };

typedef struct lists {
    int32_t count, at[MOST + 1], place[MOST * TERMS];
} lists;

static void add(lists *l, const int32_t *place, int32_t terms)
{
    memcpy(l->place + l->at[l->count], place, (size_t)terms * sizeof *place);
    l->at[l->count + 1] = l->at[l->count] + terms;
    l->count++;
}

/* The number of runs. */
static int64_t check(const lists *l, uint64_t seed)
{
    double from[PLACES], fast[MOST + 1];
    rct_pool pool = {.what = "sums"};
    rct_error error;
    rct_sums sums;
    draw_numbers(&seed, from, PLACES, 1.0);
    fast[l->count] = 17.0;
    assert_int_equal(rct_sums_lay(&sums, l->at, l->place, l->count, &pool, &error), RCT_OK);
    rct_sums_add_up(&sums, from, fast);
    for (int32_t k = 0; k < l->count; k++) {
        double sum = 0.0;
        for (int32_t m = l->at[k]; m < l->at[k + 1]; m++) {
            sum += from[l->place[m]];
        }
        assert_memory_equal(&sum, &fast[k], sizeof sum); /* the same bits */
    }
    assert_true(fast[l->count] == 17.0);
    rct_pool_empty(&pool);
    return sums.runs;
}

static void random_lists_add_up(void **state)
{
    (void)state;
    uint64_t seed = 11;
    for (int round = 0; round < 20; round++) {
        lists l = {0};
        for (int k = 0; k < MOST; k++) {
            int32_t place[TERMS];
            const int32_t terms = (int32_t)(draw_bits(&seed) % (TERMS + 1));
            for (int m = 0; m < TERMS; m++) {
                place[m] = (int32_t)(draw_bits(&seed) % (round < 10 ? 40 : PLACES));
            }
            add(&l, place, terms);
        }
        assert_true(check(&l, seed) <= MOST);
    }
}

/* Systems in lanes of 8, each with two sums of `terms` terms after one another, `holes` of them with
 * another last place. */
static lists side_by_side(int32_t systems, int32_t terms, int32_t holes)
{
    lists l = {0};
    for (int32_t s = 0; s < systems; s++) {
        for (int32_t i = 0; i < 2; i++) {
            int32_t place[TERMS];
            for (int32_t m = 0; m < terms; m++) {
                place[m] = 8 * (2 * TERMS * (s / 8) + TERMS * i + m) + s % 8;
            }
            place[terms - 1] += i == 0 && s % 8 < holes ? 8 * (s % 8 + 1) : 0;
            add(&l, place, terms);
        }
    }
    return l;
}

static void systems_side_by_side_are_runs(void **state)
{
    (void)state;
    for (int32_t terms = 1; terms <= 5; terms++) {
        for (int32_t systems = 1; systems <= 60; systems += 7) {
            const lists l = side_by_side(systems, terms, 0);
            assert_int_equal(check(&l, (uint64_t)systems), 2 * ((systems + 7) / 8));
        }
    }
    const lists unlike = side_by_side(16, 3, 4);
    assert_int_equal(check(&unlike, 3), 2 * (1 + 4 + 1));
}

static void no_sums_and_no_terms(void **state)
{
    (void)state;
    lists l = {0};
    assert_int_equal(check(&l, 1), 0);
    add(&l, l.place, 0);
    add(&l, l.place, 0);
    assert_true(check(&l, 1) <= 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(random_lists_add_up),
        cmocka_unit_test(systems_side_by_side_are_runs),
        cmocka_unit_test(no_sums_and_no_terms),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
