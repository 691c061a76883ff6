// Shared by the tests of the emulation: cmocka from C++, device memory with numbers in it.
#ifndef RCT_EMULATION_EMULATION_TEST_H
#define RCT_EMULATION_EMULATION_TEST_H

extern "C" {
#include "tests/support/cmocka_all.h"
}

#include "emulation.h"

#include "kernels/cuda/launch.h"

#include <cstdlib>
#include <vector>

#define OK(call) assert_int_equal(call, cudaSuccess)

template <typename T> T *on_device(const std::vector<T> &numbers)
{
    T *memory = nullptr;
    OK(cudaMalloc(&memory, numbers.size() * sizeof(T)));
    OK(cudaMemcpy(memory, numbers.data(), numbers.size() * sizeof(T), cudaMemcpyHostToDevice));
    return memory;
}

template <typename T> std::vector<T> from_device(const T *memory, size_t count)
{
    std::vector<T> numbers(count);
    OK(cudaMemcpy(numbers.data(), memory, count * sizeof(T), cudaMemcpyDeviceToHost));
    return numbers;
}

// Setup and teardown of a test that must give no report and leave nothing behind.
inline int fresh(void **)
{
    emulation_reset();
    return 0;
}

inline int quiet(void **)
{
    assert_string_equal(emulation_last_report(), "");
    assert_int_equal(emulation_reports(), 0);
    assert_int_equal(emulation_alive().device_allocations, 0);
    return 0;
}

#define QUIET(test) cmocka_unit_test_setup_teardown(test, fresh, quiet)

// Resets the emulation with the words of RCT_EMULATION.
inline void set_option(const char *word)
{
    setenv("RCT_EMULATION", word, 1);
    emulation_reset();
    unsetenv("RCT_EMULATION");
}

// Runs the test in every order of threads and blocks, several seeds of the random one.
template <typename T> void in_every_order(T test)
{
    for (int mode = 0; mode < 8; mode++) {
        emulation_options options = emulation_defaults();
        options.order = mode < 2 ? static_cast<emulation_order>(mode) : EMULATION_RANDOM;
        options.seed = static_cast<uint64_t>(mode);
        options.deferred = mode % 2;
        emulation_set(&options);
        test();
    }
}

#endif
