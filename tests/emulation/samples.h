/* Sample kernels, declared for a host program in C. */
#ifndef RCT_EMULATION_SAMPLES_H
#define RCT_EMULATION_SAMPLES_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { SAMPLE_BLOCK = 128 };

/* sums[b] = sum of the numbers of block b, count in all; SAMPLE_BLOCK threads per block. */
cudaError_t sample_sum(double *sums, const double *numbers, int64_t count, int blocks,
                       cudaStream_t stream);

/* sums[i] = numbers[0] + ... + numbers[i], by all blocks together; partial has one place per
 * block. */
cudaError_t sample_prefix(double *sums, double *partial, const double *numbers, int64_t count,
                          int blocks, cudaStream_t stream);

/* out[i] = factor in[i] */
cudaError_t sample_scale(double *out, const double *in, double factor, int64_t count,
                         cudaStream_t stream);

/* By atomics: least[0] = the least of the numbers, counts[0] = how many are even. */
cudaError_t sample_least(int *least, unsigned long long *evens, const int *numbers, int count,
                         cudaStream_t stream);

/* The threads of a block reverse their numbers in dynamic shared memory: out[i] = in[last - i]. */
cudaError_t sample_turn(float *out, const float *in, int count, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
