/* Controls the emulated CUDA and asks what it saw. Every option is also a word of the environment
 * variable RCT_EMULATION, which is read at the first call and by emulation_reset:
 *     RCT_EMULATION="order=random seed=7 deferred"
 *     order=forward|reverse|random  seed=N  deferred  lazy  poison=0|1  abort  multiprocessors=N  memory=BYTES
 *     device=present|none|driverless|stub  devices=N  ratio=N  fail_allocation=K  fail_at_call=K  fail_error=NUMBER
 *     lose_at_call=K  lose_error=NUMBER */
#ifndef RCT_EMULATION_H
#define RCT_EMULATION_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The order of the threads of a block between waits, and of blocks. In random order warps and
 * blocks also run ahead of each other. */
typedef enum emulation_order {
    EMULATION_FORWARD,
    EMULATION_REVERSE,
    EMULATION_RANDOM
} emulation_order;

/* The answer of cudaGetDeviceCount and of all other functions: success, 100, 35 or 34. */
typedef enum emulation_device {
    EMULATION_PRESENT,
    EMULATION_NO_DEVICE,
    EMULATION_NO_DRIVER,
    EMULATION_STUB_DRIVER
} emulation_device;

typedef struct emulation_options {
    emulation_order order;
    uint64_t seed;
    emulation_device device;
    int deferred;        /* streams work only when something waits for them, else at once */
    int lazy;            /* a kernel is loaded at its first use or query, which no capture allows */
    int poison;          /* new device and shared memory is signalling NaNs, else zeros   */
    int abort_on_report; /* after printing it                                             */
    int multiprocessors; /* of 2048 threads and 228 KiB of shared memory each             */
    int64_t memory_bytes; /* of a device                                                   */
    int devices;          /* 1 to 8, all the same                                          */
    int ratio; /* how much slower double precision is than single, which no emulated time shows */
    int64_t fail_allocation; /* the k-th from now on, from 1, has no memory; 0 for none       */
    int64_t fail_at_call;    /* the k-th call of the runtime from now on does nothing but ...     */
    cudaError_t fail_error;  /* ... fail with this error; later calls work                        */
    int64_t lose_at_call;    /* the k-th call of the runtime from now on finds the device ... */
    cudaError_t lose_error;  /* ... gone with this error, and so do all later ones            */
} emulation_options;

/* Counted since emulation_count_from_here or the reset. A blocking copy is a copy and a wait. */
typedef struct emulation_counts {
    int64_t calls; /* of the runtime, except those that query an error */
    int64_t launches, cooperative_launches, graph_launches;
    int64_t copies, sets; /* memcpy, memset */
    int64_t copied_bytes; /* between host and device */
    int64_t waits;        /* of the host for a stream, an event, the device */
    int64_t allocations;  /* of the device and of the host's pinned memory */
} emulation_counts;

/* Objects that exist now. */
typedef struct emulation_live {
    int64_t device_allocations, device_bytes, host_allocations;
    int64_t streams, events, graphs, executables;
} emulation_live;

/* The defaults: forward order, work at once, poisoned memory, a device of 4 multiprocessors and 1
 * GiB, as changed by the environment. */
emulation_options emulation_defaults(void);
void emulation_set(const emulation_options *options);

/* Restores the start of the process: default options, no error, no report, nothing allocated or
 * waiting. Other threads keep their error and their device. */
void emulation_reset(void);

emulation_counts emulation_counted(void);
void emulation_count_from_here(void);
emulation_live emulation_alive(void);

int64_t emulation_bytes_on(int device); /* bytes of the memory of a device that are not freed */

/* Calls act(with) once, on the capturing thread, when the next capture has begun: another thread
 * that act starts and waits for then works during the capture. */
void emulation_at_capture(void (*act)(void *with), void *with);

/* The errors that were found: the text of the last report, "" if none, and the number of
 * reports. */
const char *emulation_last_report(void);
int64_t emulation_reports(void);

#ifdef __cplusplus
}
#endif

#endif
