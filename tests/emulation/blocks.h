// One launch while it runs, for blocks.cpp, which runs the threads, and waits.cpp, where they wait.
#ifndef RCT_EMULATION_BLOCKS_H
#define RCT_EMULATION_BLOCKS_H

#include "fiber.h"
#include "machine.h"

#include <vector>

namespace emulation
{
// What a thread waits for: the same thing only if all of this is the same but value and operand.
struct wait {
    emulated_wait kind;
    const char *file;
    int line;
    unsigned mask;  // of lanes; all for a barrier
    uint64_t value; // what the thread brings
    int operand, width;
};

struct thread {
    enum { UNSTARTED, READY, WAITING, DONE } state;
    int number; // in its block
    uint3 index;
    fiber *on;
    bool fenced;
    int spins;       // atomics and fences since the last wait
    wait at;         // if it is waiting
    uint64_t result; // of the last wait
    void *meeting;   // of its last warp wait, for ThreadSanitizer
};

struct shared_array {
    const void *site;
    void *memory;
    size_t bytes;
};

struct block {
    uint3 index;
    std::vector<thread> threads;
    int living;     // threads that have not ended
    int waiting;    // at a barrier, that of the block or of the grid
    int joined;     // or of what they bring
    int generation; // barriers passed
    std::vector<shared_array> arrays;
    void *dynamic;
    char *meeting; // two, used in turn: what ThreadSanitizer orders the barriers by
    std::vector<void *> warp_meetings;
};

constexpr size_t meeting_bytes = 16;

struct running {
    const emulated_launch &launch;
    std::vector<block> blocks; // one, or all of a cooperative launch
    block *current_block = nullptr;
    thread *current = nullptr;
    std::vector<int> order; // of the threads of a block in this pass
    int position = 0;       // in it
    uint32_t resting = 0;   // warps that sit this pass out
    fiber *idle = nullptr;  // the fiber that has just run out of threads
    bool failed = false;
    int grid_waiting = 0, grid_generation = 0;
    char started = 0, ended = 0;                          // for ThreadSanitizer
    alignas(16) char grid_meeting[2][meeting_bytes] = {}; // likewise

    explicit running(const emulated_launch &l) : launch(l)
    {
    }
};

extern running *now; // null outside kernels

void fail(const std::string &what); // reports; the launch ends without its threads
void report_stall();                // nobody can go on: says why
} // namespace emulation

#endif
