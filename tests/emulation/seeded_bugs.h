// Kernels and host code with one bug each, and the modes that find the bug.
#ifndef RCT_EMULATION_SEEDED_BUGS_H
#define RCT_EMULATION_SEEDED_BUGS_H

#include <vector>

enum {
    FORWARD = 1, // no special mode: threads and blocks in order, work at once, memory zero
    REVERSE = 2,
    RANDOM = 4,
    POISON = 8,
    DEFERRED = 16,
    ASAN = 32,
    TSAN = 64,
    ALL = FORWARD | REVERSE | RANDOM | POISON | DEFERRED | ASAN | TSAN,
    MODES = 7
};

struct seeded_bug {
    const char *name;
    bool (*right)(bool wrong); // runs it, with or without the bug: were the results right?
    int caught;                // modes that find the bug, by a wrong result or a report
};

extern const std::vector<seeded_bug> seeded_bugs;

#endif
