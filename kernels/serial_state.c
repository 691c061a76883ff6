/* Potentials of links, and the energies and momenta that sums over links come to. */
#include "kernels/measure.h"
#include "kernels/serial.h"

void rct_serial_potentials(const rct_links *links, const double *state, double *potentials)
{
    for (int64_t i = 0; i < links->count; i++) {
        potentials[i] = measure_potential(links, links->own_gravity, state, i);
    }
}

void rct_sums_of(const double total[MEASURES], rct_sums *sums)
{
    sums->kinetic = total[MEASURE_KINETIC];
    sums->potential = total[MEASURE_POTENTIAL];
    for (int k = 0; k < 3; k++) {
        sums->momentum[k] = total[MEASURE_MOMENTUM + k];
        sums->angular_momentum[k] = total[MEASURE_ANGULAR + k];
    }
}
