// The state of a running launch, shared by blocks.cpp, which runs the threads, and waits.cpp, where
// they wait.
#ifndef RCT_EMULATION_BLOCKS_H
#define RCT_EMULATION_BLOCKS_H

#include "fiber.h"
#include "machine.h"

#include <vector>

namespace emulation
{
// What a thread waits for. Threads wait for the same thing only if all members except value and
// operand are equal.
struct wait {
    emulated_wait kind;
    const char *file;
    int line;
    unsigned mask;  // of lanes; all for a barrier
    uint64_t value; // the value that the thread contributes
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
    uint64_t result; // result of the last wait
    void *meeting;   // barrier of its last warp wait, for ThreadSanitizer
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
    int waiting;    // threads at a barrier, of the block or of the grid
    int joined;     // OR of their values
    int generation; // barriers passed
    std::vector<shared_array> arrays;
    void *dynamic;
    char *meeting; // two, used in turn; ThreadSanitizer orders the barriers by them
    std::vector<void *> warp_meetings;
};

constexpr size_t meeting_bytes = 16;

struct running {
    const emulated_launch &launch;
    std::vector<block> blocks; // one block, or all blocks of a cooperative launch
    block *current_block = nullptr;
    thread *current = nullptr;
    std::vector<int> order; // of the threads of a block in this pass
    int position = 0;       // in it
    uint32_t resting = 0;   // warps that do not run in this pass
    fiber *idle = nullptr;  // the fiber whose thread has just ended, with no other thread to run
    bool failed = false;
    int grid_waiting = 0, grid_generation = 0;
    char started = 0, ended = 0;                          // for ThreadSanitizer
    alignas(16) char grid_meeting[2][meeting_bytes] = {}; // likewise

    explicit running(const emulated_launch &l) : launch(l)
    {
    }
};

extern running *now; // null outside kernels

void fail(const std::string &what); // reports an error; the launch ends without its threads
void report_stall();                // no thread can continue: reports the reason
} // namespace emulation

#endif
