// Shared by the parts of the emulation: options, errors, reports, memory, and the run of one
// launch.
#ifndef RCT_EMULATION_MACHINE_H
#define RCT_EMULATION_MACHINE_H

#include "emulation.h"

#include <cuda_runtime.h>

#include <functional>
#include <mutex>
#include <string>

namespace emulation
{
constexpr int warp_lanes = 32, block_threads = 1024, multiprocessor_threads = 2048;
constexpr int multiprocessor_blocks = 32, registers = 64, most_devices = 8;
constexpr size_t block_shared = 48 * 1024, block_shared_optin = 227 * 1024;
constexpr size_t multiprocessor_shared = 228 * 1024, block_shared_reserved = 1024;

extern emulation_options options;
extern emulation_counts counts;
extern emulation_live live;
extern cudaError_t sticky; // of a device that can no longer be used

// Threads of the host take turns: the thread in the runtime holds this lock, also while kernels
// run. Each thread has its own chosen device and last error.
extern std::recursive_mutex turn;
typedef std::lock_guard<std::recursive_mutex> in_turn;

// Every function of the runtime begins with call() and ends with outcome(). If call() does not
// return success, the function must not continue; outcome() sets the error of cudaGetLastError.
cudaError_t call();
cudaError_t outcome(cudaError_t error);
template <typename F> cudaError_t runtime(F own)
{
    in_turn mine(turn);
    cudaError_t error = call();
    return outcome(error != cudaSuccess ? error : own());
}

// For functions that destroy an object: they do so on a lost device too, although the call fails.
template <typename F> cudaError_t runtime_always(F own)
{
    in_turn mine(turn);
    cudaError_t error = call(), of_own = own();
    return outcome(error != cudaSuccess ? error : of_own);
}

// Reports an error: text to stderr and to emulation_last_report. In a kernel, fail() follows.
void report(const std::string &text);
std::string text(const char *format, ...) __attribute__((format(printf, 1, 2)));
uint64_t random_number();

// memory.cpp
bool allocation_fails();
void fill_new(void *memory, size_t bytes); // poison or zeros
struct device_memory_open { // lets code access the memory of the device (AddressSanitizer)
    int device;
    explicit device_memory_open(int device);
    ~device_memory_open();
};
int64_t bytes_on(int device);
void memory_reset();

// streams.cpp: runs act in turn on the stream, or records it if the stream is capturing.
cudaError_t issue(cudaStream_t stream, std::function<void()> act);
cudaError_t wait_for_default_stream();
int device_of(cudaStream_t stream); // -1 if there is none
void finish();                      // everything issued to the device of this thread
// For calls that no capture allows in its mode: returns an error, and invalidates the captures that
// the call breaks.
cudaError_t unsafe_call();
void streams_reset();

// graphs.cpp
void graphs_reset();

// device.cpp: the device that this thread has chosen, and the facts about a kernel on a device.
int current_device();
void devices_reset();
struct kernel_facts {
    size_t dynamic_limit = block_shared;
    size_t static_bytes = 0; // largest number in a launch
    bool loaded = false;     // queried or launched before
};
kernel_facts &facts_of(const void *kernel, int device);

// blocks.cpp: runs all blocks now.
void run(const emulated_launch &launch);
} // namespace emulation

#endif
