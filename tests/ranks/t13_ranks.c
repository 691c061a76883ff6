/* Ranks: a job of one rank, which needs nothing; reading the environment that mpirun sets; failures
 * to join. t14_ranks.sh tests several ranks. */
#include "tests/support/cmocka_all.h"

#include "core/memory.h"
#include "ranks/launcher.h"
#include "ranks/ranks.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const variables[] = {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMI_RANK",
                                        "PMI_SIZE"};

/* An environment in which only these variables are set, [4]; NULL: not set. */
static void launched_with(const char *const values[4])
{
    for (int i = 0; i < 4; i++) {
        if (values[i] != NULL) {
            assert_int_equal(setenv(variables[i], values[i], 1), 0);
        } else {
            assert_int_equal(unsetenv(variables[i]), 0);
        }
    }
}

static int start_alone(void **state)
{
    (void)state;
    launched_with((const char *const[4]){NULL, NULL, NULL, NULL});
    unsetenv("RICCATREE_PLUGINS");
    return 0;
}

static rct_ranks *opened(void)
{
    rct_error error;
    rct_ranks *ranks = rct_ranks_open(&error);
    if (ranks == NULL) {
        fail_msg("%s", error.text);
    }
    return ranks;
}

static void test_alone(void **state)
{
    (void)state;
    rct_ranks *ranks = opened();
    assert_int_equal(rct_ranks_number(ranks), 0);
    assert_int_equal(rct_ranks_count(ranks), 1);
    const double own[3] = {1.0, 2.0, 3.0};
    double all[4] = {0.0, 0.0, 0.0, 4.0};
    rct_ranks_gather(ranks, own, sizeof own, all);
    assert_memory_equal(all, own, sizeof own);
    assert_true(all[3] == 4.0);
    rct_ranks_gather(ranks, NULL, 0, NULL);
    rct_ranks_poll(ranks);
    rct_ranks_close(ranks);
    rct_ranks_close(NULL);
    rct_ranks_close(opened()); /* alone, as often as one likes */
}

static void test_agreeing_alone_leaves_the_words(void **state)
{
    (void)state;
    rct_ranks *ranks = opened();
    rct_error error = {.status = RCT_ERROR_IO, .body = 3, .step = 5, .text = "no disk"};
    assert_int_equal(rct_ranks_agree(ranks, RCT_ERROR_IO, &error), RCT_ERROR_IO);
    assert_int_equal(error.body, 3);
    assert_string_equal(error.text, "no disk");
    assert_int_equal(rct_ranks_agree(ranks, RCT_ERROR_MEMORY, NULL), RCT_ERROR_MEMORY);
    assert_int_equal(rct_ranks_agree(ranks, RCT_OK, NULL), RCT_OK);
    rct_ranks_close(ranks);
}

static void test_shared_numbers_alone(void **state)
{
    (void)state;
    rct_ranks *ranks = opened();
    assert_int_equal(rct_ranks_begin(ranks, NULL), RCT_OK);
    for (int32_t i = 0; i < RCT_SHARED_COUNT; i++) {
        assert_int_equal(rct_ranks_read(ranks, i), 0);
    }
    assert_int_equal(rct_ranks_add(ranks, RCT_SHARED_NEXT, 7), 0);
    assert_int_equal(rct_ranks_add(ranks, RCT_SHARED_NEXT, -2), 7);
    assert_int_equal(rct_ranks_read(ranks, RCT_SHARED_NEXT), 5);
    assert_int_equal(rct_ranks_add(ranks, RCT_SHARED_STEPS, INT64_C(1) << 40), 0);
    assert_int_equal(rct_ranks_read(ranks, RCT_SHARED_STEPS), INT64_C(1) << 40);
    assert_int_equal(rct_ranks_read(ranks, RCT_SHARED_MEMBERS), 0);
    assert_int_equal(rct_ranks_begin(ranks, NULL), RCT_OK);
    for (int32_t i = 0; i < RCT_SHARED_COUNT; i++) {
        assert_int_equal(rct_ranks_read(ranks, i), 0);
    }
    rct_ranks_close(ranks);
}

