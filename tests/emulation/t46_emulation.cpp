// Kernels under the emulation: the samples in every order of threads, each exchange of a warp
// against its formula, and every misuse that can be recognized, with its report.
#include "emulation_test.h"

#include "samples.h"

#include <cstring>
#include <string>

namespace
{
std::vector<double> whole_numbers(int count)
{
    std::vector<double> numbers;
    for (int i = 0; i < count; i++) {
        numbers.push_back(i % 17 - 5);
    }
    return numbers;
}

void test_sum(void **)
{
    in_every_order([] {
        std::vector<double> numbers = whole_numbers(1000);
        double *in = on_device(numbers), *sums = on_device(std::vector<double>(5));
        OK(sample_sum(sums, in, 1000, 5, nullptr));
        std::vector<double> partial = from_device(sums, 5);
        double expected = 0.0, got = 0.0;
        for (double x : numbers) {
            expected += x;
        }
        for (double x : partial) {
            got += x;
        }
        assert_true(got == expected);
        OK(cudaFree(in));
        OK(cudaFree(sums));
    });
}

void test_prefix(void **)
{
    in_every_order([] {
        std::vector<double> numbers = whole_numbers(1003);
        double *in = on_device(numbers), *sums = on_device(numbers);
        double *partial = on_device(std::vector<double>(7));
        OK(sample_prefix(sums, partial, in, 1003, 7, nullptr));
        std::vector<double> got = from_device(sums, 1003);
        double expected = 0.0;
        for (size_t i = 0; i < got.size(); i++) {
            expected += numbers[i];
            assert_true(got[i] == expected);
        }
        for (double *p : {in, sums, partial}) {
            OK(cudaFree(p));
        }
    });
}

void test_atomics(void **)
{
    in_every_order([] {
        std::vector<int> numbers;
        for (int i = 0; i < 500; i++) {
            numbers.push_back((i * 37 + 11) % 501 - 100);
        }
        int *in = on_device(numbers), *least = on_device(std::vector<int>{1000});
        unsigned long long *evens = on_device(std::vector<unsigned long long>{0});
        OK(sample_least(least, evens, in, 500, nullptr));
        int expected = 1000;
        unsigned long long even = 0;
        for (int x : numbers) {
            expected = x < expected ? x : expected;
            even += x % 2 == 0;
        }
        assert_int_equal(from_device(least, 1)[0], expected);
        assert_int_equal(from_device(evens, 1)[0], even);
        OK(cudaFree(in));
        OK(cudaFree(least));
        OK(cudaFree(evens));
    });
}

void test_dynamic_shared(void **)
{
    in_every_order([] {
        std::vector<float> numbers;
        for (int i = 0; i < 96; i++) {
            numbers.push_back(static_cast<float>(i));
        }
        float *in = on_device(numbers), *out = on_device(numbers);
        OK(sample_turn(out, in, 96, nullptr));
        std::vector<float> got = from_device(out, 96);
        for (int i = 0; i < 96; i++) {
            assert_true(got[static_cast<size_t>(i)] == static_cast<float>(95 - i));
        }
        OK(cudaFree(in));
        OK(cudaFree(out));
    });
}

// rows[r][i]: what thread i got in exchange r.
enum { EXCHANGES = 10, WIDE = 96 };

__global__ void exchange(int *rows)
{
    const unsigned all = 0xffffffffu;
    int i = static_cast<int>(threadIdx.x + blockDim.x * threadIdx.y);
    int row = 0;
    rows[row++ * WIDE + i] = __shfl_sync(all, i, 5);
    rows[row++ * WIDE + i] = __shfl_sync(all, i, i + 1, 8);
    rows[row++ * WIDE + i] = __shfl_up_sync(all, i, 3);
    rows[row++ * WIDE + i] = static_cast<int>(__shfl_down_sync(all, static_cast<double>(i), 3, 16));
    rows[row++ * WIDE + i] = static_cast<int>(__shfl_xor_sync(all, static_cast<long long>(i), 6));
    rows[row++ * WIDE + i] = static_cast<int>(__ballot_sync(all, i % 3 == 0));
    rows[row++ * WIDE + i] = __any_sync(all, i == 40);
    rows[row++ * WIDE + i] = __all_sync(all, i >= 32);
    rows[row++ * WIDE + i] = __syncthreads_or(i == 77);
    rows[row++ * WIDE + i] = __syncthreads_or(i > 200) + __popc(0xf0u) + __ffs(8);
}

void test_exchanges(void **)
{
    in_every_order([] {
        int *memory = on_device(std::vector<int>(EXCHANGES * WIDE));
        OK(RCT_LAUNCH(exchange, 1, dim3(16, 6), 0, nullptr, memory));
        std::vector<int> rows = from_device(memory, EXCHANGES * WIDE);
        for (int i = 0; i < WIDE; i++) {
            int first = i / 32 * 32, lane = i % 32;
            unsigned votes = 0;
            for (int j = 0; j < 32; j++) {
                votes |= (first + j) % 3 == 0 ? 1u << j : 0;
            }
            const int expected[EXCHANGES] = {first + 5,
                                             i / 8 * 8 + (i + 1) % 8,
                                             lane < 3 ? i : i - 3,
                                             i % 16 >= 13 ? i : i + 3,
                                             i ^ 6,
                                             static_cast<int>(votes),
                                             first == 32,
                                             first >= 32,
                                             1,
                                             8};
            for (int r = 0; r < EXCHANGES; r++) {
                assert_int_equal(rows[static_cast<size_t>(r * WIDE + i)], expected[r]);
            }
        }
        OK(cudaFree(memory));
    });
}

// Half warps separately: masks that do not overlap.
__global__ void halves(int *out)
{
    int i = static_cast<int>(threadIdx.x);
    unsigned mine = i % 32 < 16 ? 0xffffu : 0xffff0000u;
    int x = i;
    if (i % 32 < 16) {
        for (int step = 8; step > 0; step /= 2) {
            x += __shfl_xor_sync(mine, x, step);
        }
    } else {
        __syncwarp(mine);
        x = __ballot_sync(mine, 1) == mine ? x : -1;
    }
    out[i] = x;
}

void test_halves(void **)
{
    in_every_order([] {
        int *memory = on_device(std::vector<int>(64));
        OK(RCT_LAUNCH(halves, 1, 64, 0, nullptr, memory));
        std::vector<int> out = from_device(memory, 64);
        for (int i = 0; i < 64; i++) {
            int first = i / 32 * 32;
            assert_int_equal(out[static_cast<size_t>(i)], i % 32 < 16 ? 16 * first + 120 : i);
        }
        OK(cudaFree(memory));
    });
}

// Every thread of a three-dimensional grid of blocks exists exactly once.
__global__ void number(int *out)
{
    unsigned b = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    unsigned t = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    atomicAdd(&out[b * blockDim.x * blockDim.y * blockDim.z + t], 1);
}

void test_indices(void **)
{
    in_every_order([] {
        int *memory = on_device(std::vector<int>(2 * 3 * 4 * 5 * 2 * 3));
        OK(RCT_LAUNCH(number, dim3(2, 3, 4), dim3(5, 2, 3), 0, nullptr, memory));
        for (int x : from_device(memory, 2 * 3 * 4 * 5 * 2 * 3)) {
            assert_int_equal(x, 1);
        }
        OK(cudaFree(memory));
    });
}

// The last block to finish adds up the results of the others: with a fence and an atomic, without a
// barrier.
__global__ void last_adds(int *sum, int *left, unsigned *came)
{
    left[blockIdx.x] = static_cast<int>(blockIdx.x);
    __threadfence();
    if (atomicAdd(came, 1u) == gridDim.x - 1) {
        __threadfence();
        for (unsigned b = 0; b < gridDim.x; b++) {
            *sum += left[b];
        }
    }
}

void test_fence(void **)
{
    in_every_order([] {
        int *sum = on_device(std::vector<int>(1)), *left = on_device(std::vector<int>(20));
        unsigned *came = on_device(std::vector<unsigned>(1));
        OK(RCT_LAUNCH(last_adds, 20, 1, 0, nullptr, sum, left, came));
        assert_int_equal(from_device(sum, 1)[0], 190);
        OK(cudaFree(sum));
        OK(cudaFree(left));
        OK(cudaFree(came));
    });
}

// Each block polls for the one after it: all blocks must be alive at once.
__global__ void hand_down(unsigned *came, int *out)
{
    bool last = blockIdx.x == gridDim.x - 1;
    while (!last && atomicCAS(&came[blockIdx.x + 1], 1u, 1u) == 0) {
    }
    __threadfence();
    out[blockIdx.x] = last ? 1 : 2 * out[blockIdx.x + 1];
    __threadfence();
    atomicAdd(&came[blockIdx.x], 1u);
}

void test_spinning(void **)
{
    in_every_order([] {
        unsigned *came = on_device(std::vector<unsigned>(9));
        int *out = on_device(std::vector<int>(9));
        OK(RCT_LAUNCH_COOPERATIVE(hand_down, 9, 1, 0, nullptr, came, out));
        assert_int_equal(from_device(out, 9)[0], 256);
        OK(cudaFree(came));
        OK(cudaFree(out));
    });
    emulation_reset();
    unsigned *came = on_device(std::vector<unsigned>(9));
    int *out = on_device(std::vector<int>(9));
    OK(RCT_LAUNCH(hand_down, 9, 1, 0, nullptr, came, out));
    assert_int_equal(cudaGetLastError(), cudaErrorLaunchFailure);
    assert_non_null(std::strstr(emulation_last_report(), "deadlock: 4194304 atomics"));
}

const int misuse_line = __LINE__ + 1;
__global__ void misuse(int what)
{
    int i = static_cast<int>(threadIdx.x);
    if (what == 0 && i < 40) {
        __syncthreads();
    } else if (what == 1) {
        if (i < 7) {
            __syncthreads();
        } else {
            __syncthreads();
        }
    } else if (what == 2 && i < 20) {
        __shfl_sync(0xffffffffu, i, 0);
    } else if (what == 3) {
        __syncwarp(0xfffffffeu);
    } else if (what == 4) {
        if (i % 32 < 16) {
            __syncwarp(0xffffffffu);
        } else {
            __ballot_sync(0xffffffffu, 1);
        }
    } else if (what == 5) {
        rct_grid_sync();
    } else if (what == 6 && blockIdx.x == 1) {
        rct_grid_sync();
    } else if (what == 7) {
        __shfl_up_sync(0xffffffffu, i, 1, 12);
    } else if (what == 8) {
        RCT_SHARED(double, large, 7000);
        large[i] = 0.0;
    } else if (what == 9) {
        if (i < 32) {
            __syncwarp();
            __syncthreads();
        } else if (i < 40) {
            __syncwarp();
        } else {
            __syncthreads();
        }
    }
}

void test_misuses(void **)
{
    static const struct {
        int what;
        int line; // from the first of the kernel
        bool cooperative;
        const char *words[5];
    } cases[] = {
        {0, 4, false, {"divergent __syncthreads", "kernel misuse", "block (0,0,0)", "has exited"}},
        {1, 7, false, {"divergent __syncthreads", "thread (0,0,0) waits", "thread (63,0,0) waits"}},
        {2, 12, false, {"wrong mask", "__shfl_sync", "mask ffffffff", "lane 20", "has exited"}},
        {3, 14, false, {"lane not in its own mask", "__syncwarp", "thread (0,0,0)", "fffffffe"}},
        {4, 17, false, {"wrong mask", "__syncwarp", "__ballot_sync"}},
        {5, 22, false, {"grid barrier in an ordinary launch"}},
        {6, 24, true, {"divergent rct_grid_sync", "block (1,0,0)", "block (0,0,0)", "has exited"}},
        {7, 26, false, {"width", "power of two", "__shfl_up_sync"}},
        {8, 0, false, {"more shared memory", "56000 bytes"}},
        {9, 35, false, {"wrong mask", "lane 8", "waits in __syncthreads"}},
    };
    for (const auto &one : cases) {
        emulation_reset();
        OK(one.cooperative ? RCT_LAUNCH_COOPERATIVE(misuse, 2, 64, 0, nullptr, one.what)
                           : RCT_LAUNCH(misuse, 2, 64, 0, nullptr, one.what));
        assert_int_equal(cudaStreamSynchronize(nullptr), cudaErrorLaunchFailure);
        assert_int_equal(cudaGetLastError(), cudaErrorLaunchFailure);
        assert_int_equal(cudaGetLastError(), cudaErrorLaunchFailure);
        assert_int_equal(emulation_reports(), 1);
        for (const char *word : one.words) {
            assert_true(word == nullptr || std::strstr(emulation_last_report(), word) != nullptr);
        }
        std::string line = "t46_emulation.cpp:" + std::to_string(misuse_line + one.line);
        assert_true(one.line == 0 || std::strstr(emulation_last_report(), line.c_str()) != nullptr);
    }
    emulation_reset();
    OK(RCT_LAUNCH(misuse, 2, 64, 0, nullptr, -1));
    OK(cudaDeviceSynchronize());
}

void test_impossible_launches(void **)
{
    assert_int_equal(RCT_LAUNCH(misuse, 1, 1025, 0, nullptr, -1), cudaErrorInvalidConfiguration);
    assert_int_equal(RCT_LAUNCH(misuse, 0, 32, 0, nullptr, -1), cudaErrorInvalidConfiguration);
    assert_int_equal(cudaGetLastError(), cudaErrorInvalidConfiguration);
    assert_int_equal(cudaGetLastError(), cudaSuccess);
    assert_int_equal(RCT_LAUNCH(misuse, 1, 32, 48 * 1024 + 1, nullptr, -1), cudaErrorInvalidValue);
    OK(cudaFuncSetAttribute(misuse, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 * 1024));
    OK(RCT_LAUNCH(misuse, 1, 32, 100 * 1024, nullptr, -1));
    // 4 multiprocessors of 2048 threads
    assert_int_equal(RCT_LAUNCH_COOPERATIVE(misuse, 9, 1024, 0, nullptr, -1),
                     cudaErrorCooperativeLaunchTooLarge);
    assert_non_null(std::strstr(emulation_last_report(), "9 cooperative blocks, 8 fit"));
    OK(RCT_LAUNCH_COOPERATIVE(misuse, 8, 1024, 0, nullptr, -1));
    assert_int_equal(RCT_LAUNCH_COOPERATIVE(misuse, 9, 32, 100 * 1024, nullptr, -1),
                     cudaErrorCooperativeLaunchTooLarge);
    assert_int_equal(emulation_reports(), 5);
}
} // namespace

int main(void)
{
    const CMUnitTest tests[] = {
        QUIET(test_sum),
        QUIET(test_prefix),
        QUIET(test_atomics),
        QUIET(test_dynamic_shared),
        QUIET(test_exchanges),
        QUIET(test_halves),
        QUIET(test_indices),
        QUIET(test_fence),
        cmocka_unit_test_setup(test_spinning, fresh),
        cmocka_unit_test_setup(test_misuses, fresh),
        cmocka_unit_test_setup(test_impossible_launches, fresh),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
