// Every seeded bug is found by exactly the modes in its row of the table, and the same code without
// the bug by none. Each runs in a process of its own, because AddressSanitizer ends the process.
#include "emulation_test.h"

#include "seeded_bugs.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>

namespace
{
const char *const mode_names[MODES] = {"forward",  "reverse", "random", "poison",
                                       "deferred", "asan",    "tsan"};

// The modes that are available in this build.
int modes_here()
{
#if defined(EMULATION_ASAN)
    return ASAN;
#elif defined(EMULATION_TSAN)
    return TSAN;
#else
    return FORWARD | REVERSE | RANDOM | POISON | DEFERRED;
#endif
}

bool caught(bool (*right)(bool wrong), bool wrong, int mode, int seed)
{
    emulation_options options = emulation_defaults();
    options.order = mode == REVERSE  ? EMULATION_REVERSE
                    : mode == RANDOM ? EMULATION_RANDOM
                                     : EMULATION_FORWARD;
    options.seed = static_cast<uint64_t>(seed);
    options.poison = mode == POISON;
    options.deferred = mode == DEFERRED;
    std::fflush(nullptr);
    pid_t child = fork();
    if (child == 0) {
        if (wrong && std::freopen("/dev/null", "w", stderr) == nullptr) {
            _exit(99);
        }
        emulation_reset();
        emulation_set(&options);
        bool fine = right(wrong);
        bool left = emulation_alive().device_allocations + emulation_alive().streams > 0;
        _exit(!fine || left || emulation_reports() > 0 || cudaGetLastError() != cudaSuccess);
    }
    int status = 0;
    return waitpid(child, &status, 0) != child || status != 0;
}

// One of eight seeds is enough.
bool caught_in(bool (*right)(bool wrong), bool wrong, int mode)
{
    bool any = false;
    for (int seed = 1; seed <= (mode == RANDOM ? 8 : 1); seed++) {
        any = caught(right, wrong, mode, seed) || any;
    }
    return any;
}

void test_bugs(void **)
{
    int breaches = 0;
    for (const auto &bug : seeded_bugs) {
        std::printf("%-36s", bug.name);
        for (int m = 0; m < MODES; m++) {
            int mode = 1 << m;
            bool by_chance =
                mode == TSAN && bug.caught == ASAN; // it meets what lies beyond the end
            if ((modes_here() & mode) == 0 || by_chance) {
                continue;
            }
            bool is_caught = caught_in(bug.right, true, mode);
            std::printf("  %-8s", is_caught ? mode_names[m] : "");
            if (is_caught != ((bug.caught & mode) != 0)) {
                std::printf("<- %s expected  ", is_caught ? "not" : mode_names[m]);
                breaches++;
            }
        }
        std::printf("\n");
        assert_int_not_equal(bug.caught, 0);
    }
    assert_int_equal(breaches, 0);
}

void test_without_bugs(void **)
{
    for (const auto &bug : seeded_bugs) {
        for (int mode : {FORWARD, REVERSE, RANDOM, POISON, DEFERRED}) {
            if (caught_in(bug.right, false, mode)) {
                fail_msg("%s: reported though it is right", bug.name);
            }
        }
    }
}
} // namespace

int main(void)
{
    const CMUnitTest tests[] = {cmocka_unit_test(test_bugs), cmocka_unit_test(test_without_bugs)};
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