static void test_what_launchers_say(void **state)
{
    (void)state;
    static const struct {
        const char *values[4];
        int32_t number, count; /* count 0: not launched */
    } cases[] = {
        {{NULL, NULL, NULL, NULL}, 0, 0},
        {{"0", "1", NULL, NULL}, 0, 1},
        {{"2", "4", NULL, NULL}, 2, 4},
        {{NULL, NULL, "3", "5"}, 3, 5},
        {{"2", "4", "0", "1"}, 2, 4}, /* Open MPI's under a batch system that speaks PMI */
        {{"2", NULL, "3", "5"}, 3, 5},
        {{"2", NULL, NULL, NULL}, 0, 0},
        {{NULL, "4", NULL, NULL}, 0, 0},
        {{"4", "4", NULL, NULL}, 0, 0},
        {{"-1", "4", NULL, NULL}, 0, 0},
        {{"0", "0", NULL, NULL}, 0, 0},
        {{"0", "", NULL, NULL}, 0, 0},
        {{"0", "4 ", NULL, NULL}, 0, 0},
        {{"0", "4x", NULL, NULL}, 0, 0},
        {{"0", "3000000000", NULL, NULL}, 0, 0},
        {{"0", "99999999999999999999", NULL, NULL}, 0, 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int32_t number = -7, count = -7;
        launched_with(cases[i].values);
        assert_int_equal(rct_launched(&number, &count), cases[i].count > 0);
        if (cases[i].count > 0) {
            assert_int_equal(number, cases[i].number);
            assert_int_equal(count, cases[i].count);
        }
    }
}

static void test_a_batch_system_alone_is_no_job(void **state)
{
    (void)state;
    setenv("SLURM_NTASKS", "4", 1);
    setenv("SLURM_PROCID", "1", 1);
    rct_ranks *ranks = opened();
    assert_int_equal(rct_ranks_count(ranks), 1);
    rct_ranks_close(ranks);
    unsetenv("SLURM_NTASKS");
    unsetenv("SLURM_PROCID");
}

static void test_one_of_many_without_a_plugin(void **state)
{
    (void)state;
    launched_with((const char *const[4]){"1", "4", NULL, NULL});
    setenv("RICCATREE_PLUGINS", "/nowhere", 1);
    rct_error error;
    assert_null(rct_ranks_open(&error));
    assert_int_equal(error.status, RCT_ERROR_UNSUPPORTED);
    assert_string_equal(error.text,
                        "this is process 2 of 4 that mpirun started, but MPI cannot join them: it "
                        "was not built, or its plugin is not beside the library; build with MPI "
                        "(install libopenmpi-dev) or start one process");
    assert_null(rct_ranks_open(NULL));
}

static void test_the_only_one_without_a_plugin(void **state)
{
    (void)state;
    launched_with((const char *const[4]){"0", "1", NULL, NULL});
    setenv("RICCATREE_PLUGINS", "/nowhere", 1);
    rct_ranks *ranks = opened();
    assert_int_equal(rct_ranks_count(ranks), 1);
    assert_int_equal(rct_ranks_number(ranks), 0);
    assert_int_equal(rct_ranks_add(ranks, RCT_SHARED_STOP, 1), 0);
    assert_int_equal(rct_ranks_read(ranks, RCT_SHARED_STOP), 1);
    rct_ranks_close(ranks);
}

static void test_no_memory(void **state)
{
    (void)state;
    rct_error error;
    rct_allocate_fail_after(0);
    rct_ranks *ranks = rct_ranks_open(&error);
    rct_allocate_fail_after(-1);
    assert_null(ranks);
    assert_int_equal(error.status, RCT_ERROR_MEMORY);
    assert_non_null(strstr(error.text, "the ranks of a job"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_alone, start_alone),
        cmocka_unit_test_setup(test_agreeing_alone_leaves_the_words, start_alone),
        cmocka_unit_test_setup(test_shared_numbers_alone, start_alone),
        cmocka_unit_test_setup(test_what_launchers_say, start_alone),
        cmocka_unit_test_setup(test_a_batch_system_alone_is_no_job, start_alone),
        cmocka_unit_test_setup(test_one_of_many_without_a_plugin, start_alone),
        cmocka_unit_test_setup(test_the_only_one_without_a_plugin, start_alone),
        cmocka_unit_test_setup(test_no_memory, start_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
