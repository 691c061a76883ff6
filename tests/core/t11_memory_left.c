/* The memory that control groups leave, read from trees of their files. */
#include "core/memory_left.h"
#include "tests/support/cmocka_all.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[] = "memory_left_XXXXXX";

/* A file below the root with this text, and its folders. */
static void put(const char *path, const char *text)
{
    char whole[512];
    snprintf(whole, sizeof whole, "%s/%s", root, path);
    for (char *at = strchr(whole, '/'); at != NULL; at = strchr(at + 1, '/')) {
        *at = '\0';
        mkdir(whole, 0700);
        *at = '/';
    }
    FILE *file = fopen(whole, "w");
    assert_non_null(file);
    fputs(text, file);
    fclose(file);
}

static void clear(void)
{
    char command[600];
    snprintf(command, sizeof command, "rm -rf '%s'/*", root);
    assert_int_equal(system(command), 0);
}

static void expect(int64_t wanted)
{
    const int64_t left = rct_memory_left(root);
    if (left != wanted) {
        fail_msg("%" PRId64 " left, not %" PRId64, left, wanted);
    }
}

static void test_machine(void **state)
{
    (void)state;
    clear();
    expect(INT64_MAX);
    put("proc/meminfo", "MemTotal: 999 kB\nMemAvailable:    400 kB\nSwapFree: 50 kB\n");
    expect(450 * 1024);
    put("proc/self/cgroup", "0::/gone\n3:cpu:/\nno line of a group\n");
    expect(450 * 1024);
    assert_true(rct_memory_left("") > 0);
}

static void test_second(void **state)
{
    (void)state;
    clear();
    put("proc/meminfo", "MemAvailable: 4000 kB\nSwapFree: 1000 kB\n");
    put("proc/self/cgroup", "0::/job/step\n");
    put("sys/fs/cgroup/job/step/memory.max", "max\n");
    put("sys/fs/cgroup/job/step/memory.current", "1000\n");
    expect(5000 * 1024);
    put("sys/fs/cgroup/job/memory.max", "1000000\n"); /* a limit holds in inner groups */
    put("sys/fs/cgroup/job/memory.current", "700000\n");
    expect(300000 + 1000 * 1024);
    put("sys/fs/cgroup/job/memory.stat", "anon 1\ninactive_file 200000\nactive_file 5\n");
    expect(500000 + 1000 * 1024);
    put("sys/fs/cgroup/job/step/memory.swap.max", "4096\n");
    put("sys/fs/cgroup/job/step/memory.swap.current", "96\n");
    expect(500000 + 4000);
    put("sys/fs/cgroup/memory.max", "100\n"); /* as in a container, whose group is the root */
    put("sys/fs/cgroup/memory.current", "300\n");
    expect(4000);
}

static void test_first(void **state)
{
    (void)state;
    clear();
    put("proc/meminfo", "MemAvailable: 4000 kB\n");
    put("proc/self/cgroup", "9:cpu,memory,pids:/job\n0::/\n");
    put("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
    put("sys/fs/cgroup/memory/memory.usage_in_bytes", "5000\n");
    expect(4000 * 1024);
    put("sys/fs/cgroup/memory/job/memory.limit_in_bytes", "90000\n");
    put("sys/fs/cgroup/memory/job/memory.usage_in_bytes", "50000\n");
    put("sys/fs/cgroup/memory/job/memory.stat", "cache 3\ntotal_inactive_file 10000\n");
    expect(50000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_machine),
                                       cmocka_unit_test(test_second), cmocka_unit_test(test_first)};
    if (mkdtemp(root) == NULL) {
        return 1;
    }
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    clear();
    rmdir(root);
    return failed;
}
