// Sample kernels, compiled by nvcc and by the host's compiler for the emulation: a sum by shared memory and
// shuffles, running sums by all blocks of a cooperative launch, atomics, dynamic shared memory.
#include "samples.h"

#include "kernels/cuda/launch.h"

__device__ __forceinline__ double warp_sum(double x)
{
    for (int step = 16; step > 0; step /= 2) {
        x += __shfl_down_sync(0xffffffffu, x, step);
    }
    return x;
}

// To all threads of the block.
__device__ double block_sum(double x)
{
    RCT_SHARED(double, of_warp, SAMPLE_BLOCK / 32);
    int thread = static_cast<int>(threadIdx.x);
    x = warp_sum(x);
    if (thread % 32 == 0) {
        of_warp[thread / 32] = x;
    }
    __syncthreads();
    x = 0.0;
    for (int i = 0; i < SAMPLE_BLOCK / 32; i++) {
        x += of_warp[i];
    }
    __syncthreads();
    return x;
}

__global__ void __launch_bounds__(SAMPLE_BLOCK)
    sum(double *__restrict__ sums, const double *__restrict__ numbers, int64_t count)
{
    int64_t i = static_cast<int64_t>(blockIdx.x) * SAMPLE_BLOCK + threadIdx.x;
    double x = 0.0;
    for (; i < count; i += static_cast<int64_t>(gridDim.x) * SAMPLE_BLOCK) {
        x += __ldg(&numbers[i]);
    }
    x = block_sum(x);
    if (threadIdx.x == 0) {
        sums[blockIdx.x] = x;
    }
}

// Each block handles a run of the numbers: first their sum, then, when all sums are known, the
// running sums.
__global__ void __launch_bounds__(SAMPLE_BLOCK)
    prefix(double *sums, double *partial, const double *numbers, int64_t count)
{
    int64_t run = (count + gridDim.x - 1) / gridDim.x;
    int64_t first = run * blockIdx.x, end = first + run < count ? first + run : count;
    double x = 0.0;
    for (int64_t i = first + threadIdx.x; i < end; i += SAMPLE_BLOCK) {
        x += numbers[i];
    }
    x = block_sum(x);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = x;
    }
    rct_grid_sync();
    if (threadIdx.x == 0) {
        double so_far = 0.0;
        for (unsigned b = 0; b < blockIdx.x; b++) {
            so_far += partial[b];
        }
        for (int64_t i = first; i < end; i++) {
            sums[i] = so_far += numbers[i];
        }
    }
}

__global__ void scale(double *out, const double *in, double factor, int64_t count)
{
    int64_t i = static_cast<int64_t>(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < count) {
        out[i] = factor * in[i];
    }
}

__global__ void least_of(int *least, unsigned long long *evens, const int *numbers, int count)
{
    int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    bool even = i < count && numbers[i] % 2 == 0;
    unsigned votes = __ballot_sync(0xffffffffu, even);
    if (i < count) {
        atomicMin(least, numbers[i]);
    }
    if (threadIdx.x % 32 == 0) {
        atomicAdd(evens, static_cast<unsigned long long>(__popc(votes)));
    }
}

__global__ void turn(float *out, const float *in)
{
    RCT_SHARED_DYNAMIC(float, held);
    held[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = held[blockDim.x - 1 - threadIdx.x];
}

cudaError_t sample_sum(double *sums, const double *numbers, int64_t count, int blocks,
                       cudaStream_t stream)
{
    return RCT_LAUNCH(sum, blocks, SAMPLE_BLOCK, 0, stream, sums, numbers, count);
}

cudaError_t sample_prefix(double *sums, double *partial, const double *numbers, int64_t count,
                          int blocks, cudaStream_t stream)
{
    return RCT_LAUNCH_COOPERATIVE(prefix, blocks, SAMPLE_BLOCK, 0, stream, sums, partial, numbers,
                                  count);
}

cudaError_t sample_scale(double *out, const double *in, double factor, int64_t count,
                         cudaStream_t stream)
{
    unsigned blocks = static_cast<unsigned>((count + 255) / 256);
    return RCT_LAUNCH(scale, blocks, 256, 0, stream, out, in, factor, count);
}

cudaError_t sample_least(int *least, unsigned long long *evens, const int *numbers, int count,
                         cudaStream_t stream)
{
    return RCT_LAUNCH(least_of, (count + 63) / 64, 64, 0, stream, least, evens, numbers, count);
}

cudaError_t sample_turn(float *out, const float *in, int count, cudaStream_t stream)
{
    return RCT_LAUNCH(turn, 1, count, static_cast<size_t>(count) * sizeof(float), stream, out, in);
}
