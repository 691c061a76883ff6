// The emulated CUDA: what each piece of the runtime answers, and kernels in every order of threads.
extern "C" {
#include "cmocka_all.h"
}

#include "emulation.h"
#include "samples.h"

#include <vector>

#define OK(call) assert_int_equal(call, cudaSuccess)

namespace
{
// Device memory with numbers in it.
template <typename T> T *on_device(const std::vector<T> &numbers)
{
    void *memory = nullptr;
    OK(cudaMalloc(&memory, numbers.size() * sizeof(T)));
    OK(cudaMemcpy(memory, numbers.data(), numbers.size() * sizeof(T), cudaMemcpyHostToDevice));
    return static_cast<T *>(memory);
}

template <typename T> std::vector<T> from_device(const T *memory, size_t count)
{
    std::vector<T> numbers(count);
    OK(cudaMemcpy(numbers.data(), memory, count * sizeof(T), cudaMemcpyDeviceToHost));
    return numbers;
}

std::vector<double> whole_numbers(int count)
{
    std::vector<double> numbers;
    for (int i = 0; i < count; i++) {
        numbers.push_back(i % 17 - 5);
    }
    return numbers;
}

int fresh(void **)
{
    emulation_reset();
    return 0;
}

int quiet(void **)
{
    assert_string_equal(emulation_last_report(), "");
    assert_int_equal(emulation_reports(), 0);
    return 0;
}

// Runs the test in every order of threads and blocks, several seeds of the random one.
template <typename test> void in_every_order(test run)
{
    for (int mode = 0; mode < 8; mode++) {
        emulation_options options = emulation_defaults();
        options.order = mode < 2 ? static_cast<emulation_order>(mode) : EMULATION_RANDOM;
        options.seed = static_cast<uint64_t>(mode);
        options.deferred = mode % 2;
        emulation_set(&options);
        run();
    }
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
} // namespace

int main(void)
{
    const CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(test_sum, fresh, quiet),
        cmocka_unit_test_setup_teardown(test_prefix, fresh, quiet),
        cmocka_unit_test_setup_teardown(test_atomics, fresh, quiet),
        cmocka_unit_test_setup_teardown(test_dynamic_shared, fresh, quiet),
    };
    return cmocka_run_group_tests(tests, nullptr, nullptr);
}
