// The seeded bugs. Each function runs its kernels with or without the bug, and returns whether the
// results were right. The table at the end says which modes find which bug. All bugs are in this
// one file, because the table names the functions before it.
#include "seeded_bugs.h"

#include "kernels/cuda/launch.h"

#include <functional>

namespace
{
constexpr int THREADS = 64, BLOCKS = 6;

// A device array of whole numbers, and its contents after all issued work.
struct array {
    double *memory = nullptr;
    explicit array(const std::vector<double> &numbers)
    {
        cudaMalloc(&memory, numbers.size() * sizeof(double));
        cudaMemcpy(memory, numbers.data(), numbers.size() * sizeof(double), cudaMemcpyHostToDevice);
    }
    array(const array &) = delete;
    ~array()
    {
        cudaFree(memory);
    }
    bool is(const std::function<double(int)> &expected, int count) const
    {
        std::vector<double> numbers(static_cast<size_t>(count));
        cudaMemcpy(numbers.data(), memory, numbers.size() * sizeof(double), cudaMemcpyDeviceToHost);
        bool all = true;
        for (int i = 0; i < count; i++) {
            all = all && numbers[static_cast<size_t>(i)] == expected(i);
        }
        return all;
    }
};

std::vector<double> zeros(size_t count)
{
    return std::vector<double>(count);
}

// Whether a block of this number of threads, each with its own number, gives the expected result.
bool one_block(void (*kernel)(double *, bool), int threads, bool wrong,
               const std::function<double(int)> &expected)
{
    array out(zeros(static_cast<size_t>(threads)));
    RCT_LAUNCH(kernel, 1, threads, 0, nullptr, out.memory, wrong);
    return out.is(expected, threads);
}

double before(int i)
{
    return i > 0 ? i - 1 : 0;
}

__global__ void read_neighbour(double *out, bool wrong)
{
    RCT_SHARED(double, held, THREADS);
    int i = static_cast<int>(threadIdx.x);
    held[i] = i;
    if (!wrong) {
        __syncthreads();
    }
    out[i] = held[i > 0 ? i - 1 : 0];
}

bool no_barrier_after_write(bool wrong)
{
    return one_block(read_neighbour, THREADS, wrong, before);
}

__global__ void reuse(double *out, bool wrong)
{
    RCT_SHARED(double, held, THREADS);
    int i = static_cast<int>(threadIdx.x);
    double sum = 0.0;
    for (int round = 1; round <= 2; round++) {
        held[i] = round * i;
        __syncthreads();
        sum += held[THREADS - 1 - i];
        if (!wrong) {
            __syncthreads();
        }
    }
    out[i] = sum;
}

bool no_barrier_before_reuse(bool wrong)
{
    return one_block(reuse, THREADS, wrong, [](int i) { return 3 * (THREADS - 1 - i); });
}

__global__ void diverge(double *out, bool wrong)
{
    if (!wrong || threadIdx.x < 32) {
        __syncthreads();
    }
    out[threadIdx.x] = 1.0;
}

bool divergent_barrier(bool wrong)
{
    return one_block(diverge, THREADS, wrong, [](int) { return 1.0; });
}

__global__ void shuffle_half(double *out, bool wrong)
{
    int i = static_cast<int>(threadIdx.x);
    double x = i;
    if (i < 16) {
        x = __shfl_sync(wrong ? 0xffffffffu : 0xffffu, x, 3);
    }
    out[i] = x;
}

bool mask_of_absent_lanes(bool wrong)
{
    return one_block(shuffle_half, 32, wrong, [](int i) { return i < 16 ? 3 : i; });
}

__global__ void shuffle_all(double *out, bool wrong)
{
    int i = static_cast<int>(threadIdx.x);
    out[i] = __shfl_sync(wrong ? 0xffffu : 0xffffffffu, static_cast<double>(i), 3);
}

bool lane_out_of_mask(bool wrong)
{
    return one_block(shuffle_all, 32, wrong, [](int) { return 3.0; });
}

__global__ void shift(double *out, int by)
{
    RCT_SHARED(double, held, THREADS);
    int i = static_cast<int>(threadIdx.x);
    held[i + by] = i;
    out[i] = held[i + by];
}

bool past_end_of_shared(bool wrong)
{
    array out(zeros(THREADS));
    RCT_LAUNCH(shift, 1, THREADS, 0, nullptr, out.memory, wrong ? 1 : 0);
    return out.is([](int i) { return i; }, THREADS);
}

__global__ void shift_dynamic(double *out, int by)
{
    RCT_SHARED_DYNAMIC(double, held);
    int i = static_cast<int>(threadIdx.x);
    held[i + by] = i;
    out[i] = held[i + by];
}

bool past_end_of_dynamic(bool wrong)
{
    array out(zeros(THREADS));
    RCT_LAUNCH(shift_dynamic, 1, THREADS, THREADS * sizeof(double), nullptr, out.memory,
               wrong ? 1 : 0);
    return out.is([](int i) { return i; }, THREADS);
}

__global__ void fill(double *out, int count, bool wrong)
{
    int i = static_cast<int>(threadIdx.x);
    if (wrong ? i <= count : i < count) {
        out[i] = i;
    }
}

bool past_end_of_global(bool wrong)
{
    array out(zeros(THREADS - 2));
    RCT_LAUNCH(fill, 1, THREADS, 0, nullptr, out.memory, THREADS - 2, wrong);
    return out.is([](int i) { return i; }, THREADS - 2);
}

__global__ void count_in_shared(double *out, bool wrong)
{
    RCT_SHARED(double, held, THREADS);
    int i = static_cast<int>(threadIdx.x);
    if (!wrong) {
        held[i] = 0.0;
    }
    held[i] += i;
    out[i] = held[i];
}

bool uninitialised_shared(bool wrong)
{
    return one_block(count_in_shared, THREADS, wrong, [](int i) { return i; });
}

__global__ void add_to(double *out)
{
    out[threadIdx.x] += threadIdx.x;
}

bool uninitialised_global(bool wrong)
{
    array out(zeros(1));
    cudaFree(out.memory);
    cudaMalloc(&out.memory, THREADS * sizeof(double));
    if (!wrong) {
        cudaMemset(out.memory, 0, THREADS * sizeof(double));
    }
    RCT_LAUNCH(add_to, 1, THREADS, 0, nullptr, out.memory);
    return out.is([](int i) { return i; }, THREADS);
}

__global__ void write_block(double *mine)
{
    mine[blockIdx.x] = blockIdx.x;
}

__global__ void read_block_before(double *out, double *mine, bool write)
{
    unsigned b = blockIdx.x;
    if (write) {
        mine[b] = b;
    }
    out[b] = mine[b > 0 ? b - 1 : 0];
}

bool race_between_blocks(bool wrong)
{
    array out(zeros(BLOCKS)), mine(zeros(BLOCKS));
    if (!wrong) {
        RCT_LAUNCH(write_block, BLOCKS, 1, 0, nullptr, mine.memory);
    }
    RCT_LAUNCH(read_block_before, BLOCKS, 1, 0, nullptr, out.memory, mine.memory, wrong);
    return out.is(before, BLOCKS);
}

__global__ void read_after_grid(double *out, double *mine, bool wrong)
{
    unsigned b = blockIdx.x;
    mine[b] = b;
    if (!wrong) {
        rct_grid_sync();
    }
    out[b] = mine[b > 0 ? b - 1 : 0];
}

bool no_grid_barrier(bool wrong)
{
    array out(zeros(BLOCKS)), mine(zeros(BLOCKS));
    RCT_LAUNCH_COOPERATIVE(read_after_grid, BLOCKS, 1, 0, nullptr, out.memory, mine.memory, wrong);
    return out.is(before, BLOCKS);
}

__global__ void read_warp_before(double *out, bool wrong)
{
    RCT_SHARED(double, held, 32);
    int i = static_cast<int>(threadIdx.x);
    if (i < 32) {
        held[i] = i;
    }
    if (wrong) {
        __syncwarp();
    } else {
        __syncthreads();
    }
    if (i >= 32) {
        out[i - 32] = held[63 - i];
    }
}

bool order_of_warps_assumed(bool wrong)
{
    array out(zeros(32));
    RCT_LAUNCH(read_warp_before, 1, 64, 0, nullptr, out.memory, wrong);
    return out.is([](int i) { return 31 - i; }, 32);
}

__global__ void read_lane_before(double *out, bool wrong)
{
    RCT_SHARED(double, held, 32);
    int i = static_cast<int>(threadIdx.x);
    held[i] = i;
    if (!wrong) {
        __syncwarp();
    }
    out[i] = held[i > 0 ? i - 1 : 0];
}

bool lanes_in_lockstep_assumed(bool wrong)
{
    return one_block(read_lane_before, 32, wrong, before);
}

__global__ void count_all(unsigned long long *count, bool wrong)
{
    if (wrong) {
        *count += 1;
    } else {
        atomicAdd(count, 1ull);
    }
}

bool sum_without_atomic(bool wrong)
{
    unsigned long long *count = nullptr, got = 0;
    cudaMalloc(&count, sizeof got);
    cudaMemcpy(count, &got, sizeof got, cudaMemcpyHostToDevice);
    RCT_LAUNCH(count_all, BLOCKS, THREADS, 0, nullptr, count, wrong);
    cudaMemcpy(&got, count, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(count);
    return got == BLOCKS * THREADS;
}

bool no_wait_before_reading(bool wrong)
{
    array numbers(std::vector<double>{5.0});
    cudaStream_t stream = nullptr;
    double got = 0.0;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaMemcpyAsync(&got, numbers.memory, sizeof got, cudaMemcpyDeviceToHost, stream);
    if (!wrong) {
        cudaStreamSynchronize(stream);
    }
    bool right = got == 5.0;
    cudaDeviceSynchronize();
    cudaStreamDestroy(stream);
    return right;
}

bool buffer_changed_too_early(bool wrong)
{
    array numbers(std::vector<double>{0.0});
    cudaStream_t stream = nullptr;
    double buffer = 5.0;
    cudaStreamCreate(&stream);
    cudaMemcpyAsync(numbers.memory, &buffer, sizeof buffer, cudaMemcpyHostToDevice, stream);
    if (!wrong) {
        cudaStreamSynchronize(stream);
    }
    buffer = 6.0;
    bool right = numbers.is([](int) { return 5.0; }, 1);
    cudaStreamDestroy(stream);
    return right;
}

bool no_event_between_streams(bool wrong)
{
    array numbers(zeros(THREADS));
    cudaStream_t one = nullptr, two = nullptr;
    cudaEvent_t filled = nullptr;
    double got = 0.0;
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking);
    cudaEventCreateWithFlags(&filled, cudaEventDisableTiming);
    RCT_LAUNCH(fill, 1, THREADS, 0, one, numbers.memory, THREADS, false);
    cudaEventRecord(filled, one);
    if (!wrong) {
        cudaStreamWaitEvent(two, filled);
    }
    cudaMemcpyAsync(&got, numbers.memory + 9, sizeof got, cudaMemcpyDeviceToHost, two);
    cudaStreamSynchronize(two);
    cudaDeviceSynchronize();
    cudaEventDestroy(filled);
    cudaStreamDestroy(one);
    cudaStreamDestroy(two);
    return got == 9.0;
}

bool host_reads_device_memory(bool wrong)
{
    array numbers(std::vector<double>{5.0});
    return wrong ? numbers.memory[0] == 5.0 : numbers.is([](int) { return 5.0; }, 1);
}

} // namespace

