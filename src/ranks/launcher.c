/* Reading the environment that mpirun sets (launcher.h). */
#include "ranks/launcher.h"

#include <errno.h>
#include <stdlib.h>

static const struct launcher {
    const char *number, *count;
} launchers[] = {
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"}, /* Open MPI                               */
    {"PMI_RANK", "PMI_SIZE"},                         /* MPICH and relatives; srun --mpi=pmi2 */
};

/* Of Open MPI; of MPICH and its relatives; of Slurm. */
static const char *const numbers_here[] = {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID",
                                           "SLURM_LOCALID"};

enum { NUMBERS_HERE = sizeof numbers_here / sizeof numbers_here[0] };
enum { LAUNCHERS = sizeof launchers / sizeof launchers[0] };

/* A whole number from `least` to `most`; -1 otherwise. */
static int32_t number_in(const char *name, long least, long most)
{
    const char *text = getenv(name);
    if (text == NULL || text[0] < '0' || text[0] > '9') {
        return -1;
    }
    char *end = NULL;
    errno = 0;
    const long number = strtol(text, &end, 10);
    const int right = *end == '\0' && errno == 0 && number >= least && number <= most;
    return right ? (int32_t)number : -1;
}

int rct_launched(int32_t *number, int32_t *count)
{
    for (int i = 0; i < LAUNCHERS; i++) {
        *count = number_in(launchers[i].count, 1, INT32_MAX);
        *number = *count > 0 ? number_in(launchers[i].number, 0, *count - 1L) : -1;
        if (*number >= 0) {
            return 1;
        }
    }
    return 0;
}

int32_t rct_launched_here(void)
{
    for (int i = 0; i < NUMBERS_HERE; i++) {
        const int32_t number = number_in(numbers_here[i], 0, INT32_MAX);
        if (number >= 0) {
            return number;
        }
    }
    return 0;
}
