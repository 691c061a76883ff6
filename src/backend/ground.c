/* The ground as trees feel it (ground.h). */
#include "backend/ground.h"

#include "core/rotation.h"

#include <string.h>

void rct_ground_less(double linear[3], const rct_ground *ground, const double gravity[3])
{
    double m[3][3], less[3];
    memcpy(m, ground->rotation, sizeof m);
    for (int i = 0; i < 3; i++) {
        less[i] = ground->acceleration[i] - gravity[i];
    }
    rct_rotate_back(m, less, linear);
}