// The bug, and all modes that find it. Builds with a sanitizer do not try those of the first five
// modes, other builds not those of their sanitizer.
const std::vector<seeded_bug> seeded_bugs = {
    {"no barrier after a write to shared", no_barrier_after_write, REVERSE | RANDOM | TSAN},
    {"no barrier before reuse of shared", no_barrier_before_reuse, ALL},
    {"divergent barrier", divergent_barrier, ALL},
    {"mask names absent lanes", mask_of_absent_lanes, ALL},
    {"lane out of its mask", lane_out_of_mask, ALL},
    {"past the end of shared", past_end_of_shared, ASAN},
    {"past the end of dynamic shared", past_end_of_dynamic, ASAN},
    {"past the end of global", past_end_of_global, ASAN},
    {"uninitialised shared", uninitialised_shared, POISON},
    {"uninitialised global", uninitialised_global, POISON},
    {"race between blocks", race_between_blocks, REVERSE | RANDOM | TSAN},
    {"no grid barrier", no_grid_barrier, REVERSE | RANDOM | TSAN},
    {"order of warps assumed", order_of_warps_assumed, REVERSE | RANDOM | TSAN},
    {"lanes in lockstep assumed", lanes_in_lockstep_assumed, REVERSE | RANDOM | TSAN},
    {"+= for an atomic", sum_without_atomic, TSAN},
    {"no wait before reading results", no_wait_before_reading, DEFERRED},
    {"host buffer changed too early", buffer_changed_too_early, DEFERRED},
    {"no event between streams", no_event_between_streams, DEFERRED},
    {"host reads device memory", host_reads_device_memory, ASAN},
};
